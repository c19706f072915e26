import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newFolder, runRealGit } from '../../test/kit/git.ts'
import { closeGitAccess, type GitAccess, openGitAccess } from './git.ts'
import { mergeCommits } from './merge.ts'
import type { Oid } from './names.ts'
import type { Commit } from './objects.ts'
import { replayCommits } from './replay.ts'

let git: GitAccess
beforeAll(async () => {
  const cache = join(newFolder(), 'cache')
  const searchPath = process.env.PATH ?? ''
  git = await openGitAccess({ searchPath, cache, memory_bytes_max: 2 ** 28, now_ms: () => 0 })
})
afterAll(() => closeGitAccess(git))

/** A working copy, the repository of which is looked at from outside. */
function newCopy() {
  const cwd = newFolder()
  const repository = { path: join(cwd, '.git') }
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runRealGit(args, { cwd })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stdout}${stderr}`)
    return stdout.trim() as Oid
  }
  const commit = async (files: Record<string, string>, message: string = randomUUID()) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(cwd, name, '..'), { recursive: true })
      writeFileSync(join(cwd, name), text)
    }
    await run('add', '-A')
    await run('commit', '--quiet', '--allow-empty', '-m', message)
    return run('rev-parse', 'HEAD')
  }
  return { cwd, repository, run, commit }
}

/** `main` and `topic`, each with something of its own since they parted. */
async function twoBranches(onMain: Record<string, string>, onTopic: Record<string, string>[]) {
  const copy = newCopy()
  await copy.run('init', '--quiet')
  await copy.commit({ shared: 'one\ntwo\nthree\n', other: 'o\n' })
  await copy.run('checkout', '--quiet', '-b', 'topic')
  for (const files of onTopic) await copy.commit(files)
  const theirs = await copy.run('rev-parse', 'HEAD')
  await copy.run('checkout', '--quiet', 'main')
  const ours = await copy.commit(onMain)
  return { ...copy, ours, theirs }
}

const commitsOf = async (copy: Awaited<ReturnType<typeof twoBranches>>): Promise<Commit[]> => {
  const list = await copy.run('rev-list', '--reverse', '--topo-order', 'main..topic')
  return git.objects.commits(copy.repository, list.split('\n') as Oid[])
}

const committer = { name: 'The Committer', email: 'committer@bloomery.test' }
const replay = async (copy: Awaited<ReturnType<typeof twoBranches>>) => {
  const onto = await git.objects.commit(copy.repository, copy.ours)
  if (!onto) throw new Error('The commit cannot be read.')
  const commits = await commitsOf(copy)
  const date = new Date('2026-01-01T00:00:00Z')
  return replayCommits(git, copy.repository, { commits, onto, committer, date })
}

describe('mergeCommits', () => {
  it('gives the tree that git merge gives, and stores nothing in a trial', async () => {
    const copy = await twoBranches({ shared: 'ONE\ntwo\nthree\n' }, [
      { 'new/file': 'n\n' },
      { shared: 'one\ntwo\nTHREE\n' },
    ])
    const { repository, ours, theirs, run } = copy
    const before = await run('count-objects')
    const trial = await mergeCommits(git.git, repository, { ours, theirs }, { isTrial: true })
    expect(await run('count-objects')).toBe(before)
    await run('merge', '--quiet', '--no-ff', '-m', 'merged', 'topic')
    expect(trial).toEqual({ tree: await run('rev-parse', 'HEAD^{tree}') })
    const stored = await mergeCommits(git.git, repository, { ours, theirs }, { isTrial: false })
    expect(stored).toEqual(trial)
  })

  it('names the paths that conflict', async () => {
    const copy = await twoBranches({ shared: 'main\n', other: 'm\n' }, [
      { shared: 'topic\n', other: 't\n' },
    ])
    const { repository, ours, theirs } = copy
    const merged = await mergeCommits(git.git, repository, { ours, theirs }, { isTrial: true })
    expect(merged).toEqual({ conflicts: ['other', 'shared'] })
  })

  it('takes one process', async () => {
    const { repository, ours, theirs } = await twoBranches({ a: 'a' }, [{ b: 'b' }])
    const before = git.git.spawner.spawned
    await mergeCommits(git.git, repository, { ours, theirs }, { isTrial: true })
    expect(git.git.spawner.spawned - before).toBe(1)
  })
})

describe('replayCommits', () => {
  it('makes the very commits that git rebase makes', async () => {
    const copy = await twoBranches({ shared: 'ONE\ntwo\nthree\n' }, [
      { 'new/file': 'n\n' },
      { shared: 'one\ntwo\nTHREE\n' },
      {},
    ])
    const replayed = await replay(copy)
    await copy.run('checkout', '--quiet', 'topic')
    await copy.run('rebase', '--quiet', 'main')
    expect(replayed).toEqual({ tip: await copy.run('rev-parse', 'HEAD') })
  })

  it('leaves out what is there already', async () => {
    const copy = await twoBranches({ same: 's\n' }, [{ same: 's\n' }, { own: 'o\n' }])
    const replayed = await replay(copy)
    await copy.run('checkout', '--quiet', 'topic')
    await copy.run('rebase', '--quiet', 'main')
    expect(replayed).toEqual({ tip: await copy.run('rev-parse', 'HEAD') })
  })

  it('names the first commit that conflicts', async () => {
    const copy = await twoBranches({ shared: 'main\n' }, [{ own: 'o\n' }, { shared: 'topic\n' }])
    expect(await replay(copy)).toEqual({ conflict: copy.theirs })
  })

  it('leaves commits as they are that stand there already', async () => {
    const copy = await twoBranches({ a: 'a\n' }, [{ b: 'b\n' }])
    await copy.run('checkout', '--quiet', 'topic')
    await copy.run('rebase', '--quiet', 'main')
    const tip = await copy.run('rev-parse', 'HEAD')
    await copy.run('checkout', '--quiet', 'main')
    expect(await replay({ ...copy, theirs: tip })).toEqual({ tip })
  })
})
