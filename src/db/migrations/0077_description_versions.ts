import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** What the descriptions of issues and merge requests said after each change, and before the first one. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('description_versions')
    .addColumn('id', id.type, id.build)
    .addColumn('issuable_id', 'bigint', (c) =>
      c.notNull().references('issuables.id').onDelete('cascade'),
    )
    .addColumn('note_id', 'bigint', (c) => c.references('notes.id').onDelete('cascade'))
    .addColumn('description', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index description_versions_issuable on description_versions (issuable_id, id)`.execute(
    db,
  )
  await sql`create unique index description_versions_note on description_versions (note_id)`.execute(
    db,
  )
}

export const meanings: SchemaMeanings = {
  description_versions: {
    note: 'Earlier descriptions. Whoever can read the issue or merge request can read them.',
  },
  'description_versions.note_id': {
    note: 'The system note about the change; null: the text before the first change.',
  },
}
