import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newFolder, processesOf } from '../../test/kit/git.ts'
import { newWorld, type World } from '../../test/kit/world.ts'
import { limits } from '../kernel/limits.ts'
import { projectRepository } from '../subjects/project.ts'
import { CatFilePool } from './catfile.ts'
import { type Oid, type RefName, zeroOid } from './names.ts'
import { readRef } from './refs.ts'
import type { Repository } from './repository.ts'
import { newCommit, newObject, newTree, writeObjects } from './write.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function begin(): Promise<{ pool: CatFilePool; repository: Repository; tip: Oid }> {
  const project = await world.newProject({ files: { a: 'a' } })
  const repository = projectRepository(world.app.config, project)
  // What the fixture asked through the application's own process is of no interest here.
  await world.app.git.objects.forget(repository)
  const tip = readRef(repository, 'refs/heads/main' as RefName)
  if (!tip) throw new Error('The fixture has no branch.')
  return { pool: new CatFilePool(world.app.git.git, Date.now), repository, tip }
}

describe('kept readers', () => {
  it('of more repositories than there are processes for take turns', async () => {
    const { pool, repository, tip } = await begin()
    const { turns } = world.app.git.git
    const folder = newFolder()
    const copies = Array.from({ length: 150 }, (_, at) => ({ path: join(folder, `${at}.git`) }))
    for (const { path } of copies) cpSync(repository.path, path, { recursive: true })
    let most = 0
    const answers = await Promise.all(
      copies.map(async (copy) => {
        const info = await pool.info(copy, tip)
        most = Math.max(most, turns.running('kept'))
        return [info?.type, (await pool.read(copy, tip))?.oid]
      }),
    )
    expect(answers).toEqual(copies.map(() => ['commit', tip]))
    expect(most).toBeLessThanOrEqual(limits.git_turns.kept.running_max)
    await pool.close()
  })
})

describe('a kept reader', () => {
  it('whose process is killed answers all the same, idle or asked', async () => {
    const { pool, repository, tip } = await begin()
    for (let round = 0; round < 5; round++) {
      expect((await pool.info(repository, tip))?.type).toBe('commit')
      const asked = Array.from({ length: 50 }, () => pool.read(repository, tip))
      for (const pid of processesOf(repository.path)) process.kill(pid, 'SIGKILL')
      const answers = await Promise.all([...asked, pool.info(repository, tip)])
      expect(answers.map((answer) => answer?.oid)).toEqual(answers.map(() => tip))
    }
    await pool.close()
    await expect.poll(() => processesOf(repository.path), { timeout: 10_000 }).toEqual([])
  })

  it('answers in order, large and small, found and not', async () => {
    const { pool, repository, tip } = await begin()
    const blobs = [0, 1, 65_536, 3_000_000].map((size) =>
      newObject('blob', Buffer.alloc(size, 'x\n')),
    )
    await writeObjects(repository, blobs)
    const names = [tip, zeroOid, ...blobs.map(({ oid }) => oid), 'no-such', tip]
    const answers = await Promise.all(names.map((name) => pool.read(repository, name)))
    expect(answers.map((answer) => answer?.size)).toEqual([
      answers[0]?.size,
      undefined,
      0,
      1,
      65_536,
      3_000_000,
      undefined,
      answers[0]?.size,
    ])
    expect(answers[5]?.content.equals(blobs[3]?.content ?? Buffer.alloc(0))).toBe(true)
    await pool.close()
  })

  it('is not put out of step by names with newlines, NULs or of great length', async () => {
    const { pool, repository, tip } = await begin()
    const names = [`x\n${tip}`, `${tip}\0${tip}`, 'y'.repeat(20_000), '\n', `${tip} missing`]
    const asked = names.flatMap((name) => [pool.info(repository, name), pool.info(repository, tip)])
    const answers = await Promise.all(asked)
    expect(answers.map((answer) => answer?.oid)).toEqual(names.flatMap(() => [undefined, tip]))
    await pool.close()
  })

  it('takes a short name that two objects share for none', async () => {
    const { pool, repository } = await begin()
    const found = new Map<string, ReturnType<typeof newObject>>()
    for (let index = 0; ; index++) {
      const blob = newObject('blob', Buffer.from(String(index)))
      const short = blob.oid.slice(0, 4)
      const other = found.get(short)
      found.set(short, blob)
      if (!other) continue
      await writeObjects(repository, [blob, other])
      expect(await pool.info(repository, short)).toBeUndefined()
      expect((await pool.info(repository, blob.oid))?.oid).toBe(blob.oid)
      break
    }
    await pool.close()
  })

  it('sees what was written after it began', async () => {
    const { pool, repository } = await begin()
    const blob = newObject('blob', Buffer.from('later'))
    expect(await pool.info(repository, blob.oid)).toBeUndefined()
    await writeObjects(repository, [blob])
    expect((await pool.info(repository, blob.oid))?.size).toBe(5)
    await pool.close()
  })
})

it('git is not asked for commits and trees that were just written, but for blobs and large trees', async () => {
  const { pool, repository, tip } = await begin()
  const { objects } = world.app.git
  const blob = newObject('blob', Buffer.from('b'))
  const entry = (name: string) => ({
    mode: '100644' as const,
    name: Buffer.from(name),
    oid: blob.oid,
  })
  const small = newTree([entry('a'), entry('b')])
  const large = newTree(Array.from({ length: 3000 }, (_, at) => entry(`file-${at}`)))
  const by = { name: 'N', email: 'n@example.com' }
  const commit = newCommit({
    tree: small.oid,
    parents: [tip],
    author: by,
    committer: by,
    date: new Date(0),
    message: 'm',
  })
  // They are not in the repository, so git knows none of them.
  objects.keepWritten(repository, [blob, small, large, commit])
  expect((await objects.commit(repository, commit.oid))?.tree).toBe(small.oid)
  expect((await objects.tree(repository, small.oid))?.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(await objects.tree(repository, large.oid)).toBeUndefined()
  expect(await objects.blob(repository, blob.oid)).toBeUndefined()
  await pool.close()
})
