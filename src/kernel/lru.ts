import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of the `entries_max` most recently used values, by name. A long name, which a client may choose, counts as
 * several entries. The cache grows as it fills; passed as `max`, the package would allocate the memory of a full cache at
 * once.
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

/** Returns for how many entries a name of that length counts. */
export function cacheWeightOfName(name: string): number {
  return 1 + Math.floor(name.length / characters_of_one)
}
