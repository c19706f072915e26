import { existsSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { startApp } from '../../test/kit/app.ts'
import { atFileEnd } from '../../test/kit/file-end.ts'
import { newWorld } from '../../test/kit/world.ts'
import { limits } from '../kernel/limits.ts'
import { projectRepository } from '../subjects/project.ts'
import { pauseLanes } from './lane-pause.ts'
import { defineTask, enqueue } from './task.ts'
import { Worker } from './worker.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('nothing begins in a lane that somebody holds, until they let go or are not heard of', async () => {
  const world = await newWorld()
  const { db, clock, worker, config } = world.app
  const onLost = () => {}
  const project = await world.newProject({ files: { a: 'a' } })
  const { path } = projectRepository(config, project)
  const hold = await pauseLanes(db, clock.now, { lanes: ['removal'], onLost })
  await world.as('owner').delete(`/projects/${project.id}`)
  await worker.drain()
  expect(await hold.countRunning()).toBe(0)
  expect(existsSync(path)).toBe(true)
  await hold.release()
  await worker.drain()
  expect(existsSync(path)).toBe(false)

  const other = await world.newProject({ files: { a: 'a' } })
  const forgotten = await pauseLanes(db, clock.now, { lanes: ['removal'], onLost })
  await world.as('owner').delete(`/projects/${other.id}`)
  clock.advance(61_000)
  await worker.drain()
  expect(existsSync(projectRepository(config, other).path)).toBe(false)
  await forgotten.release()
})

it('a lane is held until each of its holders has released it, and other lanes are not', async () => {
  const app = await startApp()
  atFileEnd(app.close)
  const { db } = app
  const clock = app.clock.now
  const runs: string[] = []
  const taskOf = (lane: 'removal' | 'mail') =>
    defineTask({ name: lane, lane, run: async () => void runs.push(lane) })
  const tasks = [taskOf('removal'), taskOf('mail')]
  const worker = new Worker({ db, clock, tasks, uses: {}, onError: () => {} })
  const hold = () => pauseLanes(db, clock, { lanes: ['removal'], onLost: () => {} })
  const [first, second] = [await hold(), await hold()]
  for (const task of tasks) await enqueue(db, clock, { task, key: 'k', payload: {} })
  await worker.drain()
  expect(runs).toEqual(['mail'])
  await first.release()
  await worker.drain()
  expect(runs).toEqual(['mail'])
  await second.release()
  await worker.drain()
  expect(runs).toEqual(['mail', 'removal'])
})

it('only tasks of the held lanes that have begun are counted as running', async () => {
  const app = await startApp()
  atFileEnd(app.close)
  const { db } = app
  const clock = app.clock.now
  const add = (lane: 'removal' | 'mail', key: string) =>
    enqueue(db, clock, { task: { name: lane, lane }, key, payload: {} })
  await add('removal', 'begun')
  await add('mail', 'begun')
  await db.updateTable('tasks').set({ owner_id: 'another' }).execute()
  await add('removal', 'waiting')
  const hold = await pauseLanes(db, clock, { lanes: ['removal'], onLost: () => {} })
  expect(await hold.countRunning()).toBe(1)
  await hold.release()
})

it('a holder renews its own hold alone', async () => {
  const app = await startApp()
  atFileEnd(app.close)
  const { db, clock } = app
  const dead = { holder: 'dead', lane: 'removal', held_until: clock.now().toISOString() } as const
  await db.insertInto('lane_holds').values(dead).execute()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const hold = await pauseLanes(db, clock.now, { lanes: ['removal'], onLost: () => {} })
  const holds = () =>
    db.selectFrom('lane_holds').select('held_until').orderBy('held_until').execute()
  const [first, own] = await holds()
  clock.advance(limits.tasks.hold_renewal_ms)
  vi.advanceTimersByTime(limits.tasks.hold_renewal_ms)
  await expect.poll(async () => (await holds())[1]?.held_until).not.toBe(own?.held_until)
  expect((await holds())[0]).toEqual(first)
  await hold.release()
})
