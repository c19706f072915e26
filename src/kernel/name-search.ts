import { matchesWildcard } from './wildcard.ts'

/**
 * What `search` of branches and tags means (docs/api/repository.md, "Branches"): a part of the name in any
 * case; with `^`, `$` or `*` a pattern, in which the first `^` is the start, the first `$` the end and
 * every `*` anything. The function it returns takes time linear in pattern and name.
 */
export function createNameFilter(search: string): (name: string) => boolean {
  const term = search.toLowerCase()
  if (!/[$^*]/.test(term)) return (name) => name.toLowerCase().includes(term)
  const start = term.indexOf('^')
  const end = term.indexOf('$')
  const isEmptyOrStars = (text: string) => /^\**$/.test(text)
  // A pattern with text before its start or after its end fits nothing.
  if (start > 0 && !isEmptyOrStars(term.slice(0, start))) return () => false
  if (end >= 0 && !isEmptyOrStars(term.slice(end + 1))) return () => false
  const body = term.slice(start + 1, end < 0 ? undefined : end)
  const pattern = `${start < 0 ? '*' : ''}${body}${end < 0 ? '*' : ''}`
  return (name) => matchesWildcard(pattern, name.toLowerCase())
}
