import { beforeAll, describe, expect, it } from 'vitest'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { stopOverdue } from './stop-environment.ts'

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
    await finish(pipeline.id, 'halt')
    const stopped = await world
      .as('reporter')
      .get(`/projects/${project.id}/environments/${environment.id}`)
    expect(stopped.json()).toMatchObject({ state: 'stopped', auto_stop_at: null })
  })

  it('stop by themselves when their time is over', async () => {
    const project = await newCiProject(world, {
      ship: { script: 'x', environment: { name: 'qa', auto_stop_in: '1 hour' } },
    })
    const pipeline = await newPipeline(world, project)
    await finish(pipeline.id, 'ship')
    world.app.clock.advance(61 * 60_000)
    const { db, clock } = world.app
    await stopOverdue.run({ db, clock: clock.now }, {})
    const [environment] = (
      await world.as('reporter').get(`/projects/${project.id}/environments`)
    ).json()
    expect(environment).toMatchObject({ name: 'qa', tier: 'testing', state: 'stopped' })
  })
})
