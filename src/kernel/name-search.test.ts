import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createNameFilter } from './name-search.ts'

/** By the words of the rule, with no thought for speed. */
function matchesNaively(search: string, name: string): boolean {
  const term = search.toLowerCase()
  const text = name.toLowerCase()
  if (!/[$^*]/.test(term)) return text.includes(term)
  // Every place a mark could fit: the first `^` is position 0, the first `$` the end.
  const start = term.indexOf('^')
  const end = term.indexOf('$')
  const fits = (at: number, from: number): boolean => {
    if (at === term.length) return true
    if (at === start) return from === 0 && fits(at + 1, from)
    if (at === end) return from === text.length && fits(at + 1, from)
    if (term[at] === '*') {
      for (let to = from; to <= text.length; to++) if (fits(at + 1, to)) return true
      return false
    }
    return text[from] === term[at] && fits(at + 1, from + 1)
  }
  for (let from = 0; from <= text.length; from++) if (fits(0, from)) return true
  return false
}

const over = (letters: string[], lengths: { minLength?: number; maxLength: number }) =>
  fc.array(fc.constantFrom(...letters), lengths).map((all) => all.join(''))

describe('createNameFilter', () => {
  it('agrees with the rule on every small case', () => {
    fc.assert(
      fc.property(
        over(['a', 'B', '*', '^', '$'], { maxLength: 6 }),
        over(['A', 'b', '$'], { minLength: 1, maxLength: 6 }),
        (search, name) => {
          expect(createNameFilter(search)(name)).toBe(matchesNaively(search, name))
        },
      ),
      { numRuns: 5000 },
    )
  })

  it('looks at most once for each part of a search, however hostile', () => {
    const look = vi.spyOn(String.prototype, 'indexOf')
    const matches = createNameFilter(`^${'a*'.repeat(500)}b$`)('a'.repeat(10_000))
    const looks = look.mock.calls.length
    look.mockRestore()
    expect(matches).toBe(false)
    expect(looks).toBeLessThanOrEqual(510)
  })
})
