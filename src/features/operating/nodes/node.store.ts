// Rows of nodes. All times are by the clock of the database, which all nodes have in common.
import { type Selectable, sql } from 'kysely'
import type { Db, NodeTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'

/** Settings that must be the same on all nodes, by their names in docs/operating/settings. Contains no secrets. */
export type SharedSettings = Record<string, string | readonly string[]>

export type NodeRow = Omit<Selectable<NodeTable>, 'shared_settings' | 'storages'> & {
  shared_settings: SharedSettings
  /** Null for a server of a version that does not report its storages. */
  storages: readonly string[] | null
}

/** A node counts as lost after it has not renewed its row for this long. */
const silence = sql`interval '30 seconds'`
/** A lost node stays in the list for this long. */
const listed = sql`interval '1 day'`

export type NewNode = Omit<NodeRow, 'started_at' | 'seen_at'> & {
  /** The time since the start of the node, in milliseconds. */
  age_ms: number
}

/** Inserts a node, which counts as seen from now on. */
export async function insertNode(db: Db, { age_ms, ...node }: NewNode): Promise<void> {
  await db
    .insertInto('nodes')
    .values({
      ...node,
      shared_settings: toJson(node.shared_settings),
      storages: toJson(node.storages),
      started_at: sql`now() - ${`${Math.round(age_ms)} milliseconds`}::interval`,
      seen_at: sql`now()`,
    })
    .execute()
}

/** Records that a node is running; returns false if its row is gone, because other nodes removed it as dead. */
export async function touchNode(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({ seen_at: sql`now()` })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Returns all nodes in the order of their start, each with whether it was seen recently. */
export async function listNodeRows(db: Db): Promise<(NodeRow & { is_alive: boolean })[]> {
  const rows = await db
    .selectFrom('nodes')
    .selectAll()
    .select(sql<boolean>`seen_at > now() - ${silence}`.as('is_alive'))
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows as (NodeRow & { is_alive: boolean })[]
}

export async function deleteNodes(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('nodes').where('id', 'in', ids).execute()
}

/** Deletes nodes that have not been seen for a day. */
export async function deleteLongSilentNodes(db: Db): Promise<void> {
  await db.deleteFrom('nodes').where(sql<boolean>`seen_at < now() - ${listed}`).execute()
}

/** Returns the time of the database's clock, in milliseconds since 1970. */
export async function readDatabaseTime_ms(db: Db): Promise<number> {
  const { now } = await db
    .selectNoFrom(sql<string>`clock_timestamp()`.as('now'))
    .executeTakeFirstOrThrow()
  return Date.parse(now)
}

/** Asks all nodes whether they are using the repository at `path`. Returns the id of the question. */
export async function insertInUseQuestion(
  db: Db,
  question: { asked_by: string; path: string },
): Promise<number> {
  const { id } = await db
    .insertInto('node_questions')
    .values(question)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteInUseQuestion(db: Db, id: number): Promise<void> {
  await db.deleteFrom('node_questions').where('id', '=', id).execute()
}

/** Returns the questions of other nodes that this node has not answered yet. */
export function listUnansweredQuestions(
  db: Db,
  node_id: string,
): Promise<{ id: number; path: string }[]> {
  return db
    .selectFrom('node_questions')
    .select(['id', 'path'])
    .where('asked_by', '<>', node_id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('node_answers')
            .select('node_id')
            .whereRef('question_id', '=', 'node_questions.id')
            .where('node_id', '=', node_id),
        ),
      ),
    )
    .execute()
}

export async function insertInUseAnswer(
  db: Db,
  answer: { question_id: number; node_id: string; is_in_use: boolean },
): Promise<void> {
  await db
    .insertInto('node_answers')
    .columns(['question_id', 'node_id', 'is_in_use'])
    // The question may have been deleted in the meantime.
    .expression((eb) =>
      eb
        .selectFrom('node_questions')
        .select(({ val }) => [
          'id',
          val(answer.node_id).as('node_id'),
          val(answer.is_in_use).as('is_in_use'),
        ])
        .where('id', '=', answer.question_id),
    )
    .execute()
}

export function listInUseAnswers(
  db: Db,
  question_id: number,
): Promise<{ node_id: string; is_in_use: boolean }[]> {
  return db
    .selectFrom('node_answers')
    .select(['node_id', 'is_in_use'])
    .where('question_id', '=', question_id)
    .execute()
}

/** Returns the marker of a storage; undefined if no server has used it as its own. */
export async function findStorageMarker(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('storages')
    .select('marker')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.marker
}

/** Stores the marker of a storage, unless another server has done so. */
export async function insertStorageMarker(db: Db, name: string, marker: string): Promise<void> {
  await db
    .insertInto('storages')
    .values({ name, marker, created_at: sql`now()` })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}
