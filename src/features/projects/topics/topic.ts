// Public functions of topics: projects are tagged with them by name.
import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'

/** Tags a project with these topics in place of those it has, and creates the topics that do not exist. */
export async function replaceProjectTopics(
  tx: Db,
  clock: Clock,
  { id, topics }: { id: number; topics: readonly string[] },
): Promise<void> {
  const names = new Set(topics.map((topic) => topic.trim()).filter((topic) => topic !== ''))
  const tagged = await tx
    .selectFrom('project_topics')
    .select('name')
    .where('project_id', '=', id)
    .execute()
  const before = new Set(tagged.map(({ name }) => name))
  await removeProjectTopics(tx, { id, names: [...before.difference(names)] })
  const missing = [...names.difference(before)].sort()
  if (missing.length === 0) return
  // A concurrent transaction may insert the same topics. Then it also counts them.
  const inserted = await tx
    .insertInto('project_topics')
    .values(missing.map((name) => ({ project_id: id, name })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute()
  const added = inserted.map(({ name }) => name)
  await ensureTopics(tx, clock, added)
  await addToCounts(tx, added, 1)
}

/** Removes topics of a project by name, or all of them. */
export async function removeProjectTopics(
  tx: Db,
  { id, names }: { id: number; names?: readonly string[] },
): Promise<void> {
  if (names?.length === 0) return
  const removed = await tx
    .deleteFrom('project_topics')
    .where('project_id', '=', id)
    .$if(names !== undefined, (query) => query.where('name', 'in', names ?? []))
    .returning('name')
    .execute()
  await addToCounts(
    tx,
    removed.map(({ name }) => name),
    -1,
  )
}

/** Updates topics in the order of their names, so that two transactions with the same topics cannot deadlock. */
async function addToCounts(tx: Db, names: readonly string[], by: 1 | -1): Promise<void> {
  for (const name of [...names].sort()) {
    await tx
      .updateTable('topics')
      .set((eb) => ({ projects_count: eb('projects_count', '+', by) }))
      .where(lowerCaseExpression('name'), '=', sql<string>`lower(${name})`)
      .execute()
  }
}

/** Creates the topics that do not exist. Names that differ only in case are one topic. */
async function ensureTopics(tx: Db, clock: Clock, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const now = timestamp(clock)
  await tx
    .insertInto('topics')
    .values(names.map((name) => ({ name, created_at: now, updated_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
