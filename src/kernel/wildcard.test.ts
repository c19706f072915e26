import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { matchesWildcard } from './wildcard.ts'

/** By the definition, with no thought for speed. */
function matchesNaively(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] !== '*')
    return pattern[0] === text[0] && matchesNaively(pattern.slice(1), text.slice(1))
  for (let taken = 0; taken <= text.length; taken++) {
    if (matchesNaively(pattern.slice(1), text.slice(taken))) return true
  }
  return false
}

const over = (letters: string[], maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map((all) => all.join(''))

describe('matchesWildcard', () => {
  it('agrees with the definition on every small case', () => {
    fc.assert(
      fc.property(over(['a', 'b', '*', '/'], 7), over(['a', 'b', '/'], 8), (pattern, text) => {
        expect(matchesWildcard(pattern, text)).toBe(matchesNaively(pattern, text))
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['*', '', true],
    ['*', 'a/b', true],
    ['release/*', 'release', false],
    ['release/*', 'release/', true],
    ['release/*', 'release/1/2', true],
    ['*-stable', '1-0-stable', true],
    ['a*a', 'a', false],
    ['a**a', 'aa', true],
    ['A*', 'a', false],
    ['a?', 'ab', false],
    ['[ab]', 'a', false],
    ['', '', true],
    ['', 'a', false],
  ])('%s covers %s: %s', (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected)
  })

  it('looks at most once for each part of a pattern, however hostile', () => {
    const look = vi.spyOn(String.prototype, 'indexOf')
    const pattern = `${'*a'.repeat(500)}*b`
    const text = 'a'.repeat(10_000)
    const matches = matchesWildcard(pattern, text)
    const inner = matchesWildcard(`${pattern}*`, text)
    const looks = look.mock.calls.length
    look.mockRestore()
    expect([matches, inner]).toEqual([false, false])
    expect(looks).toBeLessThanOrEqual(2 * 502)
  })
})
