import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('project_stars')
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('starred_since', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_stars_key', ['project_id', 'user_id'])
    .execute()
  await db.schema
    .createIndex('project_stars_user')
    .on('project_stars')
    .columns(['user_id', 'project_id'])
    .execute()
  for (const table of ['projects', 'namespaces']) {
    await db.schema.alterTable(table).addColumn('avatar', 'text').execute()
  }
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'namespaces.avatar': { note: 'The file name of the avatar of a group.' },
  'projects.avatar': { note: 'The file name of the avatar.' },
}
