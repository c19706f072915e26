// The statements of the task queue: claiming rows, and updating them after a run.
import { type ExpressionBuilder, sql, type Updateable } from 'kysely'
import { defineRowLoader } from '../db/compiled-query.ts'
import type { Db, Schema, TaskTable } from '../db/db.ts'
import { toJson } from '../db/dialect.ts'
import { orphanedTaskColumns } from './orphaned-task.ts'
import type { Lane, TaskName, TaskPayload } from './task.ts'

export type DueTask = {
  id: number
  name: string
  payload: TaskPayload
  attempts: number
  last_error: string | null
  /** Of the repository that it needs, once it has been found elsewhere. */
  storage: string | null
}

/**
 * Finds the task of a lane that has been due for the longest time, except those with ids in `besides`. Undefined if none is
 * due.
 */
export type DueTaskFinder = (
  db: Db,
  asked: { now: string; besides: ReadonlySet<number> },
) => Promise<DueTask | undefined>

/**
 * Returns the finder for a lane. It finds only tasks with these names: tasks of a newer version wait for a server of that
 * version. With `storages` it omits tasks that need a repository in another storage.
 */
export function createDueTaskFinder(
  lane: Lane,
  names: readonly string[],
  storages?: readonly string[],
): DueTaskFinder {
  const dueTasks = (db: Db, now: string) =>
    db
      .selectFrom('tasks')
      .select(['id', 'name', 'payload', 'attempts', 'last_error', 'storage'])
      .where('lane', '=', lane)
      .where('owner_id', 'is', null)
      .where('failed_at', 'is', null)
      .where('run_at', '<=', now)
      .where('name', 'in', names)
      .$if(storages !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb('storage', 'is', null),
            ...(storages ?? []).map((name) => eb('storage', '=', name)),
          ]),
        ),
      )
      .where((eb) => eb.not(isHeld(eb, lane, now)))
      .orderBy('run_at')
      .orderBy('id')
      .limit(1)
  const findFirst = defineRowLoader((db, { now }: { now: string }) => dueTasks(db, now), {
    isKept: false,
  })
  return async (db, { now, besides }) => {
    const task = await findFirst(db, { now })
    if (!task || !besides.has(task.id)) return task
    return dueTasks(db, now)
      .where('id', 'not in', [...besides])
      .executeTakeFirst()
  }
}

/** Whether somebody keeps the lane from beginning anything. */
function isHeld(
  { exists, selectFrom }: ExpressionBuilder<Schema, 'tasks'>,
  lane: Lane,
  now: string,
) {
  return exists(
    selectFrom('lane_holds')
      .select('lane_holds.holder')
      .where('lane_holds.lane', '=', lane)
      .where('lane_holds.held_until', '>', now),
  )
}

/** Assigns the task to the worker and counts the attempt. Returns false if another worker was faster. */
export async function claimTask(
  db: Db,
  { id, lane, owner_id, now }: { id: number; lane: Lane; owner_id: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set(({ eb }) => ({ owner_id, started_at: now, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('owner_id', 'is', null)
    .where('failed_at', 'is', null)
    .where('run_at', '<=', now)
    .where((eb) => eb.not(isHeld(eb, lane, now)))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The row of a task after a run: `done` deletes it, anything else updates it. */
export type TaskRunOutcome =
  | 'done'
  | Pick<Updateable<TaskTable>, 'run_at' | 'attempts' | 'failed_at' | 'last_error' | 'storage'>

/** Ends a run. If the task was enqueued again during the run, it becomes waiting, whatever the outcome. */
export async function endTaskRun(
  db: Db,
  { id, owner_id }: { id: number; owner_id: string },
  after: TaskRunOutcome,
): Promise<void> {
  const isMine = ({ eb, and }: ExpressionBuilder<Schema, 'tasks'>) =>
    and([eb('id', '=', id), eb('owner_id', '=', owner_id)])
  const isEnded = after === 'done' ? await removeRow() : await keepRow(after)
  if (isEnded) return
  // Nothing changes if the worker counted as dead and the task was given to another one.
  await db
    .updateTable('tasks')
    .set({
      owner_id: null,
      attempts: 0,
      last_error: null,
      run_at: sql`again_at`,
      again_at: null,
    })
    .where(isMine)
    .where('again_at', 'is not', null)
    .execute()

  async function removeRow(): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('tasks')
      .where(isMine)
      .where('again_at', 'is', null)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }
  async function keepRow(row: Exclude<TaskRunOutcome, 'done'>): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('tasks')
      .set({ ...row, owner_id: null })
      .where(isMine)
      .where('again_at', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }
}

/** Records that a worker is alive. */
export async function upsertTaskWorker(
  db: Db,
  worker: { id: string; seen_at: string },
): Promise<void> {
  const { seen_at } = worker
  await db
    .insertInto('workers')
    .values(worker)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at }))
    .execute()
}

/**
 * Releases tasks that no process runs: those of workers that were last seen before `seen_before`, and those of the calling
 * worker that it no longer runs because it could not store the outcome. The attempt stays counted.
 */
export async function releaseAbandonedTasks(
  db: Db,
  worker: { id: string; isRunning: (task: number) => boolean; seen_before: string },
): Promise<void> {
  const { id, isRunning, seen_before } = worker
  const held = await db
    .selectFrom('tasks')
    .leftJoin('workers', 'workers.id', 'tasks.owner_id')
    .select(['tasks.id', 'tasks.owner_id', 'workers.seen_at'])
    .where('tasks.owner_id', 'is not', null)
    .execute()
  const own = held.filter((task) => task.owner_id === id && !isRunning(task.id))
  const orphans = held.filter(
    ({ owner_id, seen_at }) => owner_id !== id && (seen_at === null || seen_at < seen_before),
  )
  // There is nearly always nothing to release, and then no write lock is taken.
  if (own.length > 0) await release(db, own, { owner_id: null, again_at: null })
  if (orphans.length === 0) return
  await release(db, orphans, orphanedTaskColumns())
  await db.deleteFrom('workers').where('seen_at', '<', seen_before).execute()
}

async function release(
  db: Db,
  tasks: readonly { id: number; owner_id: string | null }[],
  row: ReturnType<typeof orphanedTaskColumns> | { owner_id: null; again_at: null },
): Promise<void> {
  const ids = tasks.map((task) => task.id)
  const owners = tasks.map(({ owner_id }) => owner_id)
  await db
    .updateTable('tasks')
    .set(row)
    .where('id', 'in', ids)
    .where('owner_id', 'in', owners)
    .execute()
}

/** Removes a worker and releases its tasks. */
export async function removeTaskWorker(db: Db, id: string): Promise<void> {
  await db
    .updateTable('tasks')
    .set({ owner_id: null, again_at: null })
    .where('owner_id', '=', id)
    .execute()
  await db.deleteFrom('workers').where('id', '=', id).execute()
}

/** Inserts the missing rows of recurring tasks, due at once. */
export async function insertMissingRecurringTasks(
  db: Db,
  tasks: readonly TaskName[],
  now: string,
): Promise<void> {
  if (tasks.length === 0) return
  const row = { key: 'recurring', payload: toJson({}), run_at: now, created_at: now }
  await db
    .insertInto('tasks')
    .values(tasks.map(({ name, lane }) => ({ ...row, name, lane })))
    .onConflict((conflict) => conflict.columns(['name', 'key']).doNothing())
    .execute()
}
