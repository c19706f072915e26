import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Meanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** What notes of the server name, which hides them with it; a pair of issues is linked once, either way round. */
export async function up(db: AnyDb): Promise<void> {
  await db.schema
    .alterTable('notes')
    .addColumn('about_id', 'bigint', (c) => c.references('issuables.id').onDelete('cascade'))
    .execute()
  await run(db, 'create index notes_about on notes (about_id) where about_id is not null')
  const [low, high] = isPostgres(db) ? ['least', 'greatest'] : ['min', 'max']
  const ends = `${low}(source_id, target_id), ${high}(source_id, target_id)`
  await run(db, `create unique index issue_links_ends on issue_links (${ends})`)
}

async function run(db: AnyDb, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

export const meanings: Meanings = {
  'notes.about_id': {
    note: 'What a note of the server names; who does not see that sees no note.',
  },
}
