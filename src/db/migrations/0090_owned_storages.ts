import type { Kysely } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Storages on the disks of single servers. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('storages')
    .addColumn('name', 'text', (c) => c.notNull().primaryKey())
    .addColumn('marker', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema.alterTable('nodes').addColumn('url', 'text').execute()
  await db.schema.alterTable('nodes').addColumn('storages', 'jsonb').execute()
  await db.schema.alterTable('tasks').addColumn('storage', 'text').execute()
}

export const meanings: SchemaMeanings = {
  storages: {
    note: 'Storages of servers that have disks of their own (BLOOMERY_NODE_URL), so that no other disk is taken for one.',
  },
  'storages.marker': { note: 'What the file .bloomery-storage in its folder holds.' },
  'nodes.url': {
    note: 'Where the other servers reach it; null for one that has no storage of its own.',
  },
  'nodes.storages': { note: 'Names of the storages whose disks it has.' },
  'tasks.storage': {
    note: 'The storage of the repository that the task needs, once a server has found that it has not its disk.',
  },
}
