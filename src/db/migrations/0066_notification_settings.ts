import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

/** What users want to be notified of: everywhere, in a group, in a project. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('notification_settings')
    .addColumn('id', id.type, id.build)
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('level', 'text', (c) => c.notNull())
    .addColumn('events', 'jsonb', (c) => c.notNull())
    .addColumn('notification_email', 'text')
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  const indexes = [
    'unique index notification_settings_own on notification_settings (user_id) where project_id is null and namespace_id is null',
    'unique index notification_settings_project on notification_settings (project_id, user_id) where project_id is not null',
    'unique index notification_settings_namespace on notification_settings (namespace_id, user_id) where namespace_id is not null',
    'index notification_settings_user on notification_settings (user_id)',
  ]
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}

export const meanings: SchemaMeanings = {
  notification_settings: { note: 'A row without a project and namespace is the global setting.' },
  'notification_settings.level': {
    type: "'disabled' | 'participating' | 'watch' | 'global' | 'mention' | 'custom'",
  },
  'notification_settings.events': {
    type: 'Record<string, boolean>',
    note: 'The events that were set, by name. They apply at the level `custom`.',
  },
  'notification_settings.notification_email': {
    note: 'In the global setting, the address for notifications; null: the primary address.',
  },
}
