import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('project_verifications')
    .addColumn('project_id', 'bigint', (c) =>
      c.primaryKey().references('projects.id').onDelete('cascade'),
    )
    .addColumn('repository_failed', 'boolean', (c) => c.notNull())
    .addColumn('wiki_failed', 'boolean', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('verified_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('project_verifications_at')
    .on('project_verifications')
    .column('verified_at')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  project_verifications: { note: "The result of the last check of a project's repositories." },
  'project_verifications.wiki_failed': { note: 'False for a project without a wiki.' },
  'project_verifications.problem': { note: 'The output of git, if a check failed.' },
}
