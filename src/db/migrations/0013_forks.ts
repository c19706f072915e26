import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('projects')
    .addColumn('forked_from_id', 'bigint', (c) => c.references('projects.id').onDelete('set null'))
    .execute()
  await db.schema.alterTable('projects').addColumn('fork_network_id', 'bigint').execute()
  await db.schema
    .createIndex('projects_forked_from')
    .on('projects')
    .column('forked_from_id')
    .execute()
  await db.schema
    .createIndex('projects_fork_network')
    .on('projects')
    .column('fork_network_id')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'projects.fork_network_id': {
    note: 'The project at the root of the forks that this project belongs to; null for a project without forks.',
  },
}
