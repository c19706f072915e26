import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import { ApiError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { runAsWork } from '../kernel/work-attribution.ts'
import { projectRepository } from '../subjects/project.ts'
import { type Git, type GitProcess, runGit, spawnGit } from './command.ts'
import { classifyGitCommand } from './git-limiter.ts'
import type { Repository } from './repository.ts'

let world: World
let git: Git
let repository: Repository
beforeAll(async () => {
  world = await newWorld()
  git = world.app.git.git
  const project = await world.newProject({ files: { a: 'a' } })
  repository = projectRepository(world.app.config, project)
})

const { read } = limits.git_turns
/** A program that runs until its stdin ends. */
const hold = (holder: string) =>
  runAsWork({ holder, name: 'a test' }, () =>
    spawnGit(git, repository, { args: ['cat-file', '--batch-check'] }),
  )
const look = (holder: string) =>
  runAsWork({ holder, name: 'a test' }, () =>
    runGit(git, repository, { args: ['rev-parse', 'main'] }),
  )

async function release(held: readonly GitProcess[]): Promise<void> {
  for (const { io } of held) io.end()
  for (const { io } of held) io.resume()
  await Promise.all(held.map(({ exit }) => exit))
  await expect.poll(() => git.turns.running('read'), { timeout: 10_000 }).toBe(0)
}

describe('programs of git', () => {
  it('of one holder wait for each other, and not for those of another', async () => {
    const mine = Array.from({ length: read.running_of_one_max }, () => hold('user:1'))
    const held = await Promise.all(mine)
    let hasRun = false
    const waiting = look('user:1').then(() => {
      hasRun = true
    })
    await look('user:2')
    expect([hasRun, git.turns.running('read')]).toEqual([false, read.running_of_one_max])
    await release(held)
    await waiting
  })

  it('are refused where too many wait already, with when to come back', async () => {
    const held = await Promise.all(
      Array.from({ length: read.running_of_one_max }, () => hold('user:1')),
    )
    const waiting = Array.from({ length: read.waiting_of_one_max }, () => look('user:1'))
    const refusal = await look('user:1').catch((error) => error)
    expect(refusal).toBeInstanceOf(ApiError)
    expect([refusal.status, refusal.headers]).toEqual([429, { 'retry-after': '5' }])
    await release(held)
    await Promise.all(waiting)
  })

  it('that are steps of what has its turn need no other', async () => {
    const held = await Promise.all(
      Array.from({ length: read.running_of_one_max }, () => hold('user:1')),
    )
    const pushed = runAsWork({ holder: 'user:1', name: 'a test' }, () =>
      git.turns.hold('push', () => runGit(git, repository, { args: ['rev-parse', 'main'] })),
    )
    await pushed
    await release(held)
    expect(git.turns.running('push')).toBe(0)
  })

  it('give their turn back however they end', async () => {
    const failing = { args: ['rev-parse', '--verify', 'no-such-thing'] }
    await expect(runGit(git, repository, failing)).rejects.toThrow()
    const killed = await hold('user:1')
    killed.kill()
    await killed.exit.catch(() => {})
    const left = new AbortController()
    left.abort(new Error('left'))
    const called = spawnGit(git, repository, { args: ['log'], signal: left.signal })
    await expect(called).rejects.toThrow('left')
    await expect.poll(() => git.turns.running('read'), { timeout: 10_000 }).toBe(0)
  })

  it.each([
    [['cat-file', '--batch-command', '-z'], 'kept'],
    [['cat-file', 'blob', 'x'], 'fetch'],
    [['cat-file', '--batch'], 'read'],
    [['upload-archive', 'x'], 'archive'],
    [['archive', '--format=tar'], 'archive'],
    [['constructor'], 'read'],
  ] as const)('as %j count as %s', (args, kind) => {
    expect(classifyGitCommand([...args])).toBe(kind)
  })
})
