import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** Who changed what of access. Nothing here refers to other tables: what is told outlives it. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('audit_events')
    .addColumn('id', id.type, id.build)
    .addColumn('author_id', 'bigint')
    .addColumn('author_name', 'text', (c) => c.notNull())
    .addColumn('ip_address', 'text')
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('entity_type', 'text', (c) => c.notNull())
    .addColumn('entity_id', 'bigint', (c) => c.notNull())
    .addColumn('entity_path', 'text', (c) => c.notNull())
    .addColumn('target_type', 'text')
    .addColumn('target_id', 'bigint')
    .addColumn('target_details', 'text')
    .addColumn('details', 'jsonb', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('audit_events_entity')
    .on('audit_events')
    .columns(['entity_type', 'entity_id', 'created_at'])
    .execute()
  await db.schema
    .createIndex('audit_events_author')
    .on('audit_events')
    .columns(['author_id', 'created_at'])
    .execute()
  await db.schema
    .createIndex('audit_events_created_at')
    .on('audit_events')
    .column('created_at')
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  audit_events: {
    note: 'Changes of access and settings. Rows have no foreign keys, so they outlive what they describe.',
  },
  'audit_events.author_id': {
    note: 'Null for the server itself and for a caller who was not signed in.',
  },
  'audit_events.entity_id': { note: '0 for the instance.' },
  'audit_events.entity_path': { note: 'The username or full path at that time.' },
  'audit_events.details': { type: 'Record<string, unknown>' },
}
