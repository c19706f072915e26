/**
 * The value of a table for a key that a caller chose. Undefined for `constructor` and whatever else every
 * object inherits.
 */
export function ownValue<Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
