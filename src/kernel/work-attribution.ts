// Attributes the current work to a caller and an operation. Budgets share by it, and the watchdog names slow work by it.
// It is set once, when a caller becomes known; the runtime carries it along.
import { AsyncLocalStorage } from 'node:async_hooks'

export type AttributedWork = {
  /** The account that the work is charged to: `user:7`, `address:192.0.2.1`. */
  holder: string
  /** The operation, for readers of logs: `GET /projects/:id`. */
  name: string
}

const storage = new AsyncLocalStorage<AttributedWork>()

/** The account of work without a caller: tasks and the start of the server. */
export const serverHolder = 'server'
const ownWork: AttributedWork = { holder: serverHolder, name: 'server' }
let last: AttributedWork = ownWork

/** Runs `task`, and everything it starts, on the account of `work`. */
export function runAsWork<T>(work: AttributedWork, task: () => T): T {
  last = work
  return storage.run(work, task)
}

/** Returns the account that the caller's work runs on. */
export function currentWorkHolder(): string {
  return (storage.getStore() ?? ownWork).holder
}

/**
 * Call this when work continues after waiting for something outside of the process, so that the time from then on counts for
 * it.
 */
export function markWorkResumed(): void {
  last = storage.getStore() ?? ownWork
}

/** Returns the work that was started or resumed last: what has kept the process busy until now. */
export function lastActiveWork(): AttributedWork {
  return last
}
