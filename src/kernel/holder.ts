// For whom the work now under way is done, so that whatever is shared can give each their part. It is
// carried along by the runtime: told once where a caller becomes known, asked where a budget is.
import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string>()

/** Work that nobody in particular asked for: tasks and the start. */
export const serverHolder = 'server'

/** Runs `work`, and all that follows from it, on account of `holder`: `user:7`, `address:192.0.2.1`. */
export function workFor<T>(holder: string, work: () => T): T {
  return storage.run(holder, work)
}

/** On whose account the caller runs. */
export function currentHolder(): string {
  return storage.getStore() ?? serverHolder
}
