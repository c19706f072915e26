import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Groups name a project whose files are templates for the projects in and below them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.alterTable('namespaces').addColumn('file_template_project_id', 'bigint').execute()
}

export const meanings: SchemaMeanings = {
  'namespaces.file_template_project_id': {
    note: 'The project whose files are templates. It applies only while it is in or below the group.',
  },
}
