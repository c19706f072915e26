import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** A hidden variable's value is told to nobody once it is made. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('ci_variables')
    .addColumn('hidden', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'ci_variables.hidden': {
    note: 'Whether nobody can read the value. Set when the variable is created, and never changed.',
  },
}
