import { LRUCache } from 'lru-cache'

/**
 * The `entries_max` values used last, by name. It grows as it fills: given as `max` the package would take
 * the memory of a full one at once.
 */
export function lruCache<Value extends object | string | number | boolean>(
  entries_max: number,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: entries_max, sizeCalculation: () => 1 })
}
