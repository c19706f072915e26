// Attributes the current work to a caller and an operation. Budgets share by it, and the watchdog names slow work by it.
// It is set once, when a caller becomes known; the runtime carries it along.
import { AsyncLocalStorage } from 'node:async_hooks'

export type AttributedWork = {
  /** On whose account: `user:7`, `address:192.0.2.1`. */
  holder: string
  /** What it is, for people who read logs: `GET /projects/:id`. */
  name: string
}

const storage = new AsyncLocalStorage<AttributedWork>()

/** On whose account work is that nobody in particular asked for: tasks and the start. */
export const serverHolder = 'server'
const ownWork: AttributedWork = { holder: serverHolder, name: 'server' }
let last: AttributedWork = ownWork

/** Runs `task`, and all that follows from it, as `work`. */
export function runAsWork<T>(work: AttributedWork, task: () => T): T {
  last = work
  return storage.run(work, task)
}

/** On whose account the caller runs. */
export function currentWorkHolder(): string {
  return (storage.getStore() ?? ownWork).holder
}

/** Called where work goes on that has waited for something outside: what follows is this work's. */
export function markWorkResumed(): void {
  last = storage.getStore() ?? ownWork
}

/** Returns the work that was started or resumed last: what has kept the process busy until now. */
export function lastActiveWork(): AttributedWork {
  return last
}
