import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Tasks in lanes, held by workers that say they live instead of by leases that end. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('workers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seen_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema.dropIndex('tasks_run_at').execute()
  await db.schema.alterTable('tasks').dropColumn('leased_until').execute()
  await db.schema
    .alterTable('tasks')
    .addColumn('lane', 'text', (c) => c.notNull().defaultTo('upkeep'))
    .execute()
  await sql`update tasks set lane = 'mail' where name like 'send-%' or name like 'request-%'`.execute(
    db,
  )
  await sql`update tasks set lane = 'removal' where name like 'remove-%'`.execute(db)
  await db.schema.alterTable('tasks').addColumn('owner_id', 'text').execute()
  for (const column of ['started_at', 'again_at', 'failed_at']) {
    await db.schema.alterTable('tasks').addColumn(column, 'timestamptz').execute()
  }
  // What is due next in a lane, what somebody runs, what rests.
  await sql`create index tasks_waiting on tasks (lane, run_at, id) where owner_id is null and failed_at is null`.execute(
    db,
  )
  await sql`create index tasks_owner on tasks (owner_id, lane) where owner_id is not null`.execute(
    db,
  )
  await sql`create index tasks_failed on tasks (lane, id) where failed_at is not null`.execute(db)
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  workers: { note: 'Processes that are running tasks.' },
  'tasks.key': { note: 'A name and a key identify one task.' },
  'tasks.attempts': { note: 'Runs since the task was last enqueued, counted when a run begins.' },
  'tasks.owner_id': { note: 'The worker that is running the task.' },
  'tasks.started_at': { note: 'When the last run began.' },
  'tasks.again_at': {
    note: 'Set if the task was enqueued again during its run: it runs once more from this time on.',
  },
  'tasks.failed_at': {
    note: 'Set when all attempts are used up. The task does not run until somebody restarts or enqueues it.',
  },
}
