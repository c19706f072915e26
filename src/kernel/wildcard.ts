/**
 * Whether `text` matches `pattern`, in which `*` stands for any characters, slashes included, or none. Takes time linear
 * in both lengths for one star, and never more than their product, so that no pattern of a user can block the server.
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
  // The leftmost match of each part leaves the longest rest for the following parts.
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
