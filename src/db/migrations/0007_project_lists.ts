import type { Kysely } from 'kysely'

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
