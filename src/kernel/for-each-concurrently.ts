/**
 * Runs `work` on each item, `at_once` of them at a time. After a failure no other item is begun; the failure is thrown when
 * everything that was begun has ended.
 */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T> | Iterable<T>,
  at_once: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const failures: unknown[] = []
  const workInTurn = async () => {
    try {
      for (let next = await rest.next(); !next.done; next = await rest.next()) {
        if (failures.length > 0) return
        await work(next.value)
      }
    } catch (error) {
      failures.push(error)
    }
  }
  await Promise.all(Array.from({ length: at_once }, workInTurn))
  if (failures.length > 0) throw failures[0]
}
