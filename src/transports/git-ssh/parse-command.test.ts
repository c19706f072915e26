import { describe, expect, it } from 'vitest'
import { parseCommand } from './parse-command.ts'

const fetch = { name: 'git-upload-pack', path: 'group/project' }

describe('a command', () => {
  it.each([
    ["git-upload-pack 'group/project.git'", fetch],
    ["git upload-pack 'group/project.git'", fetch],
    ["git-upload-pack '/group/project.git'", fetch],
    ["git-upload-pack '//group/project'", fetch],
    ["git-upload-pack '~/group/project.git'", fetch],
    ["git-upload-pack '/~group/project.git/'", fetch],
    ['git-upload-pack group/project.git', fetch],
    [" git-upload-pack  'group/project' ", fetch],
    ["git-receive-pack 'a/b'", { name: 'git-receive-pack', path: 'a/b' }],
    ["git-upload-archive 'a/b'", { name: 'git-upload-archive', path: 'a/b' }],
    ["git-upload-pack 'it'\\''s/so'\\!'.git'", { name: 'git-upload-pack', path: "it's/so!" }],
    ["git-upload-pack 'a b'", { name: 'git-upload-pack', path: 'a b' }],
    ["git-upload-pack '../../etc/passwd'", { name: 'git-upload-pack', path: '../../etc/passwd' }],
    ["git-upload-pack 'a%2fb'", { name: 'git-upload-pack', path: 'a%2fb' }],
    [
      'git-lfs-authenticate group/project.git download',
      { name: 'git-lfs-authenticate', path: 'group/project', operation: 'download' },
    ],
    [
      "git-lfs-authenticate 'group/project' upload",
      { name: 'git-lfs-authenticate', path: 'group/project', operation: 'upload' },
    ],
  ])('%s is taken', (line, expected) => {
    expect(parseCommand(line)).toEqual(expected)
  })

  it.each([
    '',
    'git',
    'git-upload-pack',
    'git upload-pack',
    "git-upload-pack ''",
    "git-upload-pack '/'",
    "git-upload-pack '.git'",
    "git-upload-pack 'a/b' 'c/d'",
    "git-upload-pack --upload-pack=x 'a/b'",
    "git-upload-pack '--upload-pack=x'",
    'git-upload-pack -x',
    "git-upload-pack 'a b'; id",
    "git-upload-pack 'a/b';id",
    "git-upload-pack 'a/b' && id",
    'git-upload-pack $(id)',
    'git-upload-pack `id`',
    'git-upload-pack "a/b"',
    'git-upload-pack a\\ b',
    "git-upload-pack 'a/b",
    "git-upload-pack 'a/b'\nid",
    "git-upload-pack 'a\nb'",
    "git-upload-pack 'a/b\0c'",
    `git-upload-pack '${'a'.repeat(4097)}'`,
    "upload-pack 'a/b'",
    "/usr/bin/git-upload-pack 'a/b'",
    "git upload-pack-x 'a/b'",
    "git -c core.x=y upload-pack 'a/b'",
    "git-shell -c 'git-upload-pack a/b'",
    "git-lfs-authenticate 'a/b'",
    "git-lfs-authenticate 'a/b' delete",
    "git-lfs-authenticate 'a/b' upload now",
    "git-lfs-transfer 'a/b' upload",
    'scp -t /tmp',
    'sh',
  ])('%j is refused', (line) => {
    expect(parseCommand(line)).toBeUndefined()
  })

  // The time limit of a test is what tells: each of these took minutes, or for ever.
  it.each([
    ['letters and a quote', (n: number) => `${'a'.repeat(n)}'`],
    ['quoted quotes and a quote', (n: number) => `git-upload-pack ${"\\'".repeat(n)}'`],
    ['empty quotes and a quote', (n: number) => `git-upload-pack ${"''".repeat(n)}'`],
    ['slashes in a path', (n: number) => `git-upload-pack '${'/'.repeat(n)}a'`],
    ['spaces', (n: number) => `git-upload-pack${' '.repeat(n)}x y z`],
  ])('of %s is answered at any length', (_, line) => {
    for (const length of [30, 100, 2000, 4000, 8000, 100_000]) {
      const command = parseCommand(line(length))
      expect(command === undefined || 'path' in command).toBe(true)
    }
  })

  it('may be as long as the longest path with each of its signs quoted', () => {
    const line = `git-upload-pack 'a${"'\\''".repeat(4095)}'`
    expect(parseCommand(line)).toEqual({
      name: 'git-upload-pack',
      path: `a${"'".repeat(4095)}`,
    })
    expect(parseCommand(`git-upload-pack ${' '.repeat(100_000)}'a/b'`)).toBeUndefined()
  })
})
