import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('commit_comments')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('commit_id', 'text', (c) => c.notNull())
    .addColumn('author_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('path', 'text')
    .addColumn('line', 'integer')
    .addColumn('line_type', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('commit_comments_commit')
    .on('commit_comments')
    .columns(['project_id', 'commit_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('commit_comments_author')
    .on('commit_comments')
    .column('author_id')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'commit_comments.path': {
    note: '`path`, `line` and `line_type` are null for a comment on the whole commit.',
  },
  'commit_comments.line_type': { type: "'new' | 'old'" },
}
