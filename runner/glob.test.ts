import { describe, expect, it } from 'vitest'
import { globMatchesPath, globPartMatchesName, parseGlobPatterns } from './glob.ts'

const means = (pattern: string, path: string) =>
  (parseGlobPatterns(pattern) ?? []).some((one) => globMatchesPath(one, path.split('/')))

describe('a pattern', () => {
  it.each([
    ['out', 'out', true],
    ['out/', 'out', true],
    ['./out', 'out', true],
    ['out', 'out/a', false],
    ['*.txt', 'a.txt', true],
    ['*.txt', '.txt', true],
    ['*.txt', 'd/a.txt', false],
    ['d/*.txt', 'd/a.txt', true],
    ['**/*.txt', 'a.txt', true],
    ['**/*.txt', 'd/e/a.txt', true],
    ['**', 'd/e', true],
    ['d/**', 'd', true],
    ['d/**', 'd/e/f', true],
    ['d/**', 'e/f', false],
    ['d/**/f', 'd/f', true],
    ['d/**/f', 'd/a/b/f', true],
    ['d/**/f', 'd/a/b/g', false],
    ['**/a/**/b', 'a/a/x/b', true],
    ['**/a/**/b', 'x/a', false],
    ['**/**/**/a', 'x/a', true],
    ['a?c', 'abc', true],
    ['a?c', 'aüc', true],
    ['a?c', 'ac', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]x', '[]x', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['{a,b}/c', 'b/c', true],
    ['{a,b/{c,d}}', 'b/d', true],
    ['{a,b', '{a,b', true],
    ['*.{js,map}', 'x.map', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
  ])('%s, held against %s: %s', (pattern, path, result) => {
    expect(means(pattern, path)).toBe(result)
  })

  it.each(['/etc/passwd', '../x', 'a/../../x', '{a,../x}', '..'])('refuses %s', (pattern) => {
    expect(parseGlobPatterns(pattern)).toBeUndefined()
  })

  it('takes no more than its length times that of the name, whatever it is', () => {
    expect(globPartMatchesName(`${'a*'.repeat(500)}b`, 'a'.repeat(2000))).toBe(false)
    expect(globMatchesPath(Array(400).fill(['**', 'a']).flat(), Array(400).fill('b'))).toBe(false)
    expect(parseGlobPatterns('{a,b}'.repeat(40))?.length).toBeLessThan(1000)
  })
})
