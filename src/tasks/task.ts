// Durable background work: a row made in the transaction of the change that causes it, claimed by
// compare-and-set, run at least once. What a task does is therefore safe to do twice.
import type { Db } from '../db/db.ts'
import { toJson } from '../db/dialect.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'

export type TaskPayload = Record<string, unknown>

export type Task<Payload extends TaskPayload, Tools> = {
  readonly name: string
  /** After this long another worker may take it: longer than it ever runs. */
  readonly lease_ms: number
  readonly run: (tools: Tools, payload: Payload) => Promise<void>
}

/** Declares a kind of work in the feature that owns it. */
export function defineTask<Payload extends TaskPayload, Tools>(
  task: Task<Payload, Tools>,
): Task<Payload, Tools> {
  return task
}

/**
 * Asks for a task to be run after `delay_ms`. Asked for again with the same key while it waits, it
 * still runs once; while it runs, once more afterwards.
 */
export async function enqueue<Payload extends TaskPayload>(
  db: Db,
  clock: Clock,
  request: {
    task: Pick<Task<Payload, never>, 'name'>
    key: string
    payload: Payload
    delay_ms?: number
  },
): Promise<void> {
  const { task, key, payload, delay_ms = 0 } = request
  const waiting = await db
    .selectFrom('tasks')
    .select('id')
    .where('name', '=', task.name)
    .where('key', '=', key)
    .where('leased_until', 'is', null)
    .executeTakeFirst()
  if (waiting) return
  const run_at = new Date(clock().getTime() + delay_ms).toISOString()
  await db
    .insertInto('tasks')
    .values({
      name: task.name,
      key,
      payload: toJson(payload),
      run_at,
      created_at: timestamp(clock),
    })
    // Without its lease the running one does not remove the row when it ends, so the task runs again.
    .onConflict((conflict) =>
      conflict.columns(['name', 'key']).doUpdateSet({ leased_until: null, run_at, attempts: 0 }),
    )
    .execute()
}

/** Asks for many at once, as `enqueue` does for one, in one statement. */
export async function enqueueAll<Payload extends TaskPayload>(
  db: Db,
  clock: Clock,
  {
    task,
    requests,
  }: {
    task: Pick<Task<Payload, never>, 'name'>
    requests: readonly { key: string; payload: Payload }[]
  },
): Promise<void> {
  if (requests.length === 0) return
  const now = timestamp(clock)
  const row = { name: task.name, run_at: now, created_at: now }
  await db
    .insertInto('tasks')
    .values(requests.map(({ key, payload }) => ({ ...row, key, payload: toJson(payload) })))
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'key'])
        .doUpdateSet({ leased_until: null, run_at: now, attempts: 0 })
        .where('tasks.leased_until', 'is not', null),
    )
    .execute()
}

/** Takes back a task that waits. */
export async function dequeue(
  db: Db,
  { task, key }: { task: { name: string }; key: string },
): Promise<void> {
  await db.deleteFrom('tasks').where('name', '=', task.name).where('key', '=', key).execute()
}

/**
 * Makes every task due that waits or that a dead process held. For the start of an instance that is
 * the only one on its database; with several, leases end by themselves.
 */
export async function resumeTasks(db: Db, clock: Clock): Promise<void> {
  await db
    .updateTable('tasks')
    .set({ leased_until: null, run_at: timestamp(clock) })
    .execute()
}
