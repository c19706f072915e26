import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newBareRepository, openBareRepositories } from '../../test/kit/bare-repository.ts'
import { readOnlyText } from '../kernel/errors.ts'
import { areRefsFrozen, freezeRefs, unfreezeRefs } from './freeze-refs.ts'
import { type RefName, zeroOid } from './names.ts'
import { retryAfterRemovingStaleLocks, setEarliestServerStart } from './stale-locks.ts'
import { confirmAlways, updateRefs } from './update-refs.ts'

let bare: Awaited<ReturnType<typeof openBareRepositories>>
beforeAll(async () => {
  bare = await openBareRepositories()
})

async function begin() {
  const { repository, run, commits } = await newBareRepository(bare)
  const [newOid] = commits
  const makeBranch = (name: string) =>
    updateRefs(bare.git.git, repository, {
      updates: [{ name: `refs/heads/${name}` as RefName, oldOid: zeroOid, newOid }],
      areObjectsKnown: true,
      confirm: confirmAlways,
    })
  const lockOf = (name: string): string => {
    const lock = join(repository.path, name)
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, '')
    return lock
  }
  return { repository, run, makeBranch, lockOf }
}

const locks = ['HEAD.lock', 'packed-refs.lock', 'refs/heads/deep/topic.lock']

describe('A fence', () => {
  it('keeps references as they are until it is lowered', async () => {
    const { repository, makeBranch } = await begin()
    expect(areRefsFrozen(repository)).toBe(false)
    await unfreezeRefs(repository)
    await makeBranch('before')
    await freezeRefs(repository)
    await freezeRefs(repository)
    expect(areRefsFrozen(repository)).toBe(true)
    await expect(makeBranch('meanwhile')).rejects.toMatchObject({ detail: readOnlyText })
    await unfreezeRefs(repository)
    expect(areRefsFrozen(repository)).toBe(false)
    await makeBranch('after')
  })

  it.each(locks)('is raised once %s is released', async (name) => {
    const { repository, run, lockOf } = await begin()
    const lock = lockOf(name)
    let isRaised = false
    const raising = freezeRefs(repository).then(() => {
      isRaised = true
    })
    await expect.poll(() => areRefsFrozen(repository)).toBe(true)
    // Longer than a fence needs that waits for nothing.
    for (let round = 0; round < 5; round++) await run(['for-each-ref'])
    expect(isRaised).toBe(false)
    rmSync(lock)
    await raising
  })

  it.each(locks)('does not wait for %s of a process that is dead', async (name) => {
    const { repository, lockOf } = await begin()
    const then_s = Date.now() / 1000 - 24 * 60 * 60
    utimesSync(lockOf(name), then_s, then_s)
    await freezeRefs(repository)
    expect(areRefsFrozen(repository)).toBe(true)
  })

  it('waits no longer for a lock that no change holds than a push does', async () => {
    const { repository, lockOf } = await begin()
    setEarliestServerStart(Date.now() - 60 * 60_000)
    onTestFinished(() => setEarliestServerStart(Date.now() - performance.now()))
    const lock = lockOf('refs/heads/left.lock')
    await freezeRefs(repository)
    expect([areRefsFrozen(repository), existsSync(lock)]).toEqual([true, false])
  })

  it('waits for a change of this process, however long that takes', async () => {
    const { repository, lockOf } = await begin()
    setEarliestServerStart(Date.now() - 60 * 60_000)
    onTestFinished(() => setEarliestServerStart(Date.now() - performance.now()))
    const lock = lockOf('refs/heads/held.lock')
    const isDone = Promise.withResolvers<void>()
    const change = retryAfterRemovingStaleLocks(
      repository,
      ['refs/heads/held' as RefName],
      () => isDone.promise,
    )
    let isRaised = false
    const raising = freezeRefs(repository).then(() => {
      isRaised = true
    })
    // Longer than what nobody holds is waited for.
    await setTimeout(17_000)
    expect([isRaised, existsSync(lock)]).toEqual([false, true])
    rmSync(lock)
    isDone.resolve()
    await Promise.all([change, raising])
  })
})
