// Loads the fields that records of issues and merge requests share, for many at once.

import { type Static, Type } from 'typebox'
import type { Instance } from '../../../http/endpoint.ts'
import {
  namedObject,
  nullable,
  nullableBoolean,
  nullableInteger,
  nullableText,
  oneOf,
} from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import {
  fullIssuableReference,
  type Issuable,
  issuableUrl,
  shortIssuableReference,
} from '../../../subjects/issuable.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { BasicLabelJson, presentBasicLabel } from '../labels/label.ts'
import { findMilestones, MilestoneJson, presentMilestone } from '../milestones/milestone.ts'
import { formatTrackedSeconds } from './duration.ts'
import { findIssuableRelations, type UserSummaryRow } from './issuable.store.ts'

export const TimeStatsJson = namedObject('TimeStats', {
  time_estimate: Type.Integer(),
  total_time_spent: Type.Integer(),
  human_time_estimate: nullableText,
  human_total_time_spent: nullableText,
})

export function presentTimeStats({
  time_estimate_s,
  time_spent_s,
}: Pick<Issuable, 'time_estimate_s' | 'time_spent_s'>): Static<typeof TimeStatsJson> {
  return {
    time_estimate: time_estimate_s,
    total_time_spent: time_spent_s,
    human_time_estimate: formatTrackedSeconds(time_estimate_s),
    human_total_time_spent: formatTrackedSeconds(time_spent_s),
  }
}

export const IssuableReferencesJson = namedObject('References', {
  short: Type.String(),
  relative: Type.String(),
  full: Type.String(),
})

export const SharedIssuableJson = {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: nullableText,
  state: oneOf(['opened', 'closed', 'locked', 'merged']),
  created_at: Type.String(),
  updated_at: Type.String(),
  closed_at: nullableText,
  closed_by: nullable(BasicUserJson),
  labels: Type.Array(Type.Union([Type.String(), BasicLabelJson])),
  milestone: nullable(MilestoneJson),
  assignees: Type.Array(BasicUserJson),
  author: BasicUserJson,
  assignee: nullable(BasicUserJson),
  user_notes_count: Type.Integer(),
  upvotes: Type.Integer(),
  downvotes: Type.Integer(),
  discussion_locked: nullableBoolean,
  web_url: Type.String(),
  time_stats: TimeStatsJson,
  task_completion_status: namedObject('TaskCompletion', {
    count: Type.Integer(),
    completed_count: Type.Integer(),
  }),
}
const SharedObject = Type.Object(SharedIssuableJson)
export const nullableWeight = Type.Optional(nullableInteger)

export type SharedIssuableFields = {
  /** The fields that both kinds have. */
  common: Static<typeof SharedObject>
  references: Static<typeof IssuableReferencesJson>
  /** The full path of the issuable's project. */
  full_path: string
  person: (id: number | null) => Static<typeof BasicUserJson> | null
}

export type ShowSharedFieldsOptions = {
  /** Whether labels are returned as records instead of names. */
  withLabelDetails?: boolean
  /** The full path of the project or group of the request, which `relative` leaves out. */
  within?: string
  /** The ids of further users that the records name. */
  user_ids?: readonly number[]
}

/** Returns the shared fields of these rows, in order. Runs five queries for any number of rows. */
export async function showSharedFields(
  { db, baseUrl, clock }: Pick<Instance, 'db' | 'clock'> & { baseUrl: string },
  rows: readonly Issuable[],
  { withLabelDetails = false, within, user_ids = [] }: ShowSharedFieldsOptions = {},
): Promise<SharedIssuableFields[]> {
  if (rows.length === 0) return []
  const milestoneIds = rows.flatMap(({ milestone_id }) => milestone_id ?? [])
  const [details, milestones] = await Promise.all([
    findIssuableRelations(db, {
      issuable_ids: rows.map(({ id }) => id),
      user_ids: [
        ...rows.flatMap(({ author_id, closed_by_id }) => [author_id, closed_by_id ?? author_id]),
        ...user_ids,
      ],
      project_ids: rows.map(({ project_id }) => project_id),
    }),
    findMilestones(db, milestoneIds),
  ])
  const view = { baseUrl, today: today(clock) }
  const shown = new Map<number, Static<typeof BasicUserJson>>()
  const show = (user: UserSummaryRow) => {
    const known = shown.get(user.id) ?? presentBasicUser(user, baseUrl)
    shown.set(user.id, known)
    return known
  }
  const person = (id: number | null) => {
    const user = id === null ? undefined : details.users.get(id)
    return user ? show(user) : null
  }
  return rows.map((row) => {
    const full_path = details.paths.get(row.project_id) ?? ''
    const author = person(row.author_id)
    if (!author)
      throw new Error(`User ${row.author_id}, the author of issuable ${row.id}, was not found.`)
    const assignees = (details.assignees.get(row.id) ?? []).map(show)
    const labels = details.labels.get(row.id) ?? []
    const milestone = row.milestone_id === null ? undefined : milestones.get(row.milestone_id)
    return {
      full_path,
      person,
      references: {
        short: shortIssuableReference(row),
        relative: relativeReference(row, { full_path, within }),
        full: fullIssuableReference({ full_path }, row),
      },
      common: {
        id: row.id,
        iid: row.iid,
        project_id: row.project_id,
        title: row.title,
        description: row.description,
        state: row.state,
        created_at: row.created_at,
        updated_at: row.updated_at,
        closed_at: row.closed_at,
        closed_by: person(row.closed_by_id),
        labels: withLabelDetails ? labels.map(presentBasicLabel) : labels.map(({ title }) => title),
        milestone: milestone ? presentMilestone(milestone, view) : null,
        assignees,
        author,
        assignee: assignees[0] ?? null,
        user_notes_count: row.notes_count,
        upvotes: row.upvotes,
        downvotes: row.downvotes,
        discussion_locked: row.discussion_locked,
        web_url: issuableUrl(baseUrl, { full_path }, row),
        time_stats: presentTimeStats(row),
        task_completion_status: {
          count: row.task_count,
          completed_count: row.completed_task_count,
        },
      },
    }
  })
}

/** Returns the shortest reference within the project or group of the request. */
function relativeReference(
  row: Issuable,
  { full_path, within }: { full_path: string; within: string | undefined },
): string {
  const short = shortIssuableReference(row)
  if (within === full_path) return short
  return within !== undefined && full_path.startsWith(`${within}/`)
    ? `${full_path.slice(within.length + 1)}${short}`
    : `${full_path}${short}`
}
