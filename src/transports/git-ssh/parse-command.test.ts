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
})
