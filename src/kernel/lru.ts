import { LRUCache } from 'lru-cache'

/**
 * The `entries_max` values used last, by name; one of a long name, which may be a client's choice, counts
 * for several. It grows as it fills: given as `max` the package would take the memory of a full one at once.
 */
export function createLruCache<Value extends object | string | number | boolean>(
  entries_max: number,
): LRUCache<string, Value> {
  return new LRUCache({
    maxSize: entries_max,
    sizeCalculation: (_, name) => cacheWeightOfName(name),
  })
}

const characters_of_one = 1000

/** For how many a name of that length counts. */
export function cacheWeightOfName(name: string): number {
  return 1 + Math.floor(name.length / characters_of_one)
}
