import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { lfsClient, objectOf } from '../../../../test/kit/lfs.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { blobStoreOf } from '../../../blobs/blob-store.ts'
import { systemClock } from '../../../kernel/clock.ts'
import type { Project } from '../../../subjects/project.ts'
import { removeInterruptedUploads, removeUnlinkedLfsObjects } from './lfs.tasks.ts'
import { lfsBlobPlace } from './lfs.ts'
import { reserveLfsObject } from './lfs-object.store.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const day_ms = 24 * 60 * 60_000
const fileOf = (content: string) =>
  join(blobStoreOf(world.app.config).path, lfsBlobPlace(objectOf(content).oid))
const send = (project: Project, content: string) =>
  lfsClient(world, project, 'owner').upload(content)
async function remove(project: Project): Promise<void> {
  await world.as('owner').delete(`/projects/${project.id}`)
  await world.app.worker.drain()
}
const sweep = () =>
  removeUnlinkedLfsObjects({
    db: world.app.db,
    clock: world.app.clock.now,
    config: world.app.config,
  })
const rowOf = (content: string) =>
  world.app.db
    .selectFrom('lfs_objects')
    .select('unlinked_since')
    .where('oid', '=', objectOf(content).oid)
    .executeTakeFirst()

describe('an object', () => {
  it('goes a day after the last project that has it', async () => {
    const [first, second] = [await world.newProject(), await world.newProject()]
    const third = await world.newProject()
    const [shared, own] = ['of both', 'of the first']
    for (const [project, content] of [
      [first, shared],
      [first, own],
      [second, shared],
    ] as const) {
      await send(project, content)
    }
    await remove(first)
    expect((await rowOf(shared))?.unlinked_since).toBeNull()
    expect((await rowOf(own))?.unlinked_since).not.toBeNull()
    await sweep()
    expect(existsSync(fileOf(own))).toBe(true)
    world.app.clock.advance(day_ms / 2)
    // The removal of a project that never had the object does not keep it for longer.
    await remove(third)
    world.app.clock.advance(day_ms / 2 + 1)
    await sweep()
    expect([existsSync(fileOf(own)), existsSync(fileOf(shared))]).toEqual([false, true])
    expect([await rowOf(own), await rowOf(shared)]).toEqual([undefined, { unlinked_since: null }])
    await remove(second)
    world.app.clock.advance(day_ms + 1)
    await sweep()
    expect([existsSync(fileOf(shared)), await rowOf(shared)]).toEqual([false, undefined])
  })

  it('that was claimed and never linked goes after a day, one claimed again stays', async () => {
    const { db, clock } = world.app
    const claim = (content: string) =>
      reserveLfsObject(db, { ...objectOf(content), now: clock.now().toISOString() })
    await claim('dead')
    await claim('alive')
    clock.advance(day_ms - 1000)
    await claim('alive')
    clock.advance(2000)
    await sweep()
    expect(await rowOf('dead')).toBeUndefined()
    expect(await rowOf('alive')).toBeDefined()
  })

  it('that a project has stays, whatever its row says', async () => {
    const project = await world.newProject()
    await send(project, 'linked')
    await world.app.db
      .updateTable('lfs_objects')
      .set({ unlinked_since: '2020-01-01T00:00:00.000Z' })
      .where('oid', '=', objectOf('linked').oid)
      .execute()
    await sweep()
    expect(existsSync(fileOf('linked'))).toBe(true)
    expect(await rowOf('linked')).toEqual({ unlinked_since: null })
  })

  it('sent while it is being removed is there in the end', async () => {
    const project = await world.newProject()
    const content = 'sent and removed at once'
    await send(project, content)
    await remove(project)
    world.app.clock.advance(day_ms + 1)
    const next = await world.newProject()
    await Promise.all([sweep(), send(next, content), sweep(), send(next, content)])
    const { oid } = objectOf(content)
    expect((await lfsClient(world, next, 'owner').download(oid)).payload).toBe(content)
  })
})

it('half an upload of a dead server is removed', async () => {
  const folder = join(blobStoreOf(world.app.config).path, 'incoming')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'dead')
  writeFileSync(path, 'half')
  const old_s = systemClock().getTime() / 1000 - 2 * 60 * 60
  utimesSync(path, old_s, old_s)
  await removeInterruptedUploads({ config: world.app.config })
  expect(existsSync(path)).toBe(false)
})
