import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { newWorld } from '../../test/kit/world.ts'
import { projectRepository } from '../subjects/project.ts'
import { holdLanes } from './lane-hold.ts'

it('nothing begins in a lane that somebody holds, until they let go or are not heard of', async () => {
  const world = await newWorld()
  const { db, clock, worker, config } = world.app
  const onLost = () => {}
  const project = await world.newProject({ files: { a: 'a' } })
  const { path } = projectRepository(config, project)
  const hold = await holdLanes(db, clock.now, { lanes: ['removal'], onLost })
  await world.as('owner').delete(`/projects/${project.id}`)
  await worker.drain()
  expect(await hold.countRunning()).toBe(0)
  expect(existsSync(path)).toBe(true)
  await hold.release()
  await worker.drain()
  expect(existsSync(path)).toBe(false)

  const other = await world.newProject({ files: { a: 'a' } })
  const forgotten = await holdLanes(db, clock.now, { lanes: ['removal'], onLost })
  await world.as('owner').delete(`/projects/${other.id}`)
  clock.advance(61_000)
  await worker.drain()
  expect(existsSync(projectRepository(config, other).path)).toBe(false)
  await forgotten.release()
})
