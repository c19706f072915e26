import { beforeAll, describe, expect, it } from 'vitest'
import { newRunner, takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import {
  jobOf,
  newCiProject,
  newPipeline,
  runJobWith,
  tellJob,
} from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'
import { failStuckJobsTask } from './job.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const minute_ms = 60_000
const simple = { build: { script: 'x' } }

/** Reports a running status of the project's newest commit; answers the id of its job. */
async function reportStatus(project: Project, client = world.as('owner')): Promise<number> {
  const { id: sha } = (await client.get(`/projects/${project.id}/repository/commits/main`)).json()
  const url = `/projects/${project.id}/statuses/${sha}`
  const made = await client.post(url, { state: 'running', name: 'elsewhere' })
  expect(made.statusCode).toBe(201)
  return made.json().id
}

const idsOf = (answer: { json: () => { id: number }[] }) => answer.json().map(({ id }) => id)

describe('Jobs', () => {
  it('belong to one project, and are listed without triggers and statuses of others', async () => {
    const jobs = {
      build: { script: 'x' },
      kid: { trigger: { include: [{ local: 'child.yml' }] } },
    }
    const files = { 'child.yml': JSON.stringify({ inner: { script: 'x' } }) }
    const project = await newCiProject(world, jobs, { files })
    const other = await newCiProject(world, simple)
    const owner = world.as('owner')
    const foreign = await runJobWith(world, other, { a: 'a' })
    const build = await runJobWith(world, project, { a: 'a' })
    const kid = await jobOf(world, build.pipeline_id, 'kid')
    const external = await reportStatus(project)
    const inner = (await owner.get(`/projects/${project.id}/jobs?scope[]=pending`)).json()[0]
    expect(inner.name).toBe('inner')

    const everywhere = await world.as('admin').get('/admin/jobs')
    expect(idsOf(everywhere).filter((id) => id >= foreign.id)).toEqual([
      inner.id,
      build.id,
      foreign.id,
    ])
    expect(everywhere.json()[2].web_url).toContain(`/${other.full_path}/-/jobs/${foreign.id}`)
    const pending = await world.as('admin').get('/admin/jobs?scope[]=pending')
    expect(idsOf(pending)).toEqual([inner.id])
    expect((await owner.get('/admin/jobs')).statusCode).toBe(403)
    const url = `/projects/${project.id}`
    expect(idsOf(await owner.get(`${url}/jobs`))).toEqual([inner.id, build.id])
    expect(idsOf(await owner.get(`${url}/jobs?with_artifacts=true`))).toEqual([build.id])
    const ofPipeline = `${url}/pipelines/${build.pipeline_id}`
    expect(idsOf(await owner.get(`${url}/jobs?scope=`))).toEqual([inner.id, build.id])
    expect(idsOf(await owner.get(`${url}/jobs?with_artifacts=true&scope=`))).toEqual([build.id])
    expect(idsOf(await owner.get(`${ofPipeline}/bridges?scope=`))).toEqual([kid.id])
    expect(idsOf(await world.as('admin').get('/admin/jobs?scope='))).toHaveLength(
      everywhere.json().length,
    )
    expect(idsOf(await owner.get(`${ofPipeline}/jobs`))).toEqual([build.id])
    expect(idsOf(await owner.get(`${ofPipeline}/bridges`))).toEqual([kid.id])
    for (const id of [foreign.id, external]) {
      for (const answer of [
        await owner.get(`${url}/jobs/${id}`),
        await owner.get(`${url}/jobs/${id}/trace`),
        await owner.post(`${url}/jobs/${id}/cancel`),
        await owner.post(`${url}/jobs/${id}/retry`),
        await owner.post(`${url}/jobs/${id}/play`),
        await owner.post(`${url}/jobs/${id}/erase`),
      ]) {
        expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
      }
    }
  })
})

describe('The log of a job', () => {
  it('is for Developers alone from the first part that was written while debugging', async () => {
    const project = await newCiProject(world, simple, {
      group: world.groups.open,
      visibility: 'public',
    })
    const { runner, job } = await takeFirstJob(world, project)
    const url = `/projects/${project.id}/jobs/${job.id}/trace`
    const statuses = () =>
      Promise.all(
        (['anonymous', 'outsider', 'reporter', 'developer'] as const).flatMap((who) =>
          [url, `${url}?index=true`].map(
            async (path) => (await world.as(who).get(path)).statusCode,
          ),
        ),
      )
    await runner.log(job, 'plain ')
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200, 200, 200])
    await runner.log(job, 'secret', 6, { isDebug: true })
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403, 200, 200])
    await runner.log(job, ' plain', 12)
    await runner.end(job, 'success')
    expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403, 200, 200])
    expect((await world.as('developer').get(url)).body).toBe('plain secret plain')
  })
})

describe('Jobs that nobody hears of', () => {
  it('stay as long as their runner speaks, and if no runner has them', async () => {
    const jobs = {
      build: { script: 'x' },
      kid: { trigger: { include: [{ local: 'child.yml' }], strategy: 'depend' } },
    }
    const files = {
      'child.yml': JSON.stringify({ inner: { script: 'x', when: 'manual', allow_failure: false } }),
    }
    const project = await newCiProject(world, jobs, { files })
    const { id: pipeline_id } = await newPipeline(world, project)
    await world.app.worker.drain()
    const other = await newCiProject(world, simple)
    const external = await reportStatus(other)
    const runner = await newRunner(world, project.id)
    world.app.clock.advance(30 * minute_ms)
    const job = await runner.takeJob()
    for (let half_hours = 0; half_hours < 50; half_hours++) {
      world.app.clock.advance(30 * minute_ms)
      await world.as('anonymous').put(`/jobs/${job.id}`, { token: job.token, state: 'running' })
    }
    const { db, clock } = world.app
    await failStuckJobsTask.run({ db, clock: clock.now }, {})
    const statuses = await db
      .selectFrom('jobs')
      .select(['name', 'status'])
      .where((eb) => eb.or([eb('id', '=', external), eb('pipeline_id', '=', pipeline_id)]))
      .orderBy('name')
      .execute()
    expect(statuses).toEqual([
      { name: 'build', status: 'running' },
      { name: 'elsewhere', status: 'running' },
      { name: 'kid', status: 'running' },
    ])
  })
})

describe('The badge of a branch', () => {
  it('is of its newest pipeline, not of a child, another branch or another project', async () => {
    const jobs = { kid: { trigger: { include: 'child.yml' } } }
    const files = { 'child.yml': JSON.stringify(simple) }
    const project = await newCiProject(world, jobs, { files, group: world.groups.open })
    const branch = { branch: 'topic', ref: 'main' }
    await world.as('owner').post(`/projects/${project.id}/repository/branches`, branch)
    await newPipeline(world, project)
    await world.app.worker.drain()
    await newPipeline(world, project, { ref: 'topic' })
    await newPipeline(world, await newCiProject(world, simple))
    const badgeOf = async (ref: string) => {
      const url = `/${project.full_path}/badges/${ref}/pipeline.svg`
      const headers = { host: 'bloomery.test', 'private-token': world.token('owner') }
      return (await world.app.server.inject({ method: 'GET', url, headers })).body
    }
    expect(await badgeOf('main')).toContain('>passed<')
    expect(await badgeOf('topic')).toContain('>pending<')
    await world.app.worker.drain()
  })
})

describe('The jobs of a user who is blocked', () => {
  it('fail alone, without those of others and what the user reported', async () => {
    const { user, client } = await world.newUser()
    const project = await newCiProject(world, simple)
    const owner = world.as('owner')
    const member = { user_id: user.id, access_level: 40 }
    await owner.post(`/projects/${project.id}/members`, member)
    const start = async (starter: typeof client) => {
      const made = await starter.post(`/projects/${project.id}/pipeline`, { ref: 'main' })
      return jobOf(world, made.json().id, 'build')
    }
    const [ended, open, foreign] = [await start(client), await start(client), await start(owner)]
    for (const event of ['run', 'succeed'] as const) await tellJob(world, ended, event)
    const external = await reportStatus(project, client)
    await world.as('admin').post(`/users/${user.id}/block`)
    await world.app.worker.drain()
    const statuses = await world.app.db
      .selectFrom('jobs')
      .select(['id', 'status'])
      .where('id', 'in', [ended.id, open.id, foreign.id, external])
      .orderBy('id')
      .execute()
    expect(statuses).toEqual([
      { id: ended.id, status: 'success' },
      { id: open.id, status: 'failed' },
      { id: foreign.id, status: 'pending' },
      { id: external, status: 'running' },
    ])
  })
})
