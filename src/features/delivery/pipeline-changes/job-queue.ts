// Requests of this process that wait for pending jobs. Other nodes do not notify it, so they also poll.

import type { Db } from '../../../db/db.ts'
import { Semaphore } from '../../../kernel/semaphore.ts'

const waiting = new Set<() => void>()
const listeners = new Set<() => void>()

/** Wakes all waiting job requests, since there may be a job for them. */
export function wakeWaitingJobRequests(): void {
  wakeLocalJobRequests()
  for (const tell of listeners) tell()
}

/** Wakes the waiting job requests of this process only. */
export function wakeLocalJobRequests(): void {
  for (const wake of waiting) wake()
}

/** Calls `tell` whenever this process makes jobs pending, to notify the other workers of the server. */
export function subscribeToPendingJobs(tell: () => void): void {
  listeners.add(tell)
}

const ending = new WeakSet<Db>()

/** Ends all waiting job requests on this database, and holds no new ones: the server is stopping. */
export function closeJobQueue(db: Db): void {
  ending.add(db)
  wakeWaitingJobRequests()
}

/** Whether the server is stopping, so that job requests are not held. */
export function isJobQueueClosed(db: Db): boolean {
  return ending.has(db)
}

const turns = new WeakMap<Db, Semaphore>()

/** Runs one claim of a job at a time: concurrent ones would find the same job. */
export function withJobClaimLock<T>(db: Db, task: () => Promise<T>): Promise<T> {
  const turn = turns.get(db) ?? new Semaphore(1)
  turns.set(db, turn)
  return turn.run(task)
}

/** Resolves when a job may be available, after `wait_ms`, or when the signal aborts. */
export function waitForPendingJob(wait_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      waiting.delete(end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, wait_ms)
    timer.unref()
    waiting.add(end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
