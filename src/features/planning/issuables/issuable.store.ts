import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { Level } from '../../../access/level.ts'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { Db, IssuableTable, LabelTable } from '../../../db/db.ts'
import { encodeIdSet, idSetQuery } from '../../../db/dialect.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { type NoteReader, visibleNotesCondition } from '../../../subjects/note.ts'
import type { User } from '../../../subjects/user.ts'

export type IssuableUpdates = Updateable<IssuableTable>

export function insertIssuable(tx: Db, row: Insertable<IssuableTable>): Promise<Issuable> {
  return tx.insertInto('issuables').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateIssuableRow(tx: Db, id: number, changes: IssuableUpdates): Promise<Issuable> {
  return tx
    .updateTable('issuables')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the current row. Other transactions that change it wait until this one ends. */
export function lockIssuable(tx: Db, id: number): Promise<Issuable | undefined> {
  return tx
    .updateTable('issuables')
    .set((eb) => ({ iid: eb.ref('iid') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Changes the state if it is one of the given ones; returns undefined otherwise. */
export function updateIssuableState(
  tx: Db,
  id: number,
  { from, to, now }: { from: readonly Issuable['state'][]; to: Issuable['state']; now: string },
): Promise<Issuable | undefined> {
  return tx
    .updateTable('issuables')
    .set({ state: to, updated_at: now })
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .returningAll()
    .executeTakeFirst()
}

export async function deleteIssuable(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('issuables').where('id', '=', id).execute()
}

type Counted = Pick<Issuable, 'project_id' | 'kind' | 'state' | 'confidential'>

/** Adds `by` to the number of issues or merge requests of a project with a state. */
export async function updateIssuableCount(tx: Db, counted: Counted, by: 1 | -1): Promise<void> {
  const { project_id, kind, state, confidential } = counted
  await tx
    .insertInto('issuable_counts')
    .values({ project_id, kind, state, confidential, number: by })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'kind', 'state', 'confidential'])
        .doUpdateSet((eb) => ({ number: eb('issuable_counts.number', '+', by) })),
    )
    .execute()
}

/** Sets the assignees. Returns the former ones. */
export async function replaceAssignees(
  tx: Db,
  issuable_id: number,
  user_ids: readonly number[],
): Promise<void> {
  await tx.deleteFrom('issuable_assignees').where('issuable_id', '=', issuable_id).execute()
  if (user_ids.length === 0) return
  await tx
    .insertInto('issuable_assignees')
    .values(user_ids.map((user_id) => ({ issuable_id, user_id })))
    .execute()
}

export function listAssignees(db: Db, issuable_id: number): Promise<User[]> {
  return db
    .selectFrom('users')
    .innerJoin('issuable_assignees', 'issuable_assignees.user_id', 'users.id')
    .selectAll('users')
    .where('issuable_assignees.issuable_id', '=', issuable_id)
    .orderBy('users.id')
    .execute()
}

export function listLabelsOfIssuable(
  db: Db,
  issuable_id: number,
): Promise<Selectable<LabelTable>[]> {
  return db
    .selectFrom('labels')
    .innerJoin('issuable_labels', 'issuable_labels.label_id', 'labels.id')
    .selectAll('labels')
    .where('issuable_labels.issuable_id', '=', issuable_id)
    .orderBy('labels.title')
    .execute()
}

export async function addLabelsToIssuable(
  tx: Db,
  issuable_id: number,
  label_ids: readonly number[],
): Promise<void> {
  if (label_ids.length === 0) return
  await tx
    .insertInto('issuable_labels')
    .values(label_ids.map((label_id) => ({ issuable_id, label_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeLabelsFromIssuable(
  tx: Db,
  issuable_id: number,
  label_ids: readonly number[],
): Promise<void> {
  if (label_ids.length === 0) return
  await tx
    .deleteFrom('issuable_labels')
    .where('issuable_id', '=', issuable_id)
    .where('label_id', 'in', [...label_ids])
    .execute()
}

/** Stores that its texts mention these users. Returns those that were not mentioned before. */
export async function addMentionedUsers(
  tx: Db,
  { issuable_id, confidential }: { issuable_id: number; confidential: boolean },
  user_ids: readonly number[],
): Promise<number[]> {
  if (user_ids.length === 0) return []
  const rows = await tx
    .insertInto('issuable_mentions')
    .values(user_ids.map((user_id) => ({ issuable_id, user_id, confidential })))
    .onConflict((conflict) =>
      confidential
        ? conflict.doNothing()
        : conflict
            .columns(['issuable_id', 'user_id'])
            .doUpdateSet({ confidential })
            .where('issuable_mentions.confidential', '=', true),
    )
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

const assigneesOf = defineListLoader((db, { ids }: { ids: string }) =>
  db
    .selectFrom('issuable_assignees')
    .innerJoin('users', 'users.id', 'issuable_assignees.user_id')
    .select([
      'issuable_assignees.issuable_id',
      'users.id',
      'users.username',
      'users.name',
      'users.state',
      'users.avatar',
    ])
    .where('issuable_assignees.issuable_id', 'in', sql<number>`(${idSetQuery(db, ids)})`)
    .orderBy('users.id'),
)

const labelsOf = defineListLoader((db, { ids }: { ids: string }) =>
  db
    .selectFrom('issuable_labels')
    .innerJoin('labels', 'labels.id', 'issuable_labels.label_id')
    .select('issuable_labels.issuable_id')
    .selectAll('labels')
    .where('issuable_labels.issuable_id', 'in', sql<number>`(${idSetQuery(db, ids)})`)
    .orderBy('labels.title'),
)

const usersOf = defineListLoader((db, { ids }: { ids: string }) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'state', 'avatar'])
    .where('id', 'in', sql<number>`(${idSetQuery(db, ids)})`),
)

const placesOf = defineListLoader((db, { ids }: { ids: string }) =>
  db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select(['projects.id', 'projects.path', 'namespaces.full_path as namespace_path'])
    .where('projects.id', 'in', sql<number>`(${idSetQuery(db, ids)})`),
)

/** Returns the full paths of projects. */
export async function findProjectFullPaths(
  db: Db,
  project_ids: readonly number[],
): Promise<Map<number, string>> {
  if (project_ids.length === 0) return new Map()
  const rows = await placesOf(db, { ids: encodeIdSet(db, [...new Set(project_ids)]) })
  return new Map(rows.map(({ id, path, namespace_path }) => [id, `${namespace_path}/${path}`]))
}

export type UserSummaryRow = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>

/** Loads everything that records of issues and merge requests refer to; four queries for any number of them. */
export async function findIssuableRelations(
  db: Db,
  {
    issuable_ids,
    user_ids,
    project_ids,
  }: {
    issuable_ids: readonly number[]
    user_ids: readonly number[]
    project_ids: readonly number[]
  },
) {
  const ids = encodeIdSet(db, issuable_ids)
  const [assignees, labels, users, projects] = await Promise.all([
    assigneesOf(db, { ids }),
    labelsOf(db, { ids }),
    usersOf(db, { ids: encodeIdSet(db, [...new Set(user_ids)]) }),
    placesOf(db, { ids: encodeIdSet(db, [...new Set(project_ids)]) }),
  ])
  return {
    assignees: Map.groupBy(assignees, ({ issuable_id }) => issuable_id),
    labels: Map.groupBy(labels, ({ issuable_id }) => issuable_id),
    users: new Map<number, UserSummaryRow>(users.map((user) => [user.id, user])),
    paths: new Map(
      projects.map(({ id, path, namespace_path }) => [id, `${namespace_path}/${path}`]),
    ),
  }
}

/**
 * Selects the participants: the author, assignees, authors of notes, and users who are mentioned. With a reader, the last
 * two only from notes that the reader can see.
 */
export function participantsQuery(
  db: Db,
  { id, author_id }: Pick<Issuable, 'id' | 'author_id'>,
  reader?: NoteReader,
) {
  const hidesMentions = reader !== undefined && reader.level < Level.reporter
  return db.selectFrom('users').where((eb) =>
    eb.or([
      eb('users.id', '=', author_id),
      eb(
        'users.id',
        'in',
        eb
          .selectFrom('issuable_assignees')
          .select('issuable_assignees.user_id')
          .where('issuable_assignees.issuable_id', '=', id),
      ),
      eb(
        'users.id',
        'in',
        eb
          .selectFrom('notes')
          .select('notes.author_id')
          .where('notes.issuable_id', '=', id)
          .where('notes.system', '=', false)
          .where((notes) => (reader ? visibleNotesCondition(db, reader)(notes) : notes.lit(true))),
      ),
      eb(
        'users.id',
        'in',
        eb
          .selectFrom('issuable_mentions')
          .select('issuable_mentions.user_id')
          .where('issuable_mentions.issuable_id', '=', id)
          .$if(hidesMentions, (query) => query.where('issuable_mentions.confidential', '=', false)),
      ),
    ]),
  )
}

/** Returns the user's own choice; undefined without one. */
export async function findSubscription(
  db: Db,
  { issuable_id, user_id }: { issuable_id: number; user_id: number },
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('issuable_subscriptions')
    .select('subscribed')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row && Boolean(row.subscribed)
}

export async function setSubscription(
  tx: Db,
  row: { issuable_id: number; user_id: number; subscribed: boolean },
): Promise<void> {
  await tx
    .insertInto('issuable_subscriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['issuable_id', 'user_id']).doUpdateSet({ subscribed: row.subscribed }),
    )
    .execute()
}

/** Whether the user is a participant. */
export async function isParticipant(
  db: Db,
  issuable: Pick<Issuable, 'id' | 'author_id'>,
  user_id: number,
): Promise<boolean> {
  const row = await participantsQuery(db, issuable)
    .select('users.id')
    .where('users.id', '=', user_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds time spent; a negative number subtracts it. */
export async function addTimelog(
  tx: Db,
  clock: Clock,
  {
    issuable,
    user_id,
    spent_s,
    summary,
  }: { issuable: Pick<Issuable, 'id'>; user_id: number; spent_s: number; summary: string | null },
): Promise<Issuable> {
  const created_at = timestamp(clock)
  await tx
    .insertInto('timelogs')
    .values({ issuable_id: issuable.id, user_id, spent_s, summary, created_at })
    .execute()
  return tx
    .updateTable('issuables')
    .set((eb) => ({ time_spent_s: eb('time_spent_s', '+', spent_s) }))
    .where('id', '=', issuable.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
