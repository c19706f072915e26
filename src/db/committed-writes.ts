// Whether the present work has changed the database for good: what it did then would happen twice if it ran again.
import { AsyncLocalStorage } from 'node:async_hooks'

const counts = new AsyncLocalStorage<{ committed: number }>()

/**
 * Runs `task`. If it fails after it has committed a write, the error is replaced by the result of `errorOf`. Writes are
 * noticed only on PostgreSQL, where several servers share a database.
 */
export function mapErrorsAfterWrites<T>(
  task: () => Promise<T>,
  errorOf: (error: unknown) => unknown,
): Promise<T> {
  const count = { committed: 0 }
  return counts.run(count, async () => {
    try {
      return await task()
    } catch (error) {
      throw count.committed > 0 ? errorOf(error) : error
    }
  })
}

/** Records that the current work has committed a write. For drivers. */
export function noteCommittedWrite(): void {
  const count = counts.getStore()
  if (count) count.committed++
}
