// Who waits in this process for jobs to become pending. Other processes are not heard of here, so whoever
// waits also looks by itself now and then.

import type { Db } from '../../../db/db.ts'
import { Semaphore } from '../../../kernel/semaphore.ts'

const waiting = new Set<() => void>()

/** Tells everybody who waits that there may be a job for them. */
export function wakeRunners(): void {
  for (const wake of waiting) wake()
}

const ending = new WeakSet<Db>()

/** Sends everybody home who waits on this database, for good: the server ends. */
export function closeJobQueue(db: Db): void {
  ending.add(db)
  wakeRunners()
}

export function isJobQueueClosed(db: Db): boolean {
  return ending.has(db)
}

const turns = new WeakMap<Db, Semaphore>()

/** Lets one at a time look for a job and take it: others would find the same one, and lose. */
export function serializeClaims<T>(db: Db, task: () => Promise<T>): Promise<T> {
  const turn = turns.get(db) ?? new Semaphore(1)
  turns.set(db, turn)
  return turn.run(task)
}

/** Ends when somebody tells of a job, after `wait_ms`, or when the signal says so. */
export function waitForJob(wait_ms: number, signal: AbortSignal): Promise<void> {
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
