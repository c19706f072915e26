// What the log says of runs that failed: an error is something an operator has to look into, a warning ends by itself.
import { NoResultError } from 'kysely'
import { DatabaseAwayError, logFailure } from '../db/database-away.ts'
import { isForeignKeyViolation } from '../db/dialect.ts'
import { isTransactionConflict } from '../db/run-transaction.ts'
import { ApiError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import type { Lane } from './task.ts'

/** A run that failed, and when the task runs again (ISO 8601); undefined where it was given up. */
export type FailedRun = {
  id: number
  name: string
  lane: Lane
  /** Failed runs in a row, this one included. */
  attempts: number
  runs_again_at: string | undefined
  isRecurring: boolean
}

type Log = Record<'debug' | 'warn' | 'error', (fields: object, message: string) => void>

/** A recurring task is never given up, so this many failed runs in a row are an error. */
const recurring_failures_max = 3

/**
 * Logs a failed run, or without one an error of the queue itself. Level 50 (error) is for a task that was given up, for a
 * recurring one that keeps failing, and for a fault of the program; a run that will be repeated is a warning. A first run
 * that did not find a record is not logged: the next one finds that the record was deleted, and ends.
 */
export function logTaskFailure(log: Log, error: unknown, run?: FailedRun): void {
  if (!run) {
    const task = 'worker'
    if (isTransactionConflict(error)) warn({ task, runs_again_in_ms: limits.tasks.poll_ms })
    else logFailure(log, error, { event: 'task failed', task })
    return
  }
  const { id, name, attempts, runs_again_at, isRecurring } = run
  const fields = { task: name, task_id: id, attempts }
  const isGivenUp =
    runs_again_at === undefined || (isRecurring && attempts >= recurring_failures_max)
  if (error instanceof DatabaseAwayError || isGivenUp || isProgramFault(error)) {
    logFailure(log, error, { event: 'task failed', ...fields, runs_again_at })
  } else if (attempts === 1 && isMissingRecord(error)) {
    log.debug({ ...fields, err: error, runs_again_at }, 'task runs again')
  } else warn({ ...fields, runs_again_at })

  function warn(told: object): void {
    const { stderr } = error as { stderr?: string }
    log.warn({ ...told, err: error, stderr }, 'task runs again')
  }
}

/** Whether a record was missing that the run had found or was told of: mostly it was deleted meanwhile. */
function isMissingRecord(error: unknown): boolean {
  if (error instanceof NoResultError || isForeignKeyViolation(error)) return true
  return error instanceof ApiError && (error.kind === 'not-found' || error.kind === 'gone')
}

/** Whether trying again cannot help: JavaScript or the database did not understand what the program says. */
function isProgramFault(error: unknown): boolean {
  if (error instanceof ReferenceError || error instanceof RangeError) return true
  // `fetch` throws a TypeError whose cause is the network's.
  if (error instanceof TypeError) return error.cause === undefined
  const { code } = error as { code?: unknown }
  // Class 42: syntax errors and unknown names (PostgreSQL: "PostgreSQL Error Codes").
  return code === 'SQLITE_ERROR' || (typeof code === 'string' && /^42\w{3}$/.test(code))
}
