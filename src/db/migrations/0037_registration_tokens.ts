import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Runners name projects and groups by their registration tokens, which are sealed: digests find them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  for (const table of ['projects', 'namespaces']) {
    await db.schema.alterTable(table).addColumn('runners_token_digest', 'text').execute()
    await sql`create unique index ${sql.id(`${table}_runners_token`)} on ${sql.table(table)}
      (runners_token_digest) where runners_token_digest is not null`.execute(db)
  }
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'projects.runners_token_digest': {
    note: 'SHA-256 of the registration token for runners; null until somebody has read the token.',
  },
  'namespaces.runners_token_digest': { note: 'As in projects.' },
}
