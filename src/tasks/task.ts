// Durable background work: a row inserted in the transaction of its cause, claimed by compare-and-set, run at least
// once. The work of a task must therefore be safe to repeat.
import { sql } from 'kysely'
import { scheduleAfterCommit } from '../db/after-commit.ts'
import type { Db } from '../db/db.ts'
import { toJson } from '../db/dialect.ts'
import { withoutFlush } from '../db/without-flush.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { orphanedTaskColumns } from './orphaned-task.ts'

/**
 * Tasks in different lanes run concurrently, so a slow or stuck task delays only its own lane. The number is how many tasks
 * of the lane a process runs at once.
 */
export const lanes = {
  /** Packing, measuring and checking repositories. */
  upkeep: 1,
  /** Deleted projects, groups and users, and files that nobody has any more. */
  removal: 1,
  /** Rows whose time is over: memberships, sessions, tokens. */
  expiry: 1,
  /** Emails that somebody waits for: resets of passwords, confirmations, invitations. */
  mail: 4,
  /** Emails about what happened, of which one change may ask for thousands. */
  notifications: 4,
  /** What follows a push or another change. */
  events: 4,
  delivery: 4,
  /** What jobs have found: large files, and many rows. */
  reports: 1,
  /** Calls of webhooks, which wait for servers of others. */
  hooks: 16,
  /** Pushes to servers of others. */
  mirrors: 2,
  /** Domains of sites and their certificates, which wait for servers of others. */
  domains: 2,
  /** Repositories on their way from one storage to another. */
  moves: 2,
  /** Files made of many rows, which somebody waits for. */
  exports: 2,
  /** Backups of the whole server. */
  backups: 1,
} as const
export type Lane = keyof typeof lanes
export const laneNames = Object.keys(lanes) as Lane[]

export type TaskPayload = Record<string, unknown>

/** A kind of background work. `Uses` is the part of the server that `run` needs. */
export type Task<Payload extends TaskPayload, Uses> = {
  readonly name: string
  readonly lane: Lane
  /**
   * Makes the task recurring: it runs again this long after its last run ended, in one process of several.
   */
  readonly every_ms?: number
  /** After so many attempts without success it fails for good; `limits.tasks.attempts_max` by default. */
  readonly attempts_max?: number
  /**
   * Runs again after a wait, however often its process died while it ran; any other task fails after the second time in a
   * row. For tasks that keep something locked until they end.
   */
  readonly runsAfterDeaths?: true
  readonly run: (uses: Uses, payload: Payload) => Promise<void>
}

/** The fields of a task that enqueuing needs. */
export type TaskName = { readonly name: string; readonly lane: Lane }

/** Declares a kind of work in the feature that owns it. */
export function defineTask<Payload extends TaskPayload, Uses>(
  task: Task<Payload, Uses>,
): Task<Payload, Uses> {
  return task
}

type Request = { key: string; payload: TaskPayload; delay_ms?: number }

/**
 * Enqueues a task to run after `delay_ms`. If a task with the same key is waiting, it still runs only once; if one is
 * running, the new one runs afterwards; one that has failed starts again with no failed attempts.
 */
export async function enqueue(
  db: Db,
  clock: Clock,
  { task, ...request }: Request & { task: TaskName },
): Promise<void> {
  await enqueueAll(db, clock, { task, requests: [request] })
}

/** Enqueues several tasks like `enqueue`, in one statement. */
export async function enqueueAll(
  db: Db,
  clock: Clock,
  { task: { name, lane }, requests }: { task: TaskName; requests: readonly Request[] },
): Promise<void> {
  if (requests.length === 0) return
  const created_at = timestamp(clock)
  const rows = requests.map(({ key, payload, delay_ms = 0 }) => {
    const run_at = new Date(clock().getTime() + delay_ms).toISOString()
    return { name, lane, key, payload: toJson(payload), run_at, created_at }
  })
  await db
    .insertInto('tasks')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'key'])
        .doUpdateSet({
          again_at: sql`case when tasks.owner_id is not null then excluded.run_at end`,
          run_at: sql`case when tasks.failed_at is null then tasks.run_at else excluded.run_at end`,
          payload: sql`case when tasks.failed_at is null then tasks.payload else excluded.payload end`,
          attempts: sql`case when tasks.failed_at is null then tasks.attempts else 0 end`,
          last_error: sql`case when tasks.failed_at is null then tasks.last_error end`,
          failed_at: null,
        })
        // PostgreSQL locks the row all the same, so that what waits is not begun before the change is seen.
        .where((eb) =>
          eb.or([eb('tasks.owner_id', 'is not', null), eb('tasks.failed_at', 'is not', null)]),
        ),
    )
    .execute()
  // The worker's poll finds tasks that are due later.
  if (requests.some(({ delay_ms = 0 }) => delay_ms === 0)) {
    await scheduleAfterCommit(db, () => wakeLane(lane))
  }
}

const wakers = new Set<(lane: string) => void>()

/**
 * Calls `wake` with the lane of each due task that this process enqueues, once its transaction is committed. Returns the
 * function that unsubscribes. Without it tasks only start later.
 */
export function subscribeToEnqueuedTasks(wake: (lane: string) => void): () => void {
  wakers.add(wake)
  return () => wakers.delete(wake)
}

/** Tells the workers of this process that tasks of a lane are due. */
export function wakeLane(lane: string): void {
  for (const wake of wakers) wake(lane)
}

/** Makes a failed or waiting task due now and resets its attempts. Returns false if it is running or gone. */
export async function restartTask(db: Db, clock: Clock, id: number): Promise<boolean> {
  const restarted = await db
    .updateTable('tasks')
    .set({ failed_at: null, attempts: 0, last_error: null, run_at: timestamp(clock) })
    .where('id', '=', id)
    .where('owner_id', 'is', null)
    .returning('lane')
    .executeTakeFirst()
  if (!restarted) return false
  wakeLane(restarted.lane)
  return true
}

/**
 * Makes waiting tasks due now. The caller does not wait for the write: if it is lost, the tasks run when they are due
 * by themselves. Tests wait for it with `awaitMakeTasksDueWrites`.
 */
export function makeTasksDue(
  db: Db,
  clock: Clock,
  { task: { name, lane }, keys }: { task: TaskName; keys: readonly string[] },
): void {
  const write = withoutFlush(db)
    .updateTable('tasks')
    .set({ run_at: timestamp(clock) })
    .where('name', '=', name)
    .where('key', 'in', keys)
    .where('owner_id', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
    .then(
      () => wakeLane(lane),
      () => {},
    )
    .finally(() => writes.delete(write))
  writes.add(write)
}

const writes = new Set<Promise<void>>()

/** Resolves when all writes of `makeTasksDue` are done. */
export async function awaitMakeTasksDueWrites(): Promise<void> {
  await Promise.all(writes)
}

/** Deletes a waiting task. */
export async function cancelWaitingTask(
  db: Db,
  { task, key }: { task: { name: string }; key: string },
): Promise<void> {
  await db.deleteFrom('tasks').where('name', '=', task.name).where('key', '=', key).execute()
}

/**
 * Makes every waiting task due, and every task of a dead process, except failed ones. For the start of the only instance on
 * a database; with several, silent workers are detected.
 */
export async function makeInterruptedTasksDue(db: Db, clock: Clock): Promise<void> {
  const now = timestamp(clock)
  await db.deleteFrom('workers').execute()
  await db
    .updateTable('tasks')
    .set({ ...orphanedTaskColumns(), run_at: now })
    .where('failed_at', 'is', null)
    .where('owner_id', 'is not', null)
    .execute()
  await db
    .updateTable('tasks')
    .set({ run_at: now })
    .where('failed_at', 'is', null)
    .where('run_at', '>', now)
    .execute()
}
