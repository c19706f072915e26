import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Jobs wait where the built-in runner can make no sandbox for them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('runners').addColumn('isolation_problem', 'text').execute()
}

export const meanings: SchemaMeanings = {
  'runners.isolation_problem': {
    note: 'Why the runner cannot create a sandbox for jobs, as it reports; null if it can, or does not report it.',
  },
}
