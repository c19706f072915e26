// Steps of changes to issues, merge requests and pipelines: each enqueues a small task in the transaction of the change.
// The recipients are determined later, in notification.tasks.ts.
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { enqueue, type TaskName } from '../../../tasks/task.ts'
import type { PipelineChange } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { FieldChanges, IssuableChange } from '../../planning/issuables/issuable-changed.ts'
import { parseReferences } from '../../planning/issuables/text-references.ts'
import type { autoMergeEnabledEffect } from '../../review/merging/auto-merge-enabled.ts'
import type { noteCreatedEffect, reviewPublishedEffect } from '../../review/notes/note-created.ts'
import {
  areNotificationsEnabled,
  type IssuableHappening,
  type IssuableNews,
  type News,
} from './notification.ts'

/** The name of the task; the work is in notification.tasks.ts. */
export const notifyTaskName = {
  name: 'notify-people',
  lane: 'notifications',
} as const satisfies TaskName

export type NotifyPayload = {
  /** The same for all emails about a change, so that a repeated task enqueues no email twice. */
  id: string
  news: News
  /** Users up to this id have already been notified. */
  after?: number
}

async function enqueueNews(tx: Db, clock: Clock, news: News): Promise<void> {
  const id = randomUUID()
  const payload: NotifyPayload = { id, news }
  await enqueue(tx, clock, { task: notifyTaskName, key: `${id}:0`, payload })
}

const actions: Partial<Record<IssuableChange['action'], IssuableHappening>> = {
  open: 'open',
  close: 'close',
  reopen: 'reopen',
  merge: 'merge',
  approved: 'approve',
  unapproved: 'unapprove',
}

/** Enqueues the notifications of a change of an issue or merge request; most changes have none. */
export async function enqueueIssuableNotification(change: IssuableChange): Promise<void> {
  const { tx, clock, project_id, issuable_id, user_id, action } = change
  if (!areNotificationsEnabled(tx)) return
  const happening = actions[action]
  const { happenings, ...rest } = newsOfUpdate(change)
  const all = [...(happening ? [happening] : []), ...happenings]
  if (all.length === 0) return
  const news = { kind: 'issuable', project_id, issuable_id, user_id, happenings: all } as const
  await enqueueNews(tx, clock, { ...news, ...rest })
}

type UpdateNews = Omit<IssuableNews, 'kind' | 'project_id' | 'issuable_id' | 'user_id'>

function newsOfUpdate({ changes, oldrev, asked_again_ids = [] }: IssuableChange): UpdateNews {
  const assignees = idsOf(changes.assignees)
  const reviewers = idsOf(changes.reviewers)
  const label_ids = idsOf(changes.labels).added
  const reviewer_ids = [...reviewers.added, ...asked_again_ids]
  const usernames = newlyNamed(changes)
  const happenings: IssuableHappening[] = []
  if (isAny(assignees.added, assignees.removed)) happenings.push('reassign')
  if (isAny(reviewer_ids, reviewers.removed)) happenings.push('review')
  if (oldrev !== undefined) happenings.push('push')
  if (isAny(usernames)) happenings.push('mention')
  if (isAny(label_ids)) happenings.push('label')
  return {
    happenings,
    ...(isAny(assignees.added) && { assigned_ids: assignees.added }),
    ...(isAny(assignees.removed) && { unassigned_ids: assignees.removed }),
    ...(isAny(reviewer_ids) && { reviewer_ids }),
    ...(isAny(reviewers.removed) && { removed_reviewer_ids: reviewers.removed }),
    ...(isAny(usernames) && { usernames }),
    ...(isAny(label_ids) && { label_ids }),
  }
}

const isAny = (...lists: readonly (readonly unknown[])[]) => lists.some((list) => list.length > 0)

/** Returns the added and the removed ids of a changed list. */
function idsOf(change: FieldChanges[string] | undefined): { added: number[]; removed: number[] } {
  const before = (change?.previous ?? []) as number[]
  const after = (change?.current ?? []) as number[]
  return {
    added: after.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !after.includes(id)),
  }
}

/** Returns the users whom edited texts mention and did not mention before. */
function newlyNamed({ title, description }: FieldChanges): string[] {
  const after = `${title?.current ?? ''}\n${description?.current ?? ''}`
  if (!after.includes('@')) return []
  const before = `${title?.previous ?? ''}\n${description?.previous ?? ''}`
  const known = new Set(parseReferences(before).usernames)
  return parseReferences(after).usernames.filter((name) => !known.has(name))
}

export async function enqueueNoteNotification({
  tx,
  clock,
  project_id,
  issuable_id,
  note_id,
  user_id,
  isOfReview,
}: Parameters<typeof noteCreatedEffect.run>[0]): Promise<void> {
  if (!areNotificationsEnabled(tx) || isOfReview) return
  const news = { kind: 'issuable', project_id, issuable_id, user_id } as const
  await enqueueNews(tx, clock, { ...news, happenings: ['note'], note_ids: [note_id] })
}

/** Enqueues one email for a review, and a second one for its internal notes. */
export async function enqueueReviewNotification({
  tx,
  clock,
  project_id,
  issuable_id,
  user_id,
  notes,
}: Parameters<typeof reviewPublishedEffect.run>[0]): Promise<void> {
  if (!areNotificationsEnabled(tx)) return
  const news = { kind: 'issuable', project_id, issuable_id, user_id } as const
  for (const isInternal of [false, true]) {
    const own = notes.filter(({ confidential }) => confidential === isInternal)
    const note_ids = own.map(({ id }) => id)
    if (own.length > 0) await enqueueNews(tx, clock, { ...news, happenings: ['note'], note_ids })
  }
}

export async function enqueueAutoMergeNotification({
  tx,
  clock,
  ...about
}: Parameters<typeof autoMergeEnabledEffect.run>[0]): Promise<void> {
  if (!areNotificationsEnabled(tx)) return
  const happenings = ['auto_merge'] as const
  await enqueueNews(tx, clock, { kind: 'issuable', ...about, happenings })
}

/** Enqueues the notification of an ended pipeline. */
export async function enqueuePipelineNotification(change: PipelineChange): Promise<void> {
  const { tx, clock, project_id, pipeline_id, status, before } = change
  if (status === before || (status !== 'failed' && status !== 'success')) return
  if (areNotificationsEnabled(tx)) {
    await enqueueNews(tx, clock, { kind: 'pipeline', project_id, pipeline_id, status })
  }
}
