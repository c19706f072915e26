import { matchesWildcard } from './wildcard.ts'

/**
 * What `search` of branches and tags means (behaviour: repository, section 3.1): a part of the name in
 * any case; with `^`, `$` or `*` a pattern, in which the first `^` is the start, the first `$` the end
 * and every `*` anything. The function answered takes time linear in pattern and name.
 */
export function nameFilter(search: string): (name: string) => boolean {
  const term = search.toLowerCase()
  if (!/[$^*]/.test(term)) return (name) => name.toLowerCase().includes(term)
  const start = term.indexOf('^')
  const end = term.indexOf('$')
  const isEmptyOrStars = (text: string) => /^\**$/.test(text)
  // Something before the start or after the end is nowhere.
  if (start > 0 && !isEmptyOrStars(term.slice(0, start))) return () => false
  if (end >= 0 && !isEmptyOrStars(term.slice(end + 1))) return () => false
  const body = term.slice(start + 1, end < 0 ? undefined : end)
  const pattern = `${start < 0 ? '*' : ''}${body}${end < 0 ? '*' : ''}`
  return (name) => matchesWildcard(pattern, name.toLowerCase())
}

/** The things whose names match, in their order, but those of exactly the name searched for first. */
export function searchByName<T extends { name: string }>(
  things: readonly T[],
  search: string,
): readonly T[] {
  if (search === '') return things
  const matches = nameFilter(search)
  const found = things.filter(({ name }) => matches(name))
  const isExact = ({ name }: T) => name.toLowerCase() === search.toLowerCase()
  const exact = found.filter(isExact)
  return exact.length === 0 ? found : [...exact, ...found.filter((one) => !isExact(one))]
}
