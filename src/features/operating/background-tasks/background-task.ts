// Background tasks as administrators see them: their state and errors, never their payload.
import type { ExpressionBuilder, Selectable } from 'kysely'
import { Type } from 'typebox'
import type { Db, Schema, TaskTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { PageRange } from '../../../http/pagination.ts'
import { namedObject, nullable, nullableText, oneOf, type Static } from '../../../http/schema.ts'
import type { Lane } from '../../../tasks/task.ts'

/** The states of tasks: due but not started; not due yet; running in a process; failed until it is restarted. */
export const taskStates = ['waiting', 'delayed', 'running', 'failed'] as const
export type TaskState = (typeof taskStates)[number]

type BackgroundTask = Omit<Selectable<TaskTable>, 'payload' | 'storage'>

const columns = [
  'id',
  'name',
  'lane',
  'key',
  'attempts',
  'run_at',
  'owner_id',
  'started_at',
  'again_at',
  'failed_at',
  'last_error',
  'created_at',
] as const

const error_characters = 200

export const BackgroundTaskJson = namedObject('BackgroundTask', {
  id: Type.Integer(),
  name: Type.String(),
  lane: Type.String(),
  key: Type.String(),
  state: oneOf(taskStates),
  attempts: Type.Integer(),
  run_at: Type.String(),
  started_at: nullableText,
  failed_at: nullableText,
  last_error: nullable(Type.String({ description: 'The beginning of its first line.' })),
  created_at: Type.String(),
})

/** Presents a task without its payload, which may contain personal data. */
export function presentBackgroundTask(
  task: BackgroundTask,
  now: string,
): Static<typeof BackgroundTaskJson> {
  const { id, name, lane, key, attempts, run_at, started_at, failed_at, created_at } = task
  const last_error = task.last_error?.split('\n', 1)[0]?.slice(0, error_characters) ?? null
  const times = { run_at, started_at, failed_at, created_at }
  return { id, name, lane, key, state: stateOf(task, now), attempts, last_error, ...times }
}

export function stateOf(
  { owner_id, failed_at, run_at }: Pick<BackgroundTask, 'owner_id' | 'failed_at' | 'run_at'>,
  now: string,
): TaskState {
  if (failed_at !== null) return 'failed'
  if (owner_id !== null) return 'running'
  return run_at <= now ? 'waiting' : 'delayed'
}

function isIn(state: TaskState, now: string) {
  return ({ eb, and }: ExpressionBuilder<Schema, 'tasks'>) => {
    if (state === 'failed') return eb('failed_at', 'is not', null)
    if (state === 'running') return eb('owner_id', 'is not', null)
    return and([
      eb('owner_id', 'is', null),
      eb('failed_at', 'is', null),
      eb('run_at', state === 'waiting' ? '<=' : '>', now),
    ])
  }
}

/** Returns one page of tasks, most recently enqueued first. */
export async function listBackgroundTasks(
  db: Db,
  { state, lane, now }: { state?: TaskState; lane?: Lane; now: string },
  { per_page, offset }: PageRange,
): Promise<{ rows: BackgroundTask[]; total: number | undefined }> {
  let query = db.selectFrom('tasks')
  if (state !== undefined) query = query.where(isIn(state, now))
  if (lane !== undefined) query = query.where('lane', '=', lane)
  const [rows, total] = await Promise.all([
    query.select(columns).orderBy('id', 'desc').limit(per_page).offset(offset).execute(),
    countRows(db, query.select('id')),
  ])
  return { rows, total }
}

export function findBackgroundTask(db: Db, id: number): Promise<BackgroundTask | undefined> {
  return db.selectFrom('tasks').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Returns the task with that name and key. */
export function findBackgroundTaskByKey(
  db: Db,
  { name, key }: { name: string; key: string },
): Promise<BackgroundTask | undefined> {
  return db
    .selectFrom('tasks')
    .select(columns)
    .where('name', '=', name)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Deletes a failed task; returns false if it is not failed any more. */
export async function deleteFailedTask(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('id', '=', id)
    .where('failed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
