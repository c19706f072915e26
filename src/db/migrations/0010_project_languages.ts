import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('language_counts')
    .addColumn('project_id', 'bigint', (c) =>
      c.primaryKey().references('projects.id').onDelete('cascade'),
    )
    .addColumn('commit_id', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('project_languages')
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_languages_key', ['project_id', 'name'])
    .execute()
  await db.schema
    .createIndex('project_languages_by_name')
    .on('project_languages')
    .expression(sql`lower(name), project_id`)
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  language_counts: { note: 'The commit in which the languages of a project were last counted.' },
}
