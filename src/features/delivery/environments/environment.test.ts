import { beforeAll, describe, expect, it } from 'vitest'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { stopOverdueEnvironmentsTask } from './stop-environment.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const finish = async (pipeline_id: number, name: string) => {
  await tellJob(world, await jobOf(world, pipeline_id, name), 'run')
  await tellJob(world, await jobOf(world, pipeline_id, name), 'succeed')
}

const config = {
  stages: ['deploy', 'stop'],
  ship: {
    stage: 'deploy',
    script: 'x',
    environment: {
      name: 'review/$CI_COMMIT_REF_SLUG',
      url: 'https://$CI_ENVIRONMENT_SLUG.test',
      on_stop: 'halt',
      auto_stop_in: '2 hours',
    },
  },
  halt: {
    stage: 'stop',
    script: 'x',
    when: 'manual',
    environment: { name: 'review/$CI_COMMIT_REF_SLUG', action: 'stop' },
  },
}

describe('Environments', () => {
  it('are made, shown, changed, stopped and removed', async () => {
    const project = await world.newProject()
    const url = `/projects/${project.id}/environments`
    const dev = world.as('developer')
    const made = await dev.post(url, { name: 'production', external_url: 'https://x.test' })
    const record = {
      id: expect.any(Number),
      name: 'production',
      slug: 'production',
      description: null,
      external_url: 'https://x.test',
      state: 'available',
      tier: 'production',
      auto_stop_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const one = `${url}/${made.json().id}`
    expect((await world.as('reporter').get(url)).json()).toEqual([made.json()])
    expect((await world.as('reporter').get(one)).json()).toEqual({
      ...made.json(),
      last_deployment: null,
    })
    const taken = await dev.post(url, { name: 'production' })
    expect([taken.statusCode, taken.json()]).toEqual([
      400,
      { message: { name: ['has already been taken'] } },
    ])
    expect((await dev.put(one, { tier: 'staging' })).json().tier).toBe('staging')
    const slugged = await dev.put(one, { tier: 'staging', slug: 'production' })
    expect([slugged.statusCode, slugged.json()]).toEqual([
      400,
      { error: 'slug is automatically generated and cannot be changed' },
    ])
    expect((await dev.delete(one)).statusCode).toBe(403)
    expect((await dev.post(`${one}/stop`)).json().state).toBe('stopped')
    const headers = { 'if-unmodified-since': 'Mon, 01 Jan 2024 00:00:00 GMT' }
    const changed = await dev.delete(one, undefined, { headers })
    expect([changed.statusCode, changed.json()]).toEqual([
      412,
      { message: '412 Precondition Failed' },
    ])
    expect((await dev.delete(one)).statusCode).toBe(204)
    expect((await dev.get(one)).json()).toEqual({ message: '404 Not found' })
  })

  it('are read by who reads pipelines, and changed by Developers while the project is not archived', async () => {
    const project = await world.newProject({ group: world.groups.open, visibility: 'public' })
    const url = `/projects/${project.id}/environments`
    const made = async (who: Who) =>
      (await world.as(who).post(url, { name: `by-${who}` })).statusCode
    const readBy = async () => {
      const asked = (['anonymous', 'outsider', 'guest', 'reporter'] as const).map((who) =>
        world.as(who).get(url),
      )
      return (await Promise.all(asked)).map(({ statusCode }) => statusCode)
    }
    const set = (settings: object) => world.as('owner').put(`/projects/${project.id}`, settings)
    expect([await made('outsider'), await made('reporter')]).toEqual([403, 403])
    expect(await made('developer')).toBe(201)
    expect(await readBy()).toEqual([200, 200, 200, 200])
    await set({ public_jobs: false })
    expect(await readBy()).toEqual([403, 403, 403, 200])
    await set({ public_jobs: true, visibility: 'private' })
    expect(await readBy()).toEqual([404, 404, 403, 200])
    await set({ builds_access_level: 'disabled' })
    expect(await readBy()).toEqual([404, 404, 403, 403])
    await set({ builds_access_level: 'enabled' })
    await world.as('owner').post(`/projects/${project.id}/archive`)
    expect(await made('maintainer')).toBe(403)
  })

  it('belong to one project, and are listed by name, part of a name and state', async () => {
    const [one, other] = [await world.newProject(), await world.newProject()]
    const dev = world.as('developer')
    const urlOf = ({ id }: { id: number }) => `/projects/${id}/environments`
    const make = async (project: { id: number }, name: string) =>
      (await dev.post(urlOf(project), { name })).json().id
    const production = await make(one, 'production')
    const staging = await make(one, 'staging')
    const foreign = await make(other, 'production')
    await dev.post(`${urlOf(one)}/${staging}/stop`)
    const ids = async (query: string, project = one) => {
      const answer = await dev.get(`${urlOf(project)}${query}`)
      return answer.json().map(({ id }: { id: number }) => id)
    }
    expect(await ids('')).toEqual([production, staging])
    expect(await ids('', other)).toEqual([foreign])
    expect(await ids('?name=production')).toEqual([production])
    expect(await ids('?search=stag')).toEqual([staging])
    expect(await ids('?states=stopped')).toEqual([staging])
    expect(await ids('?states=available')).toEqual([production])
    const elsewhere = `${urlOf(other)}/${staging}`
    for (const answer of [
      await dev.get(elsewhere),
      await dev.put(elsewhere, { tier: 'other' }),
      await dev.post(`${elsewhere}/stop`),
      await dev.delete(elsewhere),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it('show their last successful deployment; a list of deployments is filtered', async () => {
    const jobs = {
      ship: { script: 'x', environment: 'production' },
      try: { script: 'x', environment: 'qa' },
    }
    const [one, other] = [await newCiProject(world, jobs), await newCiProject(world, jobs)]
    const first = await newPipeline(world, one)
    await finish(first.id, 'ship')
    await finish(first.id, 'try')
    await finish((await newPipeline(world, other)).id, 'ship')
    world.app.clock.advance(60_000)
    const between = world.app.clock.now().toISOString()
    world.app.clock.advance(60_000)
    const second = await newPipeline(world, one)
    const failing = await jobOf(world, second.id, 'ship')
    for (const event of ['run', 'drop'] as const) await tellJob(world, failing, event)

    const reporter = world.as('reporter')
    const list = async (query: string, { id } = one) =>
      (await reporter.get(`/projects/${id}/deployments${query}`)).json()
    const iids = async (query: string) => (await list(query)).map(({ iid }: { iid: number }) => iid)
    const [shipped, tried] = await list('')
    expect([shipped.deployable.name, tried.deployable.name]).toEqual(['ship', 'try'])
    expect(await iids('')).toEqual([1, 2, 3, 4])
    expect(await iids('?environment=production')).toEqual([1, 3])
    expect(await iids('?status=success')).toEqual([1, 2])
    expect(await iids(`?updated_before=${between}`)).toEqual([1, 2])
    expect(await iids(`?updated_after=${between}`)).toEqual([3, 4])
    const [foreign] = await list('?environment=production', other)
    expect(foreign.id).not.toBe(shipped.id)
    const elsewhere = await reporter.get(`/projects/${other.id}/deployments/${shipped.id}`)
    expect([elsewhere.statusCode, elsewhere.json()]).toEqual([404, { message: '404 Not found' }])
    const url = `/projects/${one.id}/environments/${shipped.environment.id}`
    expect((await reporter.get(url)).json().last_deployment.id).toBe(shipped.id)
  })

  it.each([
    [{}, { error: 'name is missing, name is empty' }],
    [{ name: '/x' }, { message: { name: [expect.stringContaining('can contain only letters')] } }],
    [
      { name: 'x', external_url: 'javascript:alert(1)' },
      { message: { external_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [{ name: 'x', tier: 'moon' }, { error: 'tier does not have a valid value' }],
    [{ name: 'x', slug: 'y' }, { error: 'slug is automatically generated and cannot be changed' }],
  ])('refuse %j', async (body, answer) => {
    const project = await world.newProject()
    const refused = await world.as('developer').post(`/projects/${project.id}/environments`, body)
    expect([refused.statusCode, refused.json()]).toEqual([400, answer])
  })

  it('follow the jobs that deploy to them and stop them', async () => {
    const other = await newPipeline(world, await newCiProject(world, config))
    await finish(other.id, 'ship')
    const project = await newCiProject(world, config)
    const pipeline = await newPipeline(world, project)
    await finish(pipeline.id, 'ship')
    const [environment] = (
      await world.as('reporter').get(`/projects/${project.id}/environments`)
    ).json()
    const until = new Date(world.app.clock.now().getTime() + 2 * 60 * 60_000).toISOString()
    expect(environment).toMatchObject({
      name: 'review/main',
      slug: expect.stringMatching(/^review-main-[a-z0-9]+$/),
      external_url: `https://${environment.slug}.test`,
      tier: 'development',
      state: 'available',
      auto_stop_at: until,
    })
    const deployments = await world
      .as('reporter')
      .get(`/projects/${project.id}/deployments?environment=review/main`)
    expect(deployments.json()).toMatchObject([
      {
        iid: 1,
        ref: 'main',
        sha: pipeline.sha,
        status: 'success',
        environment: { name: 'review/main' },
        deployable: { name: 'ship', status: 'success' },
      },
    ])
    const one = `/projects/${project.id}/deployments/${deployments.json()[0].id}`
    expect((await world.as('reporter').get(one)).json()).toEqual({
      ...deployments.json()[0],
      approvals: [],
      pending_approval_count: 0,
    })
    const stop = `/projects/${project.id}/environments/${environment.id}/stop`
    expect((await world.as('owner').post(stop)).json().state).toBe('stopping')
    expect((await jobOf(world, other.id, 'halt')).status).toBe('manual')
    await finish(pipeline.id, 'halt')
    const stopped = await world
      .as('reporter')
      .get(`/projects/${project.id}/environments/${environment.id}`)
    expect(stopped.json()).toMatchObject({ state: 'stopped', auto_stop_at: null })
  })

  it('stop by themselves when their time is over', async () => {
    const project = await newCiProject(world, {
      ship: { script: 'x', environment: { name: 'qa', auto_stop_in: '1 hour' } },
      late: { script: 'x', environment: { name: 'demo', auto_stop_in: '2 hours' } },
    })
    const pipeline = await newPipeline(world, project)
    await finish(pipeline.id, 'ship')
    await finish(pipeline.id, 'late')
    world.app.clock.advance(61 * 60_000)
    const { db, clock } = world.app
    await stopOverdueEnvironmentsTask.run({ db, clock: clock.now }, {})
    const list = await world.as('reporter').get(`/projects/${project.id}/environments`)
    expect(list.json()).toMatchObject([
      { name: 'qa', tier: 'testing', state: 'stopped' },
      { name: 'demo', state: 'available' },
    ])
  })
})
