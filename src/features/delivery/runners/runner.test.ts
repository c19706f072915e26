import { beforeAll, describe, expect, it } from 'vitest'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

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

  it('is for administrators, Owners of the group and Maintainers of the project', async () => {
    const project_id = (await world.newProject()).id
    const group_id = (await world.newMemberedGroup()).id
    const statusOf = async (who: Who, body: object) =>
      (await world.as(who).post('/user/runners', body)).statusCode
    const ofInstance = { runner_type: 'instance_type' }
    expect(await statusOf('owner', ofInstance)).toBe(403)
    expect(await statusOf('admin', ofInstance)).toBe(201)
    const ofGroup = { runner_type: 'group_type', group_id }
    expect(await statusOf('maintainer', ofGroup)).toBe(403)
    expect(await statusOf('owner', ofGroup)).toBe(201)
    const ofProject = { runner_type: 'project_type', project_id }
    expect(await statusOf('developer', ofProject)).toBe(403)
    expect(await statusOf('maintainer', ofProject)).toBe(201)
  })
})

describe('POST /projects/:id/runners', () => {
  it('is for Maintainers who administer the runner too, which is of a project and not locked', async () => {
    const [project, other] = [await world.newProject(), await world.newProject()]
    const group = await world.newMemberedGroup()
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 40 }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    const ofOther = { runner_type: 'project_type', project_id: other.id }
    const runner_id = await makeRunner(ofOther)
    const locked = await makeRunner({ ...ofOther, locked: true })
    const ofGroup = await makeRunner({ runner_type: 'group_type', group_id: group.id })
    const url = `/projects/${project.id}/runners`
    const assign = async (by: typeof client, id: number) => {
      const answer = await by.post(url, { runner_id: id })
      return [answer.statusCode, answer.statusCode === 201 ? undefined : answer.json().message]
    }
    expect(await assign(client, runner_id)).toEqual([403, '403 Forbidden - No access granted'])
    const owner = world.as('owner')
    expect(await assign(owner, locked)).toEqual([403, '403 Forbidden - Runner is locked'])
    expect(await assign(owner, ofGroup)).toEqual([403, '403 Forbidden - Runner is a group runner'])
    expect(await assign(owner, runner_id)).toEqual([201, undefined])
  })
})

/** A runner that the administrator makes; its id. */
async function makeRunner(body: object): Promise<number> {
  const made = await world.as('admin').post('/user/runners', body)
  expect(made.statusCode).toBe(201)
  return made.json().id
}

const idsOf = (answer: { json: () => { id: number }[] }) => answer.json().map(({ id }) => id)

describe('Lists of runners', () => {
  it('have those that the caller administers, by project or by group', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    const elsewhere = await world.newMemberedGroup()
    const foreign = await world.newProject({ group: elsewhere })
    const ofProject = await makeRunner({ runner_type: 'project_type', project_id: project.id })
    const ofGroup = await makeRunner({ runner_type: 'group_type', group_id: group.id })
    await makeRunner({ runner_type: 'project_type', project_id: foreign.id })
    await makeRunner({ runner_type: 'group_type', group_id: elsewhere.id })
    for (const [place, access_level, administered] of [
      [`/projects/${project.id}`, 30, []],
      [`/projects/${project.id}`, 40, [ofProject]],
      [`/groups/${group.id}`, 30, []],
      [`/groups/${group.id}`, 40, [ofProject]],
      [`/groups/${group.id}`, 50, [ofGroup, ofProject]],
    ] as const) {
      const { user, client } = await world.newUser()
      const member = { user_id: user.id, access_level }
      expect((await world.as('owner').post(`${place}/members`, member)).statusCode).toBe(201)
      expect([place, access_level, idsOf(await client.get('/runners'))]).toEqual([
        place,
        access_level,
        administered,
      ])
      const answer = await client.get(`/runners/${ofGroup}`)
      expect(answer.statusCode).toBe(access_level === 50 ? 200 : 403)
    }
  })

  it('have those that serve a project or a group, and no others', async () => {
    const outer = await world.newMemberedGroup()
    const below = { name: 'Inner', path: 'inner', parent_id: outer.id }
    const inner = (await world.as('owner').post('/groups', below)).json()
    const project = await world.newProject({ group: inner })
    const sibling = await world.newProject({ group: inner })
    const tag_list = ['yard']
    const ofProject = (project_id: number) =>
      makeRunner({ runner_type: 'project_type', project_id, tag_list })
    const ofGroup = (group_id: number) =>
      makeRunner({ runner_type: 'group_type', group_id, tag_list })
    const own = await ofProject(project.id)
    await ofProject(sibling.id)
    const inherited = await ofGroup(outer.id)
    const nearest = await ofGroup(inner.id)
    await ofGroup((await world.newMemberedGroup()).id)
    const shared = await makeRunner({ runner_type: 'instance_type', tag_list })
    const owner = world.as('owner')
    const list = async (url: string) => idsOf(await owner.get(`${url}/runners?tag_list[]=yard`))
    expect(await list(`/projects/${project.id}`)).toEqual([shared, nearest, inherited, own])
    expect(await list(`/groups/${inner.id}`)).toEqual([shared, nearest, inherited])
    expect(await list(`/groups/${outer.id}`)).toEqual([shared, inherited])
    await world.as('admin').delete(`/runners/${shared}`)
  })

  it('are filtered by when a runner was last here, and whether it is paused', async () => {
    const project = await world.newProject()
    const stale = await newRunner(world, project.id)
    await stale.ask()
    world.app.clock.advance(100 * 24 * 60 * 60_000)
    const offline = await newRunner(world, project.id)
    await offline.ask()
    world.app.clock.advance(3 * 60 * 60_000)
    const online = await newRunner(world, project.id)
    await online.ask()
    const unused = await newRunner(world, project.id)
    const paused = await newRunner(world, project.id, { paused: true })
    for (const [status, runners] of [
      ['online', [online]],
      ['offline', [offline]],
      ['stale', [stale]],
      ['never_contacted', [paused, unused]],
      ['paused', [paused]],
      ['active', [unused, online, offline, stale]],
    ] as const) {
      const url = `/projects/${project.id}/runners?type=project_type&status=${status}`
      expect([status, idsOf(await world.as('owner').get(url))]).toEqual([
        status,
        runners.map(({ id }) => id),
      ])
    }
  })
})

describe('The jobs of a runner', () => {
  it('are shown by status, those of projects alone in which the caller is a Reporter', async () => {
    const config = { build: { script: 'x' } }
    const { user, client } = await world.newUser()
    const [asGuest, asGroupGuest, asReporter] = [
      await newCiProject(world, config),
      await newCiProject(world, config, { group: await world.newMemberedGroup() }),
      await newCiProject(world, config),
    ]
    const runner = await newRunner(world, asReporter.id)
    const owner = world.as('owner')
    const { user: another } = await world.newUser()
    const add = async (place: string, user_id: number, access_level: number) =>
      expect((await owner.post(`${place}/members`, { user_id, access_level })).statusCode).toBe(201)
    await add(`/projects/${asGuest.id}`, another.id, 30)
    await add(`/projects/${asGuest.id}`, user.id, 10)
    await add(`/groups/${asGroupGuest.namespace_id}`, user.id, 10)
    await add(`/projects/${asReporter.id}`, user.id, 40)
    for (const { id } of [asGuest, asGroupGuest]) {
      await owner.post(`/projects/${id}/runners`, { runner_id: runner.id })
    }
    const taken = []
    for (const project of [asGuest, asGroupGuest, asReporter, asReporter]) {
      await newPipeline(world, project)
      const job = await runner.takeJob()
      taken.push(job)
    }
    const [, , ended, running] = taken
    if (!ended || !running) throw new Error('A job is missing.')
    await runner.end(ended, 'success')
    const url = `/runners/${runner.id}/jobs`
    expect(idsOf(await client.get(url))).toEqual([running.id, ended.id])
    expect(idsOf(await client.get(`${url}?status=success`))).toEqual([ended.id])
    expect(idsOf(await world.as('admin').get(url))).toEqual(taken.map(({ id }) => id).reverse())
  })
})

describe('DELETE /projects/:id/runners/:runner_id', () => {
  it('takes one runner from one project', async () => {
    const [first, second] = [await world.newProject(), await world.newProject()]
    const [runner, other] = [await newRunner(world, first.id), await newRunner(world, first.id)]
    const owner = world.as('owner')
    for (const { id } of [runner, other]) {
      await owner.post(`/projects/${second.id}/runners`, { runner_id: id })
    }
    const removed = await owner.delete(`/projects/${second.id}/runners/${runner.id}`)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    const projectsOf = async (id: number) => {
      const { projects } = (await owner.get(`/runners/${id}`)).json()
      return projects.map((project: { id: number }) => project.id)
    }
    expect(await projectsOf(runner.id)).toEqual([first.id])
    expect(await projectsOf(other.id)).toEqual([first.id, second.id])
    const last = await owner.delete(`/projects/${first.id}/runners/${runner.id}`)
    expect([last.statusCode, last.json()]).toEqual([
      403,
      {
        message:
          '403 Forbidden - Only one project associated with the runner. Please remove the runner instead',
      },
    ])
  })
})
