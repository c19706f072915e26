/**
 * Returns the value under a key that a caller chose; undefined for `constructor` and other keys that every object inherits.
 */
export function ownValue<Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
