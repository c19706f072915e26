/**
 * Whether `text` is what `pattern` stands for: `*` is any run of characters, slashes and none
 * included; everything else is itself. Linear in the length of both texts for one star and never worse
 * than their product: no pattern a user writes can hold the server up.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  if (parts.length === 1) return pattern === text
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length) return false
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  const end = text.length - last.length
  // The leftmost fit of each part leaves the most for the parts after it.
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
