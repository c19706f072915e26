import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startApp } from '../../test/kit/app.ts'
import { atFileEnd } from '../../test/kit/file-end.ts'
import { newWorld } from '../../test/kit/world.ts'
import { projectRepository } from '../subjects/project.ts'
import { pauseLanes } from './lane-pause.ts'
import { defineTask, enqueue } from './task.ts'
import { Worker } from './worker.ts'

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
