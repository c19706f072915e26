import { matchesWildcard } from './wildcard.ts'

/**
 * Returns the filter that `search` of branches and tags describes (docs/api/repository.md, "Branches"): a substring,
 * ignoring case; or, with `^`, `$` or `*`, a pattern in which the first `^` is the start, the first `$` the end, and `*`
 * any text. Filtering takes time linear in the pattern and the name.
 */
export function createNameFilter(search: string): (name: string) => boolean {
  const term = search.toLowerCase()
  if (!/[$^*]/.test(term)) return (name) => name.toLowerCase().includes(term)
  const start = term.indexOf('^')
  const end = term.indexOf('$')
  const isEmptyOrStars = (text: string) => /^\**$/.test(text)
  // A pattern with text before its start or after its end matches nothing.
  if (start > 0 && !isEmptyOrStars(term.slice(0, start))) return () => false
  if (end >= 0 && !isEmptyOrStars(term.slice(end + 1))) return () => false
  const body = term.slice(start + 1, end < 0 ? undefined : end)
  const pattern = `${start < 0 ? '*' : ''}${body}${end < 0 ? '*' : ''}`
  return (name) => matchesWildcard(pattern, name.toLowerCase())
}
