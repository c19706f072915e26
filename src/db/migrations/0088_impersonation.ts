import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Sessions in which an administrator impersonates somebody. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('impersonator_session_id', 'bigint', (c) =>
      c.references('sessions.id').onDelete('cascade'),
    )
    .execute()
  await sql
    .raw(`create index sessions_impersonator on sessions (impersonator_session_id)
      where impersonator_session_id is not null`)
    .execute(db)
}

export const meanings: SchemaMeanings = {
  'sessions.impersonator_session_id': {
    note: 'The session of the administrator who impersonates the user. This session ends with it.',
  },
}
