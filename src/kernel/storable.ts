// Texts of others, as both databases keep them: without NUL and without half of a character.

export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** The same for whatever JSON holds, its names included. As deep as what is given. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]),
  )
}
