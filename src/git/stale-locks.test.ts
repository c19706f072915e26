import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import { type Project, projectRepository } from '../subjects/project.ts'
import { runGit } from './command.ts'
import { GitError } from './errors.ts'
import { maintainRepository } from './maintenance.ts'
import { branchRef, type Oid, type RefName, zeroOid } from './names.ts'
import { readHeadBranch, readRef } from './refs.ts'
import { maintenanceLockedFiles, setEarliestServerStart, setHeldLockLookup } from './stale-locks.ts'
import { confirmAlways, setHead, updateRefs } from './update-refs.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const hour_s = 3600
const main = 'refs/heads/main' as RefName

async function begin(): Promise<{ project: Project; path: string; tip: Oid }> {
  const project = await world.newProject({ files: { a: 'a' } })
  const { path } = projectRepository(world.app.config, project)
  const tip = readRef({ path }, main)
  if (!tip) throw new Error('The fixture has no branch.')
  return { project, path, tip }
}

/** A lock file as a killed git leaves it, `age_s` seconds ago. */
function leaveLock(path: string, name: string, age_s: number): string {
  const lock = join(path, name)
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(lock, '')
  age(lock, age_s)
  return lock
}

function age(path: string, age_s: number): void {
  const then_s = Date.now() / 1000 - age_s
  utimesSync(path, then_s, then_s)
}

describe('a lock left by a process that is dead', () => {
  it.each(['refs/heads/new.lock', 'packed-refs.lock', 'refs/heads/new/below.lock'])(
    '%s does not keep a reference from changing',
    async (name) => {
      const { path, tip } = await begin()
      const lock = leaveLock(path, name, hour_s)
      const ref = branchRef('new') as RefName
      await updateRefs(
        world.app.git.git,
        { path },
        { updates: [{ name: ref, oldOid: zeroOid, newOid: tip }], confirm: confirmAlways },
      )
      await updateRefs(
        world.app.git.git,
        { path },
        { updates: [{ name: ref, oldOid: tip, newOid: zeroOid }], confirm: confirmAlways },
      )
      expect(readRef({ path }, ref)).toBeUndefined()
      expect(existsSync(lock)).toBe(false)
    },
  )

  it('HEAD.lock keeps neither its branch nor HEAD itself from changing', async () => {
    const { project, path } = await begin()
    leaveLock(path, 'HEAD.lock', hour_s)
    const next = await world.commit(project, { b: 'b' })
    expect(readRef({ path }, main)).toBe(next)
    leaveLock(path, 'HEAD.lock', hour_s)
    await setHead({ path }, 'refs/heads/other' as RefName)
    expect(readHeadBranch({ path })).toBe('refs/heads/other')
  })

  it('many at once do not keep a push of as many references from landing', async () => {
    const { path, tip } = await begin()
    const names = Array.from({ length: 20 }, (_, index) => branchRef(`b${index}`) as RefName)
    for (const name of names) leaveLock(path, `${name}.lock`, hour_s)
    const updates = names.map((name) => ({ name, oldOid: zeroOid, newOid: tip }))
    await updateRefs(world.app.git.git, { path }, { updates, confirm: confirmAlways })
    expect(names.map((name) => readRef({ path }, name))).toEqual(names.map(() => tip))
  })
})

describe('maintenance', () => {
  it('goes on past the locks of one that was killed', async () => {
    const { project, path } = await begin()
    const { git } = world.app.git
    // Enough packs that they are joined, and a commit-graph to add to.
    for (let index = 0; index < 6; index++) {
      await world.commit(project, { [`f${index}`]: 'x' })
      await runGit(git, { path }, { args: ['repack', '-q', '-d', '--no-write-bitmap-index'] })
    }
    const locks = [...maintenanceLockedFiles, 'packed-refs'].map((name) =>
      leaveLock(path, `${name}.lock`, hour_s),
    )
    await maintainRepository(git, { path })
    const names = readdirSync(join(path, 'objects'), { recursive: true }).map(String)
    expect(names).toContain('pack/multi-pack-index')
    expect(names).toContain('info/commit-graphs/commit-graph-chain')
    expect(locks.filter((lock) => existsSync(lock) && lock.includes('chain'))).toEqual([])
  })
})

const isLocked = (error: unknown) => error instanceof GitError && error.kind === 'locked'

/** Makes the branch `new`, once `confirm` has nothing against it. */
function createNew(path: string, tip: Oid, confirm = confirmAlways): Promise<void> {
  const update = { name: 'refs/heads/new' as RefName, oldOid: zeroOid, newOid: tip }
  return updateRefs(world.app.git.git, { path }, { updates: [update], confirm })
}

describe('a lock that was made since the server started', () => {
  beforeEach(() => setEarliestServerStart(Date.now() - hour_s * 1000))
  afterEach(() => setEarliestServerStart(Date.now() - performance.now()))

  it('is respected while a change of this process holds it, however old it is', async () => {
    const { path, tip } = await begin()
    const isLockHeld = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const first = createNew(path, tip, async () => {
      isLockHeld.resolve()
      await mayGoOn.promise
    })
    await isLockHeld.promise
    const lock = join(path, 'refs/heads/new.lock')
    age(lock, 60)
    await expect(createNew(path, tip)).rejects.toSatisfy(isLocked)
    expect(existsSync(lock)).toBe(true)
    mayGoOn.resolve()
    await first
    expect(readRef({ path }, 'refs/heads/new' as RefName)).toBe(tip)
  })

  it('is respected while another process may hold it', async () => {
    const { path, tip } = await begin()
    onTestFinished(() => setHeldLockLookup())
    const asked: string[][] = []
    setHeldLockLookup(async (_repository, locks) => {
      asked.push([...locks])
      return locks
    })
    const lock = leaveLock(path, 'refs/heads/new.lock', 60)
    await expect(createNew(path, tip)).rejects.toSatisfy(isLocked)
    expect([asked, existsSync(lock)]).toEqual([[[lock]], true])
  })

  it('of many references is asked for once, before the wait and after it', async () => {
    const { path, tip } = await begin()
    onTestFinished(() => setHeldLockLookup())
    const asked: number[] = []
    setHeldLockLookup(async (_repository, locks) => {
      asked.push(locks.length)
      return []
    })
    const names = Array.from({ length: 300 }, (_, index) => branchRef(`b${index}`) as RefName)
    for (const name of names) leaveLock(path, `${name}.lock`, 60)
    const updates = names.map((name) => ({ name, oldOid: zeroOid, newOid: tip }))
    await updateRefs(world.app.git.git, { path }, { updates, confirm: confirmAlways })
    expect(asked).toEqual([300, 300])
    expect(names.map((name) => readRef({ path }, name))).toEqual(names.map(() => tip))
  })

  it('that no change holds is removed when it is 10 s old', async () => {
    const { path, tip } = await begin()
    const lock = leaveLock(path, 'refs/heads/new.lock', 9)
    const change = createNew(path, tip)
    await setTimeout(500)
    expect(existsSync(lock)).toBe(true)
    await change
    expect(readRef({ path }, 'refs/heads/new' as RefName)).toBe(tip)
    expect(existsSync(lock)).toBe(false)
  })

  it('that is made anew meanwhile is left', async () => {
    const { path, tip } = await begin()
    leaveLock(path, 'refs/heads/new.lock', 5)
    const change = createNew(path, tip)
    // Git itself waits for the lock for a second.
    await setTimeout(2_500)
    const lock = leaveLock(path, 'refs/heads/new.lock', 0)
    await expect(change).rejects.toSatisfy(isLocked)
    expect(existsSync(lock)).toBe(true)
  })
})
