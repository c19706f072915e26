import { describe, expect, it } from 'vitest'
import { splitPathForPattern } from '../../../git/path-pattern.ts'
import { parseCodeOwners } from './parse-code-owners.ts'

const matches = (pattern: string, path: string) =>
  parseCodeOwners(`${pattern} @ada`)[0]?.entries[0]?.matches({
    text: path,
    parts: splitPathForPattern(path) ?? [],
  })

describe('a pattern', () => {
  it.each([
    ['*', 'a', true],
    ['*', 'a/b/.c', true],
    ['*.rb', 'a/b.rb', true],
    ['*.rb', 'a/b.rbx', false],
    ['README.md', 'docs/README.md', true],
    ['/README.md', 'README.md', true],
    ['/README.md', 'docs/README.md', false],
    ['docs/', 'docs/a/b.md', true],
    ['docs/', 'x/docs/b.md', true],
    ['/docs/', 'x/docs/b.md', false],
    ['docs/', 'docs', false],
    ['/docs/*', 'docs/a.md', true],
    ['/docs/*', 'docs/a/b.md', false],
    ['/docs/**', 'docs/a/b.md', true],
    ['/docs/**/*.md', 'docs/b.md', true],
    ['/docs/**/*.md', 'docs/a/b/c.md', true],
    ['/docs/**/*.md', 'docs/a/b/c.txt', false],
    ['docs/*.md', 'x/docs/a.md', true],
    ['/[ab]?.c', 'ax.c', true],
    ['/[ab]?.c', 'cx.c', false],
    ['\\#file', '#file', true],
    ['a\\ b.md', 'x/a b.md', true],
    ['/', 'a', true],
    [`/${'a'.repeat(5000)}`, 'a'.repeat(5000), false],
  ])('%s stands for %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected)
  })
})

describe('the file', () => {
  const shown = (text: string) =>
    parseCodeOwners(text).map(({ entries, exclusions, ...section }) => ({
      ...section,
      entries: entries.map(({ pattern, owners }) => [pattern, owners]),
      exclusions: exclusions.map(({ pattern }) => pattern),
    }))
  const names = (...given: string[]) => ({ names: given, emails: [], levels: [] })

  it('has comments, users, groups, addresses and roles', () => {
    const text =
      '# all\n\n* @Ada @group/sub-group ada@example.com @@maintainers @@Owner plain\n\r\n/a\t@b\r\n/nobody\n'
    expect(shown(text)).toEqual([
      {
        name: 'codeowners',
        isOptional: false,
        approvals_required: 1,
        entries: [
          [
            '*',
            { names: ['ada', 'group/sub-group'], emails: ['ada@example.com'], levels: [40, 50] },
          ],
          ['/a', names('b')],
          ['/nobody', names()],
        ],
        exclusions: [],
      },
    ])
  })

  it('has sections, which may be optional, ask for more approvals and name owners of their lines', () => {
    const text = [
      '[Docs][2] @docs',
      '*.md',
      '*.txt @ada',
      '^[Style] @style',
      '*.css',
      '!vendor/',
      '^[DOCS]',
      '*.rst @bob',
      '[ab]*.c @c',
      '[Open',
    ].join('\n')
    expect(shown(text)).toEqual([
      {
        ...{ name: 'Docs', isOptional: false, approvals_required: 2, exclusions: [] },
        entries: [
          ['*.md', names('docs')],
          ['*.txt', names('ada')],
          ['*.rst', names('bob')],
          ['[ab]*.c', names('c')],
          ['[Open', names()],
        ],
      },
      {
        ...{ name: 'Style', isOptional: true, approvals_required: 1, exclusions: ['vendor/'] },
        entries: [['*.css', names('style')]],
      },
    ])
    expect(shown('[A][0]\n[B][999]').map((one) => one.approvals_required)).toEqual([1, 100])
  })
})
