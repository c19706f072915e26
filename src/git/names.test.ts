import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { asRefName, branchRef, checkTreePath, isDotGit, tagRef } from './names.ts'
import { newObject, newTree } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'bloomery-names-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const env = { PATH: process.env.PATH ?? '', GIT_DIR: folder, LC_ALL: 'C.UTF-8' }

function git(args: string[], input: string | Buffer = ''): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('git', args, { env, input, cwd: folder })
  return { status, text: `${stdout}${stderr}` }
}
git(['init', '--quiet', '--bare', folder])

const pieces = fc.constantFrom(
  ...['a', 'B', '/', '//', '.', '..', '.lock', 'lock', '@', '@{', '{', '}', '-', '~', '^', ':'],
  ...[
    '?',
    '*',
    '[',
    ']',
    '\\',
    ' ',
    '\t',
    '\n',
    '\x7f',
    '\x01',
    'ä',
    '日',
    '"',
    "'",
    '$',
    ';',
    'HEAD',
  ],
)
const names = fc
  .tuple(
    fc.constantFrom('', 'x/', 'a/b'),
    fc.array(pieces, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '', 'z'),
  )
  .map(([start, parts, end]) => start + parts.join('') + end)

/** Whether git would have each name. */
function gitAccepts(refs: readonly string[]): boolean[] {
  // It takes one name a run; a loop in a shell is one process to start from here.
  const script =
    'while IFS= read -r -d "" name; do git check-ref-format "$name" && printf 0 || printf 1; done'
  const { stdout } = spawnSync('bash', ['-c', script], { env, input: `${refs.join('\0')}\0` })
  return [...stdout.toString()].map((digit) => digit === '0')
}

describe('reference names', () => {
  it('have no part that is too long for a file', () => {
    expect(branchRef('a'.repeat(250))).toBeDefined()
    expect(branchRef('a'.repeat(251))).toBeUndefined()
    expect(tagRef(`v/${'ä'.repeat(126)}`)).toBeUndefined()
    expect(asRefName(`refs/heads/${'a'.repeat(200)}/${'b'.repeat(200)}`)).toBeDefined()
  })

  it('are those that git check-ref-format accepts', () => {
    const sample = [...new Set(fc.sample(names, { numRuns: 600, seed: 7 }))]
    // As git-receive-pack: what follows `refs/` must have two levels by itself.
    const verdicts = gitAccepts(sample.map((name) => `refs/${name}`)).map(
      (isAccepted, index) => isAccepted && (sample[index] ?? '').includes('/'),
    )
    const ours = sample.map((name) => asRefName(`refs/${name}`) !== undefined)
    const differ = sample.filter((_, index) => verdicts[index] !== ours[index])
    expect(differ).toEqual([])
    expect(ours.filter(Boolean).length).toBeGreaterThan(20)
  })

  it('of branches and tags are a part of those', () => {
    const sample = [...new Set(fc.sample(names, { numRuns: 300, seed: 8 }))]
    for (const [prefix, make] of [
      ['refs/heads/', branchRef],
      ['refs/tags/', tagRef],
    ] as const) {
      const taken = sample.filter((name) => make(name) !== undefined)
      expect(taken.length).toBeGreaterThan(10)
      expect(gitAccepts(taken.map((name) => prefix + name))).toEqual(taken.map(() => true))
      expect(taken.filter((name) => name.startsWith('-'))).toEqual([])
    }
  })
})

describe('tree paths', () => {
  const parts = fc.constantFrom(
    ...['.git', '.GIT', '.gIt', 'git~1', 'GIT~1', 'git~2', '.', '..', '...', 'a', ' ', ':', '\\'],
    ...[
      '\u200c',
      '\u200f',
      '\u202e',
      '\u206a',
      '\ufeff',
      '\u00ad',
      '::$INDEX_ALLOCATION',
      'x',
      '.gitx',
    ],
  )
  const entries = fc.array(parts, { minLength: 1, maxLength: 4 }).map((found) => found.join(''))

  it('hold no name that git fsck warns of', () => {
    const sample = [...new Set(fc.sample(entries, { numRuns: 800, seed: 9 }))]
    const blob = newObject('blob', Buffer.alloc(0))
    git(['hash-object', '-w', '--stdin'])
    const trees = new Map<string, string>()
    for (const name of sample) {
      const tree = newTree([{ mode: '100644', name: Buffer.from(name), oid: blob.oid }])
      trees.set(tree.oid, name)
    }
    // Written all at once as a pack would be: one process for all trees.
    const lines = sample.map((name) => `100644 blob ${blob.oid}\t${name}\0\0`)
    const made = git(['mktree', '-z', '--batch'], lines.join('').replaceAll('\0\0', '\0\0'))
    expect(made.status).toBe(0)
    const { text } = git(['fsck', '--full', '--no-dangling'])
    const warned = [...text.matchAll(/in tree ([0-9a-f]{40}): (hasDotgit|hasDot|hasDotdot)/g)]
    const bad = new Set(warned.map((match) => trees.get(match[1] ?? '')))
    expect(bad.size).toBeGreaterThan(20)
    const refused = new Set(sample.filter((name) => 'problem' in checkTreePath(name)))
    expect([...bad].filter((name) => name !== undefined && !refused.has(name))).toEqual([])
    // And not much more than those.
    const harmless = [
      '.gitx',
      '.gitignore',
      'git',
      'git~2',
      'a.git',
      '...',
      ' ',
      'x\\y',
      'gi\u200ct~1x',
    ]
    expect(harmless.filter((name) => 'problem' in checkTreePath(name))).toEqual([])
  })

  it('are as they were given, but for leading slashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        const checked = checkTreePath(text)
        if ('problem' in checked) return
        expect(text.endsWith(checked.path)).toBe(true)
        for (const part of checked.path.split('/')) {
          expect(['', '.', '..'].includes(part) || isDotGit(part) || part.includes('\0')).toBe(
            false,
          )
        }
      }),
    )
  })
})
