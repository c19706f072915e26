import { beforeAll, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { enqueueProjectVerifications } from './verify-project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const day_ms = 24 * 60 * 60_000

/** Lets time pass, and returns the projects whose verification is enqueued then; they are verified after that. */
async function enqueuedAfter(days: number): Promise<number[]> {
  const { db, clock, worker } = world.app
  clock.advance(days * day_ms)
  await enqueueProjectVerifications({ db, clock: clock.now })
  const tasks = await db
    .selectFrom('tasks')
    .select('payload')
    .where('name', '=', 'verify-project')
    .execute()
  await worker.drain()
  return tasks.map(({ payload }) => Number(payload.project_id)).toSorted((a, b) => a - b)
}

it('verifies a project a month after it was made, and every month from then on', async () => {
  const { db } = world.app
  const known = Object.values(world.projects).map(({ id }) => id)
  expect(await enqueuedAfter(29)).toEqual([])
  const later = await world.newProject()
  const doomed = await world.newProject()
  expect(await enqueuedAfter(2)).toEqual(known)
  expect(await enqueuedAfter(0)).toEqual([])
  // What is about to go needs no verification.
  await db.updateTable('projects').set({ state: 'deleting' }).where('id', '=', doomed.id).execute()
  expect(await enqueuedAfter(29)).toEqual([later.id])
  expect(await enqueuedAfter(2)).toEqual(known)
})
