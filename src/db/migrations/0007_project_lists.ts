import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of ['name', 'path', 'updated_at', 'last_activity_at'] as const) {
    await db.schema
      .createIndex(`projects_by_${column}`)
      .on('projects')
      .columns([column, 'id'])
      .execute()
  }
  await db.schema.alterTable('project_statistics').addColumn('readme_commit', 'text').execute()
  await db.schema.alterTable('project_statistics').addColumn('readme_path', 'text').execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'project_statistics.readme_commit': {
    note: 'The tip of the default branch in which `readme_path` was found.',
  },
}
