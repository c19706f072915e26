import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Notes on merge requests that their authors have not published yet. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('draft_notes')
    .addColumn('id', id.type, id.build)
    .addColumn('issuable_id', 'bigint', (c) =>
      c.notNull().references('issuables.id').onDelete('cascade'),
    )
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('discussion_id', 'text')
    .addColumn('resolve_discussion', 'boolean', (c) => c.notNull())
    .addColumn('commit_id', 'text')
    .addColumn('line_code', 'text')
    .addColumn('position', 'jsonb')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index draft_notes_author on draft_notes (author_id, issuable_id, id)`.execute(db)
  await sql`create index draft_notes_issuable on draft_notes (issuable_id)`.execute(db)
}

export const meanings: SchemaMeanings = {
  draft_notes: { note: 'Draft comments of a review. Only their author sees them.' },
  'draft_notes.issuable_id': { note: 'A merge request.' },
  'draft_notes.discussion_id': {
    note: 'The thread that the draft replies to; null: it starts a new one.',
  },
  'draft_notes.position': { type: 'Record<string, unknown>' },
}
