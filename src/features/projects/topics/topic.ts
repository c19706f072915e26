// The public face of topics: projects are tagged with them by name.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'

/** Creates the topics that do not exist. Names that differ only in case are one topic. */
export async function ensureTopics(tx: Db, clock: Clock, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const now = timestamp(clock)
  await tx
    .insertInto('topics')
    .values(names.map((name) => ({ name, created_at: now, updated_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
