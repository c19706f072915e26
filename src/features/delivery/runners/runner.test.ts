import { beforeAll, describe, expect, it } from 'vitest'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('A runner that serves projects its owner may not see', () => {
  it('tells them nothing of those', async () => {
    const hidden = await newCiProject(world, { build: { script: 'x' } })
    const runner = await newRunner(world, hidden.id)
    const { user, client } = await world.newUser()
    const own = await world.newProject()
    const member = { user_id: user.id, access_level: 40 }
    await world.as('owner').post(`/projects/${own.id}/members`, member)
    const assigned = await world
      .as('owner')
      .post(`/projects/${own.id}/runners`, { runner_id: runner.id })
    expect(assigned.statusCode).toBe(201)
    await newPipeline(world, hidden)
    const job = await runner.take()
    const url = `/runners/${runner.id}`
    const shown = await client.get(url)
    expect(shown.json().projects.map(({ id }: { id: number }) => id)).toEqual([own.id])
    const jobs = await client.get(`${url}/jobs`)
    expect([jobs.statusCode, jobs.json(), jobs.headers['x-total']]).toEqual([200, [], '0'])
    for (const who of ['owner', 'admin'] as const) {
      const all = (await world.as(who).get(`${url}/jobs`)).json()
      expect(all.map(({ id }: { id: number }) => id)).toEqual([job?.id])
    }
  })
})

describe('POST /user/runners', () => {
  it('knows no project or group that the caller may not see', async () => {
    const project = await world.newProject()
    const group = await world.newMemberedGroup()
    const post = (body: object) => world.as('outsider').post('/user/runners', body)
    const ofProject = await post({ runner_type: 'project_type', project_id: project.id })
    expect([ofProject.statusCode, ofProject.json()]).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
    const ofGroup = await post({ runner_type: 'group_type', group_id: group.id })
    expect([ofGroup.statusCode, ofGroup.json()]).toEqual([404, { message: '404 Group Not Found' }])
  })
})
