import type { Insertable } from 'kysely'
import type { Db, EventTable } from '../../../db/db.ts'

/** An event whose origin is known has been kept before, and is left as it is. */
export async function insertEvents(
  tx: Db,
  events: readonly Insertable<EventTable>[],
): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('events')
    .values([...events])
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .execute()
}
