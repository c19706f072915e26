import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Comments on commits stand in threads, and can be changed. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const comments = db.schema.alterTable('commit_comments')
  await comments.addColumn('discussion_id', 'text', (c) => c.notNull().defaultTo('')).execute()
  await comments.addColumn('type', 'text').execute()
  await comments.addColumn('position', 'jsonb').execute()
  await comments.addColumn('updated_at', 'timestamptz').execute()
  // Each comment there is becomes a thread of its own.
  const id = isPostgres(db)
    ? sql`substr(md5('a' || id) || md5('b' || id), 1, 40)`
    : sql`lower(hex(randomblob(20)))`
  await sql`update commit_comments set discussion_id = ${id}, updated_at = created_at`.execute(db)
  await sql`create index commit_comments_thread
    on commit_comments (project_id, commit_id, discussion_id)`.execute(db)
}

export const meanings: SchemaMeanings = {
  'commit_comments.type': {
    type: "'DiscussionNote' | 'DiffNote'",
    note: 'Null: a comment outside of threads.',
  },
  'commit_comments.position': {
    type: 'Record<string, unknown>',
    note: 'As the client sent it; null: given by `path` and `line`.',
  },
}
