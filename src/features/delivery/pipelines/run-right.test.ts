// Every way to start a job asks the same rule, and so does every way to give a pipeline or a job variables.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../../test/kit/app.ts'
import {
  jobOf,
  newCiProject,
  newPipeline,
  newRunningToken,
  tellJob,
} from '../../../../test/kit/pipelines.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'
import { actorUserFromUser } from '../../../subjects/user.ts'
import { endpoints } from '../../families.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Caller = Exclude<Who, 'anonymous' | 'admin'>

const environment = { name: 'review', on_stop: 'halt' }
const config = {
  stages: ['one', 'two'],
  ship: { stage: 'one', script: 'x', environment },
  broken: { stage: 'one', script: 'x', allow_failure: true },
  halt: {
    stage: 'two',
    script: 'x',
    when: 'manual',
    environment: { name: 'review', action: 'stop' },
  },
}

/** A pipeline of the protected main branch: one job deployed, one failed, one waits for somebody. */
async function newProtected() {
  const project = await newCiProject(world, config)
  const pipeline = await newPipeline(world, project)
  await tellJob(world, await jobOf(world, pipeline.id, 'ship'), 'run')
  await tellJob(world, await jobOf(world, pipeline.id, 'ship'), 'succeed')
  await tellJob(world, await jobOf(world, pipeline.id, 'broken'), 'run')
  await tellJob(world, await jobOf(world, pipeline.id, 'broken'), 'drop')
  const [shown] = (await world.as('owner').get(`/projects/${project.id}/environments`)).json()
  const { id: deployment_id } = await world.app.db
    .selectFrom('deployments')
    .select('id')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  return { project, pipeline, environment_id: shown.id as number, deployment_id }
}

const jobsOf = (project: Project) =>
  world.app.db
    .selectFrom('jobs')
    .select(['id', 'name', 'status', 'user_id', 'retried'])
    .where('project_id', '=', project.id)
    .orderBy('id')
    .execute()

/** The addresses of all operations that change something of a job, a pipeline, an environment or a deployment. */
async function changesOf(made: Awaited<ReturnType<typeof newProtected>>) {
  const { project, pipeline, environment_id, deployment_id } = made
  const jobs = await jobsOf(project)
  const changing = endpoints.filter(
    ({ method, path }) =>
      method !== 'GET' &&
      path.startsWith('/projects/:id/') &&
      /:(job_id|pipeline_id|environment_id|deployment_id)\b/.test(path),
  )
  expect(changing.length).toBeGreaterThan(10)
  return changing.flatMap(({ method, path }) => {
    const filled = path
      .replace(':id', String(project.id))
      .replace(':pipeline_id', String(pipeline.id))
      .replace(':environment_id', String(environment_id))
      .replace(':deployment_id', String(deployment_id))
    return jobs.map(({ id }) => ({ method, url: filled.replace(':job_id', String(id)) }))
  })
}

const send = (client: Client, method: string, url: string, body: object, headers = {}) => {
  const name = method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
  return client[name](url, body, { headers })
}

describe('A job of a protected branch', () => {
  it('is started, repeated or ended by no operation by a Developer who may not', async () => {
    const made = await newProtected()
    const before = await jobsOf(made.project)
    const token = await newRunningToken(world, 'developer')
    for (const { method, url } of await changesOf(made)) {
      for (const body of [{}, { force: true }, { status: 'success', name: 'x' }]) {
        const headers = { 'job-token': token }
        const answers = [
          await send(world.as('developer'), method, url, body),
          await send(world.as('anonymous'), method, url, body, headers),
        ]
        await world.app.worker.drain()
        const after = await jobsOf(made.project)
        const statuses = answers.map(({ statusCode }) => statusCode)
        expect({ method, url, statuses, after }).toEqual({ method, url, statuses, after: before })
      }
    }
  })

  it.each([
    ['developer', 403, 'manual'],
    ['maintainer', 200, 'pending'],
  ] as const)('is started by stopping its environment: %s', async (who, status, becomes) => {
    const { project, pipeline, environment_id } = await newProtected()
    const url = `/projects/${project.id}/environments/${environment_id}/stop`
    expect((await world.as(who).post(url)).statusCode).toBe(status)
    expect((await jobOf(world, pipeline.id, 'halt')).status).toBe(becomes)
  })
})

describe('A pipeline of a protected tag', () => {
  it('is started, cancelled and retried by those who may make the tag', async () => {
    const jobs = { build: { script: 'x' }, ask: { script: 'x', when: 'manual' } }
    const project = await newCiProject(world, jobs)
    const url = `/projects/${project.id}`
    const owner = world.as('owner')
    await owner.post(`${url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
    await world.app.worker.drain()
    const { id } = await newPipeline(world, project, { ref: 'v1' })
    const ask = await jobOf(world, id, 'ask')
    const statusesOf = async (who: 'developer' | 'maintainer') => {
      const client = world.as(who)
      const answers = [
        await client.post(`${url}/pipeline`, { ref: 'v1' }),
        await client.post(`${url}/jobs/${ask.id}/play`),
        await client.post(`${url}/pipelines/${id}/cancel`),
        await client.post(`${url}/pipelines/${id}/retry`),
      ]
      return answers.map(({ statusCode }) => statusCode)
    }
    const protect = async (create_access_level: number) => {
      await owner.delete(`${url}/protected_tags/v*`)
      const rule = { name: 'v*', create_access_level }
      expect((await owner.post(`${url}/protected_tags`, rule)).statusCode).toBe(201)
    }
    await protect(40)
    expect(await statusesOf('developer')).toEqual([400, 403, 403, 403])
    expect(await statusesOf('maintainer')).toEqual([201, 200, 200, 201])
    await protect(30)
    // The job was played already.
    expect(await statusesOf('developer')).toEqual([201, 400, 200, 201])
  })
})

/** Each way gives the variable A to a pipeline, or a job, of the branch `topic`, and answers whether it is there. */
const ways: Record<string, (project: Project, who: Caller) => Promise<boolean>> = {
  async api(project, who) {
    const variables = [{ key: 'A', value: '1' }]
    const body = { ref: 'topic', variables }
    await world.as(who).post(`/projects/${project.id}/pipeline`, body)
    return hasVariable(project)
  },
  async 'a payload of their own'(project, who) {
    const variables = [{ key: 'TRIGGER_PAYLOAD', value: '1' }]
    await world.as(who).post(`/projects/${project.id}/pipeline`, { ref: 'topic', variables })
    return hasVariable(project, 'TRIGGER_PAYLOAD')
  },
  async trigger(project, who) {
    const url = `/projects/${project.id}/triggers`
    const { id, token } = (await world.as('maintainer').post(url, { description: 'x' })).json()
    await world.app.db
      .updateTable('pipeline_triggers')
      .set({ owner_id: world.users[who].id })
      .where('id', '=', id)
      .execute()
    await world.as('anonymous').post(`/projects/${project.id}/trigger/pipeline`, {
      token,
      ref: 'topic',
      variables: { A: '1' },
    })
    return hasVariable(project)
  },
  async 'job token'(project, who) {
    const token = await newRunningToken(world, who)
    await world.as('anonymous').post(`/projects/${project.id}/trigger/pipeline`, {
      token,
      ref: 'topic',
      variables: { A: '1' },
    })
    return hasVariable(project)
  },
  async schedule(project, who) {
    const url = `/projects/${project.id}/pipeline_schedules`
    const client = world.as(who)
    const fields = { description: 'x', ref: 'topic', cron: '0 1 * * *' }
    const { id } = (await client.post(url, fields)).json()
    await client.post(`${url}/${id}/variables`, { key: 'A', value: '1' })
    await client.post(`${url}/${id}/play`)
    await world.app.worker.drain()
    return hasVariable(project)
  },
  async 'trigger job'(project, who) {
    const trigger = { project: project.full_path, branch: 'topic' }
    const upstream = await newCiProject(world, { go: { variables: { A: '1' }, trigger } })
    await newPipeline(world, upstream)
    await world.app.db
      .updateTable('jobs')
      .set({ user_id: world.users[who].id })
      .where('project_id', '=', upstream.id)
      .execute()
    await world.app.worker.drain()
    return hasVariable(project)
  },
  async push(project, who) {
    const variables = [{ key: 'A', value: '1', variable_type: 'env_var' as const }]
    const user = actorUserFromUser(world.users[who])
    const request = { ref: 'topic', source: 'push' as const, user, variables }
    await newPipeline(world, project, request).catch(() => undefined)
    return hasVariable(project)
  },
  async play(project, who) {
    const { id } = await newPipeline(world, project, { ref: 'topic' })
    const job = await jobOf(world, id, 'ask')
    const job_variables_attributes = [{ key: 'A', value: '1' }]
    const url = `/projects/${project.id}/jobs/${job.id}/play`
    await world.as(who).post(url, { job_variables_attributes })
    const rows = await world.app.db
      .selectFrom('job_variables')
      .select('key')
      .where('job_id', '=', job.id)
      .execute()
    const { status } = await jobOf(world, id, 'ask')
    expect(status).toBe(rows.length === 0 ? 'manual' : 'pending')
    return rows.length > 0
  },
}

async function hasVariable(project: Project, key = 'A'): Promise<boolean> {
  const rows = await world.app.db
    .selectFrom('pipeline_variables')
    .innerJoin('pipelines', 'pipelines.id', 'pipeline_variables.pipeline_id')
    .select('pipeline_variables.key')
    .where('pipelines.project_id', '=', project.id)
    .where('pipeline_variables.key', '=', key)
    .execute()
  return rows.length > 0
}

describe('Variables of users, where the project keeps them to Maintainers', () => {
  it.each(Object.keys(ways))('come by no other way: %s', async (name) => {
    const jobs = { build: { script: 'x' }, ask: { script: 'x', when: 'manual' } }
    for (const [who, isRestricted, expected] of [
      ['developer', true, false],
      ['maintainer', true, true],
      ['developer', false, true],
    ] as const) {
      const project = await newCiProject(world, jobs)
      const url = `/projects/${project.id}`
      await world.as('owner').post(`${url}/repository/branches`, { branch: 'topic', ref: 'main' })
      await world.app.worker.drain()
      await world.as('owner').put(url, { restrict_user_defined_variables: isRestricted })
      const isGiven = await ways[name]?.(project, who)
      expect({ who, isRestricted, isGiven }).toEqual({ who, isRestricted, isGiven: expected })
    }
  })
  it('keep no Developer from playing and retrying a job without any', async () => {
    const project = await newCiProject(world, { ask: { script: 'x', when: 'manual' } })
    const url = `/projects/${project.id}`
    const owner = world.as('owner')
    await owner.put(url, { restrict_user_defined_variables: true })
    await owner.post(`${url}/repository/branches`, { branch: 'topic', ref: 'main' })
    const made = await world.as('developer').post(`${url}/pipeline`, { ref: 'topic' })
    const { id } = await jobOf(world, made.json().id, 'ask')
    const play = (body: object) => world.as('developer').post(`${url}/jobs/${id}/play`, body)
    const given = { job_variables_attributes: [{ key: 'A', value: '1' }] }
    expect((await play(given)).statusCode).toBe(403)
    expect((await play({})).statusCode).toBe(200)
    const job = `${url}/jobs/${id}`
    expect((await world.as('developer').post(`${job}/cancel`)).statusCode).toBe(201)
    expect((await world.as('developer').post(`${job}/retry`)).statusCode).toBe(201)
  })
})
