import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newBareRepository, openBareRepositories } from '../../test/kit/bare-repository.ts'
import type { Oid, RefName } from './names.ts'
import { hasBranches, listRefs, readRef } from './refs.ts'

let bare: Awaited<ReturnType<typeof openBareRepositories>>
let oids: readonly string[]
beforeAll(async () => {
  bare = await openBareRepositories()
})

async function newRepository() {
  const made = await newBareRepository(bare)
  oids = made.commits
  return made
}

const shown = (refs: Iterable<{ name: string; oid: string }>) =>
  [...refs].map(({ name, oid }) => `${oid} ${name}`)

/** Names that lie close together and far apart, some longer than a block of the search has lines. */
function manyNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const kind = at % 5
    if (kind === 0) return `refs/tags/v${at}`
    if (kind === 1) return `refs/tags/${'x'.repeat(at % 150)}${at}`
    if (kind === 2) return `refs/heads/h${at}/deep/é${at}`
    if (kind === 3) return `refs/heads/😀${at}`
    return `refs/merge-requests/${at}/head`
  })
}

describe('references', () => {
  it.each(['packed', 'loose', 'both', 'unsorted'])(
    'that are %s are listed and looked up as git does',
    async (how) => {
      const { repository, run, listed } = await newRepository()
      const names = manyNames(how === 'loose' ? 200 : 2000)
      const create = names.map((name, at) => `create ${name} ${oids[at % 2]}\n`)
      await run(['update-ref', '--stdin'], create.join(''))
      if (how !== 'loose') await run(['pack-refs', '--all', '--prune'])
      if (how === 'both') {
        const moved = names.filter((_, at) => at % 7 === 0)
        const update = moved.map((name) => `update ${name} ${oids[0]}\n`)
        const removed = names.filter((_, at) => at % 7 === 1)
        const remove = removed.map((name) => `delete ${name}\n`)
        const added = ['refs/heads/a', 'refs/tags/zzz', 'refs/aa'].map(
          (name) => `create ${name} ${oids[1]}\n`,
        )
        await run(['update-ref', '--stdin'], [...update, ...remove, ...added].join(''))
      }
      if (how === 'unsorted') {
        const path = join(repository.path, 'packed-refs')
        const lines = readFileSync(path, 'utf8').split('\n').slice(1, -1)
        writeFileSync(path, `${lines.reverse().join('\n')}\n`)
      }
      for (const prefix of ['refs/', 'refs/heads/', 'refs/tags/', 'refs/nothing/']) {
        const expected = await listed(prefix)
        // git does not put these in order where its file is not.
        if (how === 'unsorted') continue
        expect(shown(await listRefs(repository, prefix))).toEqual(expected)
      }
      const all = await listRefs(repository, 'refs/')
      const sorted = [...all].map(({ name }) => Buffer.from(name))
      expect(sorted).toEqual(sorted.toSorted(Buffer.compare))
      const oidOf = new Map([...all].map(({ name, oid }) => [name as string, oid as string]))
      expect(oidOf.size).toBe(all.length)
      for (const name of [
        ...names,
        'refs/heads/',
        'refs/tags/v',
        'refs/zz',
        'refs/a',
        'refs/tags/v0x',
      ]) {
        expect([name, readRef(repository, name as RefName)]).toEqual([name, oidOf.get(name)])
        expect(all.indexOf(name) >= 0).toBe(oidOf.has(name))
      }
      expect(hasBranches(repository)).toBe(true)
    },
    60_000,
  )

  it('are none in a repository that is new', async () => {
    const { repository } = await newRepository()
    expect((await listRefs(repository, 'refs/')).length).toBe(0)
    expect(hasBranches(repository)).toBe(false)
  })

  it('have a digest that tells any two lists apart', async () => {
    const { repository, run } = await newRepository()
    const digests = new Set<string>()
    for (const change of [
      `create refs/heads/a ${oids[0]}`,
      `update refs/heads/a ${oids[1]}`,
      `create refs/heads/b ${oids[0]}`,
      'delete refs/heads/a',
    ]) {
      await run(['update-ref', '--stdin'], `${change}\n`)
      digests.add(await (await listRefs(repository, 'refs/heads/')).digest())
    }
    expect(digests.size).toBe(4)
    await run(['update-ref', 'refs/heads/a', oids[1] as Oid])
    digests.add(await (await listRefs(repository, 'refs/heads/')).digest())
    expect(digests.size).toBe(4)
    await run(['pack-refs', '--all'])
    const packed = await (await listRefs(repository, 'refs/heads/')).digest()
    expect(digests.has(packed)).toBe(true)
  })
})
