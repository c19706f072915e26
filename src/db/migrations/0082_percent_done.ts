import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** How much of a storage move or a vulnerability export is done. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  for (const table of ['storage_moves', 'vulnerability_exports']) {
    await db.schema
      .alterTable(table)
      .addColumn('percent', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }
}

export const meanings: SchemaMeanings = {
  'storage_moves.percent': { note: 'How much of the last attempt is copied and compared.' },
  'vulnerability_exports.percent': { note: 'How many of the rows the last run has written.' },
}
