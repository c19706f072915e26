import { setImmediate } from 'node:timers/promises'

/** How many are worked on before others get their turn, where each takes a few microseconds. */
const turn_items = 5000

/** Slices of a long list, between which whatever else waits is done. */
export async function* inTurns<T>(
  items: readonly T[],
  items_max = turn_items,
): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += items_max) {
    yield items.slice(at, at + items_max)
    await setImmediate()
  }
}
