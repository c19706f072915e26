// Bare repositories without a server, for tests of what reads and writes their files.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runGit } from '../../src/git/command.ts'
import { closeGitAccess, type GitAccess, openGitAccess } from '../../src/git/git.ts'
import { emptyTreeOid, type Oid } from '../../src/git/names.ts'
import { atFileEnd } from './file-end.ts'

/** Opens git on a folder of its own, which is removed at the end of the file. */
export async function openBareRepositories(): Promise<{ git: GitAccess; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-bare-'))
  const git = await openGitAccess({
    searchPath: process.env.PATH ?? '',
    cache: join(folder, 'cache'),
    memory_bytes_max: 2 ** 28,
    now_ms: () => 0,
  })
  atFileEnd(async () => {
    await closeGitAccess(git)
    rmSync(folder, { recursive: true })
  })
  return { git, folder }
}

const identity = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'A'],
    [`GIT_${role}_EMAIL`, 'a@x.test'],
    [`GIT_${role}_DATE`, '2026-01-01T00:00:00Z'],
  ]),
)
let made = 0

/** Makes a repository with two commits that nothing names, the same in each, and what runs git in it. */
export async function newBareRepository({ git, folder }: { git: GitAccess; folder: string }) {
  const repository = { path: join(folder, `${++made}.git`) }
  await runGit(git.git, undefined, { args: ['init', '--bare', '--quiet', repository.path] })
  const run = async (args: string[], stdin = '') =>
    (await runGit(git.git, repository, { args, stdin, env: identity })).toString().trim()
  await run(['mktree'])
  const newCommit = async (text: string) =>
    (await run(['commit-tree', emptyTreeOid, '-m', text])) as Oid
  const commits = [await newCommit('one'), await newCommit('two')] as const
  /** Names and objects of the references below a prefix, as git lists them. */
  const listed = async (prefix = 'refs/') => {
    const printed = await run(['for-each-ref', '--format=%(objectname) %(refname)', prefix])
    return printed === '' ? [] : printed.split('\n')
  }
  return { repository, run, commits, listed }
}
