import { beforeAll, expect, it } from 'vitest'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const get = (url: string) =>
  world.app.server.inject({ method: 'GET', url, headers: { host: 'bloomery.test' } })

it('shows how a branch fares, and nothing of what one may not see', async () => {
  const project = await newCiProject(
    world,
    { unit: { script: 'true' } },
    { group: world.groups.open, visibility: 'public' },
  )
  const at = `/${project.full_path}/badges/main`
  expect((await get(`${at}/pipeline.svg`)).body).toContain('>unknown<')
  const pipeline = await newPipeline(world, project)
  const shut = await newCiProject(world, { unit: { script: 'true' } })
  await newPipeline(world, shut)
  const job = await jobOf(world, pipeline.id, 'unit')
  await tellJob(world, job, 'run')
  expect((await get(`${at}/pipeline.svg`)).body).toContain('>running<')
  await world.app.db.updateTable('jobs').set({ coverage: 91.5 }).where('id', '=', job.id).execute()
  await tellJob(world, job, 'succeed')
  const picture = await get(`/${project.full_path}/-/badges/main/pipeline.svg?key_text=<b>`)
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
  ])
  expect(picture.body).toContain('>passed<')
  expect(picture.body).toContain('&lt;b&gt;')
  expect((await get(`${at}/coverage.svg`)).body).toContain('>91.50%<')
  expect((await get(`${at}/coverage.svg?job=unit`)).body).toContain('>91.50%<')
  expect((await get(`${at}/coverage.svg?job=other`)).body).toContain('>unknown<')
  expect((await get(`/${shut.full_path}/badges/main/pipeline.svg`)).statusCode).toBe(404)
})
