/**
 * What a table has for a key that somebody chose: for `constructor`, and whatever else every object
 * inherits, nothing.
 */
export function ownValue<Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
