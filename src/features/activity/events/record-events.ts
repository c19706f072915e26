// Records events of projects and users (docs/api/events.md).
import { toJson } from '../../../db/dialect.ts'
import { zeroOid } from '../../../git/names.ts'
import { peelToCommit } from '../../../git/refs.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { projectRepository } from '../../../subjects/project.ts'
import type { wikiPagesChangedEffect } from '../../content/wikis/page-changed.ts'
import { wikiPageOfPath, wikiTitleOfSlug } from '../../content/wikis/page-name.ts'
import type { MemberChange } from '../../people/members/member-changed.ts'
import type { IssuableChange } from '../../planning/issuables/issuable-changed.ts'
import type { milestoneChangedEffect } from '../../planning/milestones/milestone-changed.ts'
import type { ProjectChange } from '../../projects/projects/project-changed.ts'
import { countGainedCommits } from '../../repository/pushes/gained-commits.ts'
import type { LandedPush } from '../../repository/pushes/push-landed.ts'
import type { noteCreatedEffect } from '../../review/notes/note-created.ts'
import { findProjectCreatorId, insertEvents, type NewEvent } from './event.store.ts'

const actions = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
} as const

const targetTypes = { issue: 'Issue', merge_request: 'MergeRequest' } as const

/** Records the events of a changed issue or merge request; changes of texts alone have none. */
export async function recordIssuableEvent(change: IssuableChange): Promise<void> {
  const { tx, clock, action, kind, project_id, issuable_id, user_id } = change
  if (action === 'update' || action === 'unapproved') return
  await insertEvents(tx, [
    {
      project_id,
      author_id: user_id,
      action: actions[action],
      target_type: targetTypes[kind],
      target_id: issuable_id,
      issuable_id,
      created_at: timestamp(clock),
    },
  ])
}

export async function recordNoteEvent({
  tx,
  clock,
  project_id,
  note_id,
  user_id,
}: Parameters<typeof noteCreatedEffect.run>[0]): Promise<void> {
  await insertEvents(tx, [
    {
      project_id,
      author_id: user_id,
      action: 'commented',
      target_type: 'Note',
      target_id: note_id,
      note_id,
      created_at: timestamp(clock),
    },
  ])
}

export async function recordMilestoneEvent({
  tx,
  clock,
  milestone,
  action,
  user_id,
}: Parameters<typeof milestoneChangedEffect.run>[0]): Promise<void> {
  if (milestone.project_id === null) return
  await insertEvents(tx, [
    {
      project_id: milestone.project_id,
      author_id: user_id,
      action,
      target_type: 'Milestone',
      target_id: milestone.id,
      milestone_id: action === 'destroyed' ? null : milestone.id,
      created_at: timestamp(clock),
    },
  ])
}

const pageActions = { create: 'created', update: 'updated', delete: 'destroyed' } as const

/** Records the events of changed wiki pages of a project; those of groups have none. Safe to repeat. */
export async function recordPageEvents({
  uses: { db, clock },
  id,
  owner,
  user_id,
  changes,
}: Parameters<typeof wikiPagesChangedEffect.run>[0]): Promise<void> {
  if (owner.kind === 'group') return
  const events = changes.flatMap(({ action, path }): NewEvent[] => {
    const page = wikiPageOfPath(path)
    if (!page) return []
    return [
      {
        project_id: owner.id,
        author_id: user_id,
        action: pageActions[action],
        target_type: 'WikiPage::Meta',
        wiki_page: toJson({ ...page, title: wikiTitleOfSlug(page.slug) }),
        origin: `wiki:${id}:${path}`,
        created_at: timestamp(clock),
      },
    ]
  })
  await insertEvents(db, events)
}

export async function recordProjectEvent(change: ProjectChange): Promise<void> {
  const { tx, clock, project_id, action } = change
  const author_id = action === 'create' ? await findProjectCreatorId(tx, project_id) : undefined
  if (author_id === undefined) return
  await insertEvents(tx, [
    {
      project_id,
      author_id,
      action: 'created',
      target_type: 'Project',
      target_id: project_id,
      origin: `project:${project_id}`,
      created_at: timestamp(clock),
    },
  ])
}

export async function recordMemberEvent({
  tx,
  clock,
  source,
  user_id,
  action,
}: MemberChange): Promise<void> {
  if (source.kind !== 'project' || action === 'changed') return
  await insertEvents(tx, [
    {
      project_id: source.id,
      author_id: user_id,
      action: action === 'added' ? 'joined' : 'left',
      created_at: timestamp(clock),
    },
  ])
}

const title_characters_max = 70

/** Records an event for each branch and tag of a push, or a single one for very many. */
export async function recordPushEvents({ uses, push }: LandedPush): Promise<void> {
  const { db, clock, git, config } = uses
  const { id, project, user, moves } = push
  if (!user) return
  const repository = projectRepository(config, project)
  const isBulk = moves.length > limits.push_events_max
  const told = isBulk ? moves.slice(0, 1) : moves
  const events: NewEvent[] = []
  for (const move of told) {
    const { default_branch } = project
    const isRemoved = move.newOid === zeroOid
    const sha = isRemoved ? undefined : await peelToCommit(git.objects, repository, move.newOid)
    const commit = sha && (await git.objects.commit(repository, sha))
    const isTag = move.name.startsWith('refs/tags/')
    const data = {
      commit_count: await countGainedCommits(git, repository, { move, default_branch }),
      action: isRemoved
        ? ('removed' as const)
        : move.oldOid === zeroOid
          ? ('created' as const)
          : ('pushed' as const),
      ref_type: isTag ? ('tag' as const) : ('branch' as const),
      commit_from: move.oldOid === zeroOid ? null : move.oldOid,
      commit_to: isRemoved ? null : (sha ?? move.newOid),
      ref: move.name.replace(/^refs\/(heads|tags)\//, ''),
      commit_title: commit
        ? (commit.message.split('\n', 1)[0] ?? '').slice(0, title_characters_max)
        : null,
      ref_count: isBulk ? moves.length : null,
    }
    events.push({
      project_id: project.id,
      author_id: user.id,
      action: 'pushed',
      push: toJson(data),
      origin: `push:${id}:${move.name}`,
      created_at: timestamp(clock),
    })
  }
  await insertEvents(db, events)
}
