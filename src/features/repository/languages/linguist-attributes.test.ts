import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileLinguistPattern, parseLinguistRules } from './linguist-attributes.ts'

/** By the definition, with no thought for speed. */
function matchesNaively(pattern: string, path: string): boolean {
  const fits = (parts: string[], names: string[]): boolean => {
    const [part, ...rest] = parts
    const [name, ...others] = names
    if (part === undefined) return names.length === 0
    if (part === '**') {
      if (rest.length === 0) return names.length > 0
      return names.some((_, at) => fits(rest, names.slice(at)))
    }
    const isFit = name !== undefined && new RegExp(`^${part.replaceAll('*', '.*')}$`).test(name)
    return isFit && fits(rest, others)
  }
  const names = path.split('/')
  return fits(pattern.split('/'), pattern.includes('/') ? names : names.slice(-1))
}

describe('compileLinguistPattern', () => {
  it.each([
    ['*.js', 'a/b.js', true],
    ['a/*.js', 'a/b.js', true],
    ['a/*.js', 'a/b/c.js', false],
    ['/a.js', 'a.js', true],
    ['/a.js', 'b/a.js', false],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['**/a', 'a', true],
    ['**/a', 'x/y/a', true],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['a/**/m/**/z', 'a/m/m/z', true],
    ['a/**/m/**/z', 'a/z', false],
    ['a/', 'a/b', false],
  ])('%s covers %s: %s', (pattern, path, expected) => {
    expect(compileLinguistPattern(pattern)(path)).toBe(expected)
  })

  it('agrees with the definition', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '**')
    const pattern = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .filter((parts) => parts.length > 1 || parts[0] !== '**')
      .map((parts) => parts.join('/'))
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join('/'))
    fc.assert(
      fc.property(pattern, path, (one, other) => {
        expect(compileLinguistPattern(one)(other)).toBe(matchesNaively(one, other))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('parseLinguistRules', () => {
  it('reads what is about languages and nothing else', () => {
    const text = [
      '# linguist-vendored',
      '*.a text eol=lf',
      '[attr]macro linguist-vendored',
      '"quoted" linguist-vendored',
      'a[bc] linguist-vendored',
      '*.b -linguist-vendored linguist-language=C++ linguist-unknown',
      '',
    ].join('\n')
    expect(parseLinguistRules(text)).toEqual([
      { matches: expect.any(Function), overrides: { vendored: false, language: 'c++' } },
    ])
  })

  it('is not upset by any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, path) => {
        for (const { matches } of parseLinguistRules(`${text} linguist-vendored`)) matches(path)
      }),
    )
  })
})
