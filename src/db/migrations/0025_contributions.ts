import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('contributions')
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('contributed_on', 'date', (c) => c.notNull())
    .addPrimaryKeyConstraint('contributions_key', ['user_id', 'project_id'])
    .execute()
  await db.schema
    .createIndex('contributions_project')
    .on('contributions')
    .column('project_id')
    .execute()
  // Who pushed before was not kept; who commented was.
  await sql`insert into contributions (user_id, project_id, contributed_on)
    select author_id, project_id, date(max(created_at)) from commit_comments
    group by author_id, project_id`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  contributions: {
    note: 'The last day on which a user pushed to a project, committed through the API or commented on a commit.',
  },
}
