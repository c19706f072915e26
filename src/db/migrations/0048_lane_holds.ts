import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** What keeps the tasks of a lane waiting, on all nodes: a backup that reads what they would remove. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('lane_holds')
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('lane', 'text', (c) => c.notNull())
    .addColumn('held_until', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('lane_holds_pkey', ['lane', 'holder'])
    .execute()
}

export const meanings: SchemaMeanings = {
  lane_holds: { note: 'Lanes in which no task starts while the hold is in force.' },
  'lane_holds.held_until': { note: 'Renewed by the holder while it is alive.' },
}
