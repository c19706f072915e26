// Searches issues, merge requests, milestones and notes that the caller can see.
import type { Facts } from '../../../access/rule.ts'
import type { Context } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { today } from '../../../kernel/clock.ts'
import { findIssuablesByIds, type IssuableKind } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { type IssuableListPlace, listIssuables } from '../../planning/issuables/list-issuables.ts'
import { showIssues } from '../../planning/issues/show-issues.ts'
import { presentMilestone } from '../../planning/milestones/milestone.ts'
import { showMergeRequests } from '../../review/merge-requests/show-requests.ts'
import { presentNote } from '../../review/notes/note.ts'
import { searchMilestones, searchNotes } from './search.store.ts'

export const planningSearchScopes = ['issues', 'merge_requests', 'milestones'] as const
export type PlanningSearchScope = (typeof planningSearchScopes)[number]

export type PlanningSearchInput = { search: string; state?: string; confidential?: boolean }

/** The scope of a search: a project, a group, or everything that the caller can see. */
export type SearchPlace = { project: Facts<Project> } | { group_id: number } | 'everywhere'

type SearchContext = Pick<
  Context<unknown, PlanningSearchInput>,
  'db' | 'actor' | 'range' | 'clock' | 'config' | 'baseUrl' | 'input'
>

export function searchPlanning(
  context: SearchContext,
  scope: PlanningSearchScope,
  place: SearchPlace,
): Promise<Page> {
  switch (scope) {
    case 'issues':
      return searchIssuables(context, 'issue', place)
    case 'merge_requests':
      return searchIssuables(context, 'merge_request', place)
    case 'milestones':
      return findMilestones(context, place)
  }
}

/** The signs before the numbers of issues and merge requests. */
const signs = { issue: '#', merge_request: '!' } as const

async function searchIssuables(
  context: SearchContext,
  kind: IssuableKind,
  place: SearchPlace,
): Promise<Page> {
  const { db, actor, range, clock, input } = context
  const text = input.search.trim()
  const number = text.startsWith(signs[kind]) ? text.slice(1) : ''
  const isNumber = /^\d{1,9}$/.test(number)
  const filter = {
    ...(isNumber ? { iids: [Number(number)] } : { search: text }),
    state: input.state,
    ...(kind === 'issue' && { confidential: input.confidential }),
  }
  const asked = { kind, viewer: actor, place: listPlace(place), filter, today: today(clock) }
  const { rows, total } = await listIssuables(db, { ...asked, order: 'created_at' }, range)
  const show = kind === 'issue' ? showIssues : showMergeRequests
  return new Page({ items: await show(context, rows), total })
}

function listPlace(place: SearchPlace): IssuableListPlace {
  if (place === 'everywhere') return { everywhere: true, withArchived: true }
  if ('group_id' in place) return { group_id: place.group_id, withArchived: true }
  return { inProject: place.project }
}

async function findMilestones(context: SearchContext, place: SearchPlace): Promise<Page> {
  const { db, actor, range, clock, baseUrl, input } = context
  const where =
    place === 'everywhere'
      ? {}
      : 'group_id' in place
        ? { group_id: place.group_id }
        : { project_id: place.project.subject.id }
  const { rows, total } = await searchMilestones(db, actor, { ...where, text: input.search }, range)
  const day = today(clock)
  return new Page({
    items: rows.map((row) => presentMilestone(row, { baseUrl, today: day })),
    total,
  })
}

/** Searches the notes of issues and merge requests of a project, without system notes. */
export async function searchProjectNotes(
  context: SearchContext,
  { subject: project, level, actor }: Facts<Project>,
): Promise<Page> {
  const { db, range, baseUrl, input } = context
  const reader = { actor, level }
  const asked = { project_id: project.id, text: input.search }
  const { rows, total } = await searchNotes(db, reader, asked, range)
  const issuables = await findIssuablesByIds(
    db,
    rows.flatMap(({ issuable_id }) => issuable_id ?? []),
  )
  const items = rows.map((note) => presentNote(note, issuables.get(note.issuable_id ?? 0), baseUrl))
  return new Page({ items, total })
}
