import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Files of merge requests that their reviewers have looked at. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('viewed_files')
    .addColumn('issuable_id', 'bigint', (c) =>
      c.notNull().references('issuables.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('head_sha', 'text', (c) => c.notNull())
    .addColumn('viewed_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('viewed_files_key', ['issuable_id', 'user_id', 'path'])
    .execute()
  await sql`create index viewed_files_user on viewed_files (user_id)`.execute(db)
}

export const meanings: SchemaMeanings = {
  viewed_files: {
    note: 'Files of a merge request that a user has marked as viewed. Only that user sees the marks.',
  },
  'viewed_files.issuable_id': { note: 'A merge request.' },
  'viewed_files.path': { note: 'The path after the change.' },
  'viewed_files.head_sha': { note: 'The head of the version in which the file was viewed.' },
}
