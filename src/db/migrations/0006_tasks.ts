import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('tasks')
    .addColumn('id', id.type, id.build)
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('payload', 'jsonb', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('run_at', 'timestamptz', (c) => c.notNull())
    .addColumn('leased_until', 'timestamptz')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('tasks_key').unique().on('tasks').columns(['name', 'key']).execute()
  await db.schema.createIndex('tasks_run_at').on('tasks').column('run_at').execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  'tasks.key': { note: 'At most one waiting task with a given name has a given key.' },
  'tasks.payload': { type: 'Record<string, unknown>' },
}
