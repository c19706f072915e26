// Converts texts of users to a form that both databases store: without NUL and without unpaired surrogates.

export function toStorableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll('\0', '').toWellFormed()
}

/** As `toStorableText`, for all texts and keys of a JSON value. Returns the value itself if nothing needs to change. */
export function toStorableJson(value: unknown): unknown {
  return isStorable(value) ? value : copyOf(value)
}

const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (Array.isArray(value)) return value.every(isStorable)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isStorableText(name) && isStorable(member))
}

function copyOf(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toStorableText(name), copyOf(member)]),
  )
}
