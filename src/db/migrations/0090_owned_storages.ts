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
    note: 'Storages on disks of single servers (BLOOMERY_NODE_URL). Each is identified, so that no other disk is used by mistake.',
  },
  'storages.marker': {
    note: 'The content of the file .bloomery-storage in the folder of the storage.',
  },
  'nodes.url': {
    note: 'The URL at which other nodes reach this one; null for a node without storages of its own.',
  },
  'nodes.storages': { note: 'Names of the storages whose disks this node has.' },
  'tasks.storage': {
    note: 'The storage of the repository that the task needs, set after a server without its disk has tried to run the task.',
  },
}
