import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newBareRepository, openBareRepositories } from '../../test/kit/bare-repository.ts'
import { randomBelow } from '../../test/kit/random.ts'
import { GitError } from './errors.ts'
import type { GitAccess } from './git.ts'
import { type Oid, type RefName, zeroOid } from './names.ts'
import { listRefs, readRef } from './refs.ts'
import { setHeldLockLookup } from './stale-locks.ts'
import { confirmAlways, updateRefs } from './update-refs.ts'

let bare: Awaited<ReturnType<typeof openBareRepositories>>
beforeAll(async () => {
  bare = await openBareRepositories()
})

/** A repository with two commits and a blob that nothing names. */
async function newRepository() {
  const { repository, run, commits, listed } = await newBareRepository(bare)
  const { git } = bare
  const [one, two] = commits
  const blob = (await run(['hash-object', '-w', '--stdin'], 'text')) as Oid
  const move = (
    name: string,
    oldOid: Oid,
    newOid: Oid,
    { confirm = confirmAlways, areObjectsKnown = true } = {},
  ) =>
    updateRefs(git.git, repository, {
      updates: [{ name: name as RefName, oldOid, newOid }],
      areObjectsKnown,
      confirm,
    })
  const ours = async () => {
    const refs = await listRefs(repository, 'refs/')
    return [...refs].map(({ name, oid }) => `${oid} ${name}`)
  }
  return { repository, run, one, two, blob, move, listed, ours }
}

const kindOf = (error: unknown) => (error instanceof GitError ? error.kind : String(error))
const outcome = (change: Promise<unknown>) => change.then(() => 'moved', kindOf)

describe('a reference that is made or moved', () => {
  it('has the outcome that it has with git, whatever was there', async () => {
    const [mine, its] = [await newRepository(), await newRepository()]
    const next = randomBelow(7)
    const names = ['a', 'a/b', 'a/b/c', 'a/d', 'e', 'e/f', 'g'].map((name) => `refs/heads/${name}`)
    const outcomes = new Set<string>()
    for (let step = 0; step < 150; step++) {
      const name = names[next(names.length)] ?? ''
      const oids = [mine.one, mine.two, zeroOid] as const
      const oldOid = oids[next(3)] ?? zeroOid
      const newOid = oids[next(3)] ?? zeroOid
      // git refuses to delete what is said not to exist; nobody here asks for it.
      if (oldOid === zeroOid && newOid === zeroOid) {
        for (const { run } of [mine, its]) await run(['pack-refs', '--all', '--prune'])
        continue
      }
      const ofGit = await outcome(its.run(['update-ref', name, newOid, oldOid]))
      const ofOurs = await outcome(mine.move(name, oldOid, newOid))
      expect([step, name, ofOurs]).toEqual([step, name, ofGit])
      outcomes.add(ofGit)
      expect(await mine.listed()).toEqual(await its.listed())
      expect(await mine.ours()).toEqual(await mine.listed())
    }
    expect([...outcomes].sort()).toEqual(['moved', 'ref-conflict', 'ref-moved'])
    const left = readdirSync(join(mine.repository.path, 'refs'), { recursive: true }).map(String)
    expect(left.filter((name) => name.endsWith('.lock'))).toEqual([])
  }, 120_000)

  it('starts no program', async () => {
    const { repository, move, one, two } = await newRepository()
    await move('refs/heads/a', zeroOid, one)
    const { git } = bare
    let started = 0
    const counting: GitAccess['git'] = {
      ...git.git,
      turns: new Proxy(git.git.turns, {
        get(turns, key) {
          if (key === 'take') started++
          const value = Reflect.get(turns, key, turns)
          return typeof value === 'function' ? value.bind(turns) : value
        },
      }),
    }
    await updateRefs(counting, repository, {
      updates: [{ name: 'refs/heads/a' as RefName, oldOid: one, newOid: two }],
      areObjectsKnown: true,
      confirm: confirmAlways,
    })
    expect([started, readRef(repository, 'refs/heads/a' as RefName)]).toEqual([0, two])
  })

  it('is moved once by many who want it at once, some of them git', async () => {
    const { repository, run, move, one, two } = await newRepository()
    for (let round = 0; round < 10; round++) {
      const [from, to] = round % 2 === 0 ? [one, two] : [two, one]
      const name = 'refs/heads/busy'
      if (round === 0) await move(name, zeroOid, from)
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          outcome(at % 3 === 0 ? run(['update-ref', name, to, from]) : move(name, from, to)),
        ),
      )
      expect(outcomes.filter((one) => one === 'moved')).toHaveLength(1)
      expect(new Set(outcomes)).toEqual(new Set(['moved', 'ref-moved']))
      expect(readRef(repository, name as RefName)).toBe(to)
    }
  }, 60_000)

  it('is not lost while git packs all references and removes empty folders', async () => {
    const { run, move, one, two, ours } = await newRepository()
    const names = Array.from({ length: 40 }, (_, at) => `refs/heads/deep/${at % 4}/b${at}`)
    let isOver = false
    const packing = (async () => {
      while (!isOver) await run(['pack-refs', '--all', '--prune'])
    })()
    await Promise.all(
      names.map(async (name) => {
        await move(name, zeroOid, one)
        await move(name, one, two)
      }),
    )
    isOver = true
    await packing
    expect(await ours()).toEqual(names.map((name) => `${two} ${name}`).sort(byName))
  }, 60_000)

  it('is refused while confirm refuses, and the lock is gone', async () => {
    const { repository, move, one } = await newRepository()
    const name = 'refs/heads/a/b'
    const lock = join(repository.path, `${name}.lock`)
    const refuse = async () => {
      expect(existsSync(lock)).toBe(true)
      throw new Error('no longer')
    }
    await expect(move(name, zeroOid, one, { confirm: refuse })).rejects.toThrow('no longer')
    expect([existsSync(lock), readRef(repository, name as RefName)]).toEqual([false, undefined])
  })

  it('is no branch of a blob, and points at nothing that is missing', async () => {
    const { move, blob, ours } = await newRepository()
    const missing = 'd'.repeat(40) as Oid
    const unknown = { areObjectsKnown: false }
    expect(await outcome(move('refs/heads/a', zeroOid, blob, unknown))).toBe('failed')
    expect(await outcome(move('refs/tags/a', zeroOid, missing, unknown))).toBe('failed')
    expect(await ours()).toEqual([])
    await move('refs/tags/a', zeroOid, blob, unknown)
    expect(await ours()).toEqual([`${blob} refs/tags/a`])
  })

  it('that names another one moves that one, as with git', async () => {
    const { repository, run, move, one, two, ours } = await newRepository()
    await move('refs/heads/a', zeroOid, one)
    await run(['symbolic-ref', 'refs/heads/alias', 'refs/heads/a'])
    await move('refs/heads/alias', one, two)
    expect(await ours()).toEqual([`${two} refs/heads/a`, `${two} refs/heads/alias`])
    expect(existsSync(join(repository.path, 'refs/heads/alias.lock'))).toBe(false)
  })

  it('takes the place of empty folders, not of a lock in one that somebody holds', async () => {
    const { repository, move, one } = await newRepository()
    const at = (path: string) => join(repository.path, 'refs/heads', path)
    mkdirSync(at('a/b/c'), { recursive: true })
    await move('refs/heads/a', zeroOid, one)
    mkdirSync(at('d/e'), { recursive: true })
    writeFileSync(at('d/e/f.lock'), '')
    setHeldLockLookup(async (_repository, locks) => locks)
    onTestFinished(() => setHeldLockLookup())
    expect(await outcome(move('refs/heads/d', zeroOid, one))).toBe('locked')
    expect(existsSync(at('d.lock'))).toBe(false)
  })

  it('has a name that a file can have', async () => {
    const { move, one } = await newRepository()
    expect(await outcome(move(`refs/heads/${'x'.repeat(252)}`, zeroOid, one))).toBe('failed')
  })
})

const nameOf = (line: string) => Buffer.from(line.slice(41))
const byName = (a: string, b: string) => nameOf(a).compare(nameOf(b))
