import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** OAuth applications that users register for themselves. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('oauth_applications')
    .addColumn('owner_id', 'bigint', (c) => c.references('users.id').onDelete('cascade'))
    .execute()
  await sql
    .raw(`create index oauth_applications_owner on oauth_applications (owner_id)
      where owner_id is not null`)
    .execute(db)
}

export const meanings: SchemaMeanings = {
  'oauth_applications.owner_id': {
    note: 'The user who registered the application; null for an application of the instance.',
  },
}
