// For whom the work now under way is done, and what it is, so that whatever is shared can give each
// their part and whatever takes too long can be named. The runtime carries both along: they are told
// once, where a caller becomes known.
import { AsyncLocalStorage } from 'node:async_hooks'

export type Work = {
  /** On whose account: `user:7`, `address:192.0.2.1`. */
  holder: string
  /** What it is, for people who read logs: `GET /projects/:id`. */
  name: string
}

const storage = new AsyncLocalStorage<Work>()

/** On whose account work is that nobody in particular asked for: tasks and the start. */
export const serverHolder = 'server'
const ownWork: Work = { holder: serverHolder, name: 'server' }
let last: Work = ownWork

/** Runs `task`, and all that follows from it, as `work`. */
export function doWork<T>(work: Work, task: () => T): T {
  last = work
  return storage.run(work, task)
}

/** On whose account the caller runs. */
export function currentHolder(): string {
  return (storage.getStore() ?? ownWork).holder
}

/** Called where work goes on that has waited for something outside: what follows is this work's. */
export function resumeWork(): void {
  last = storage.getStore() ?? ownWork
}

/** What was begun or resumed last, hence what the process was busy with until now. */
export function lastWork(): Work {
  return last
}
