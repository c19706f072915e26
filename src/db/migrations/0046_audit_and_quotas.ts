import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Audit events are listed by id, and what may be kept has limits of its own. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.dropIndex('audit_events_entity').execute()
  await sql`create index audit_events_entity on audit_events (entity_type, entity_id, id)`.execute(
    db,
  )
  for (const table of ['projects', 'namespaces']) {
    await db.schema.alterTable(table).addColumn('repository_size_limit', 'bigint').execute()
  }
  await db.schema.alterTable('namespaces').addColumn('storage_size_limit', 'bigint').execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'projects.repository_size_limit': {
    note: 'In bytes, for the repository with its LFS objects. 0: no limit. Null: the limit of the group or instance.',
  },
  'namespaces.repository_size_limit': {
    note: 'In bytes, for each project below. 0: no limit. Null: the limit of the parent group or instance.',
  },
  'namespaces.storage_size_limit': {
    note: 'In bytes, for everything that projects in and below the group store. 0 and null: no limit.',
  },
}
