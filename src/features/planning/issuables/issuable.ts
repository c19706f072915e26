// The history of issues and merge requests: system notes, events of labels, milestones and states, to-do items
// (docs/api/issues.md, "Recorded changes").
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, ResourceEventTable, TodoTable } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { Issuable, IssuableKind } from '../../../subjects/issuable.ts'
import { computeRecordVersion, publishChange } from '../../basics/changes/change.ts'
import { findProjectFullPaths, updateIssuableCount, updateIssuableState } from './issuable.store.ts'

type Target = Pick<Issuable, 'id' | 'project_id'>

export { setSubscription } from './issuable.store.ts'

/** Returns the id of a new thread: 40 hexadecimal digits. */
export function generateDiscussionId(): string {
  return randomBytes(20).toString('hex')
}

/** The source of a mention, so that the system note is hidden from readers who may not see that source. */
export type MentionSource = {
  mentioned_by_project_id: number
  mentioned_by_id?: number
  mentioned_by_commit?: string
  /** Whether the mention is in an internal note. */
  confidential?: boolean
}

/**
 * Adds system notes to what something mentions. A repeated mention adds no second note; a mention in a public text after one
 * in an internal note adds another.
 */
export async function insertMentionNotes(
  tx: Db,
  clock: Clock,
  {
    author_id,
    targets,
    mentioned_by,
  }: {
    author_id: number
    targets: readonly { target: Target; body: string }[]
    mentioned_by: MentionSource
  },
): Promise<void> {
  if (targets.length === 0) return
  const now = timestamp(clock)
  const { mentioned_by_id, confidential = false } = mentioned_by
  if (mentioned_by_id !== undefined && !confidential) {
    await tx
      .deleteFrom('notes')
      .where(
        'issuable_id',
        'in',
        targets.map(({ target }) => target.id),
      )
      .where('mentioned_by_id', '=', mentioned_by_id)
      .where('confidential', '=', true)
      .execute()
  }
  await tx
    .insertInto('notes')
    .values(
      targets.map(({ target, body }) => ({
        project_id: target.project_id,
        issuable_id: target.id,
        author_id,
        discussion_id: generateDiscussionId(),
        body,
        system: true,
        created_at: now,
        updated_at: now,
        ...mentioned_by,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Inserts system notes in order, and returns their ids. `about_id` is the object that they refer to: who cannot see it does
 * not see the note.
 */
export async function insertSystemNotes(
  tx: Db,
  clock: Clock,
  {
    issuable,
    author_id,
    bodies,
    about_id = null,
  }: {
    issuable: Target
    author_id: number
    bodies: readonly string[]
    about_id?: number | null
  },
): Promise<number[]> {
  if (bodies.length === 0) return []
  const now = timestamp(clock)
  const rows = await tx
    .insertInto('notes')
    .values(
      bodies.map((body) => ({
        project_id: issuable.project_id,
        issuable_id: issuable.id,
        author_id,
        discussion_id: generateDiscussionId(),
        body,
        system: true,
        created_at: now,
        updated_at: now,
        about_id,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

type ResourceEvent = Pick<ResourceEventTable, 'kind' | 'action'> & {
  label_id?: number
  milestone_id?: number
  weight?: number | null
}

export async function insertResourceEvents(
  tx: Db,
  clock: Clock,
  {
    issuable_id,
    user_id,
    events,
  }: { issuable_id: number; user_id: number | null; events: readonly ResourceEvent[] },
): Promise<void> {
  if (events.length === 0) return
  const created_at = timestamp(clock)
  await tx
    .insertInto('resource_events')
    .values(events.map((event) => ({ ...event, issuable_id, user_id, created_at })))
    .execute()
}

export type TodoAction = TodoTable['action']

/** Adds to-do items for users, except for the author and for users who already have such an item. */
export async function insertTodos(
  tx: Db,
  clock: Clock,
  {
    issuable,
    author_id,
    user_ids,
    action,
    note_id = null,
  }: {
    issuable: Target
    author_id: number
    user_ids: readonly number[]
    action: TodoAction
    note_id?: number | null
  },
): Promise<void> {
  const others =
    action === 'marked' || action === 'build_failed' || action === 'unmergeable'
      ? user_ids
      : user_ids.filter((id) => id !== author_id)
  if (others.length === 0) return
  const now = timestamp(clock)
  await tx
    .insertInto('todos')
    .values(
      others.map((user_id) => ({
        user_id,
        author_id,
        project_id: issuable.project_id,
        issuable_id: issuable.id,
        note_id,
        action,
        state: 'pending' as const,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await publishChange(tx, ...others.map((id) => `user:${id}` as const))
}

/** Marks the user's to-do items about it as done. */
export async function markTodosDoneOfIssuable(
  tx: Db,
  clock: Clock,
  { issuable_id, user_id }: { issuable_id: number; user_id: number },
): Promise<void> {
  await tx
    .updateTable('todos')
    .set({ state: 'done', updated_at: timestamp(clock) })
    .where('issuable_id', '=', issuable_id)
    .where('user_id', '=', user_id)
    .where('state', '=', 'pending')
    .execute()
  await publishChange(tx, `user:${user_id}`)
}

/**
 * Changes the state if it is one of the given ones, and updates the counts, for transitions that are not changes of a field,
 * such as a merge. Returns undefined if it is in none of the states.
 */
export async function transitionIssuableState(
  tx: Db,
  id: number,
  { from, to, now }: { from: readonly Issuable['state'][]; to: Issuable['state']; now: string },
): Promise<Issuable | undefined> {
  const moved = await updateIssuableState(tx, id, { from, to, now })
  if (!moved) return undefined
  // A merge request that is being merged was counted as open.
  await updateIssuableCount(tx, { ...moved, state: 'opened' }, -1)
  await updateIssuableCount(tx, moved, 1)
  return moved
}

/** Returns the full paths of projects, by id. */
export const findProjectPaths = findProjectFullPaths

/** Loads what the versions of issues or merge requests depend on: the rows, and their notes, which record most changes. */
export const readIssuableVersionFacts = (db: Db, kind: IssuableKind, ids: readonly number[]) =>
  db
    .selectFrom('issuables')
    .select([
      'issuables.id',
      'issuables.updated_at',
      'issuables.upvotes',
      'issuables.downvotes',
      sql<string>`(select cast(count(*) as text) || ' ' || coalesce(cast(max(updated_at) as text), '') || ' '
        || coalesce(cast(max(resolved_at) as text), '') from notes where issuable_id = issuables.id)`.as(
        'notes',
      ),
    ])
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .execute()

/**
 * The version that event streams tell of the issue or merge request (docs/api/event-streams.md, "Versions of records"), as
 * of when it was read: one that has changed since then has another version.
 */
export async function readIssuableVersion(
  db: Db,
  { id, kind, updated_at, upvotes, downvotes }: Issuable,
): Promise<string> {
  const [facts] = await readIssuableVersionFacts(db, kind, [id])
  return computeRecordVersion({ ...facts, updated_at, upvotes, downvotes })
}
