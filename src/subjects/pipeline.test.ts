// Who reads and starts pipelines, and which is the newest of a commit: asked at the API.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from '../../test/kit/app.ts'
import { newCiProject, newPipeline } from '../../test/kit/pipelines.ts'
import { everybody, newWorld, type World } from '../../test/kit/world.ts'
import type { Pipeline } from './pipeline.ts'
import type { Project } from './project.ts'

let world: World
let project: Project
/** `/projects/:id` of it. */
let at: string
/** Of the only commit: the first and the last are of the branch main. */
let first: Pipeline
let ofBranch: Pipeline
let last: Pipeline

beforeAll(async () => {
  world = await newWorld(undefined, { protectedBranches: 'none' })
  const group = world.groups.open
  project = await newCiProject(world, { build: { script: 'make' } }, { group })
  at = `/projects/${project.id}`
  await send('POST', '/repository/branches', { branch: 'topic', ref: 'main' })
  await world.app.worker.drain()
  first = await newPipeline(world, project)
  ofBranch = await newPipeline(world, project, { ref: 'topic' })
  last = await newPipeline(world, project)
})

async function send(method: 'POST' | 'PUT', path: string, body?: object): Promise<Answer> {
  const answer = await world.as('owner')[method === 'POST' ? 'post' : 'put'](at + path, body)
  if (answer.statusCode >= 300) throw new Error(`${path} ${answer.statusCode} ${answer.body}`)
  return answer
}

const set = (changes: object) =>
  send('PUT', '', {
    ...{ visibility: 'public', public_jobs: true },
    ...{ builds_access_level: 'enabled', repository_access_level: 'enabled' },
    ...changes,
  })

/** For whom of all the request succeeds. */
async function callersOf(ask: (client: Client) => Promise<Answer>): Promise<string> {
  const found: string[] = []
  for (const who of everybody) {
    const { statusCode } = await ask(world.as(who))
    expect([200, 401, 403, 404]).toContain(statusCode)
    if (statusCode === 200) found.push(who)
  }
  return found.join(' ')
}

const developers = 'developer maintainer owner admin'
const reporters = `reporter ${developers}`
const guests = `guest ${reporters}`
const nobody = ''

describe('Who reads pipelines', () => {
  it.each([
    ['of a public project', {}, everybody.join(' ')],
    ['of an internal project', { visibility: 'internal' }, `outsider ${guests}`],
    ['of a private project', { visibility: 'private' }, reporters],
    ['whose jobs are not public', { public_jobs: false }, reporters],
    ['for members', { builds_access_level: 'private' }, guests],
    ['switched off', { builds_access_level: 'disabled' }, nobody],
    ['of code for members', { repository_access_level: 'private' }, reporters],
    ['of code that is switched off', { repository_access_level: 'disabled' }, nobody],
  ])('reads those %s', async (_, changes, expected) => {
    await set(changes)
    expect(await callersOf((client) => client.get(`${at}/pipelines/${first.id}`))).toBe(expected)
  })
})

describe('Who starts and cancels pipelines', () => {
  const cancelers = () => callersOf((client) => client.post(`${at}/pipelines/${first.id}/cancel`))

  it('is a Developer of a project that is not archived, while it has pipelines', async () => {
    await set({})
    expect(await cancelers()).toBe(developers)
    await set({ builds_access_level: 'private' })
    expect(await cancelers()).toBe(developers)
    await set({ builds_access_level: 'disabled' })
    expect(await cancelers()).toBe(nobody)
    await set({})
    await send('POST', '/archive')
    expect(await cancelers()).toBe(nobody)
    await send('POST', '/unarchive')
  })
})

describe('The newest pipeline of a commit', () => {
  const record = (pipeline: Pipeline) => ({
    ...{ id: pipeline.id, iid: pipeline.iid, project_id: project.id },
    ...{ sha: pipeline.sha, ref: pipeline.ref, status: 'pending', source: 'api' },
    created_at: pipeline.created_at,
    updated_at: expect.any(String),
    web_url: `http://bloomery.test/${project.full_path}/-/pipelines/${pipeline.id}`,
  })

  it('is shown with the commit and in searches, whole, to whoever reads pipelines', async () => {
    const shownTo = async (client: Client) => {
      const commit = await client.get(`${at}/repository/commits/${last.sha}`)
      const found = await client.get(`${at}/search?scope=commits&search=Add`)
      return [commit.json(), ...found.json()].map(({ last_pipeline }) => last_pipeline)
    }
    await set({})
    expect(await shownTo(world.as('outsider'))).toEqual([record(last), record(last)])
    await set({ public_jobs: false })
    expect(await shownTo(world.as('reporter'))).toEqual([record(last), record(last)])
    expect(await shownTo(world.as('guest'))).toEqual([null, null])
  })

  it('is looked for in no search that finds no commit', async () => {
    const queriesFor = async (search: string) => {
      const url = `${at}/search?scope=commits&search=${search}`
      const { queries } = await world.app.count(() => world.as('owner').get(url))
      return queries
    }
    expect(await queriesFor('nothing-like-that')).toBe((await queriesFor('Add')) - 1)
  })

  it('is of the branch that is asked for', async () => {
    const latest = async (ref: string) =>
      (await world.as('owner').get(`${at}/pipelines/latest?ref=${ref}`)).json().id
    expect([await latest('topic'), await latest('main')]).toEqual([ofBranch.id, last.id])
  })

  it('takes a status that names no other pipeline of the commit', async () => {
    const report = (name: string, pipeline_id?: number) => {
      const body = { state: 'success', ref: 'main', name, pipeline_id }
      return world.as('owner').post(`${at}/statuses/${last.sha}`, body)
    }
    const namesOf = async ({ id }: Pipeline) => {
      const list = `${at}/repository/commits/${last.sha}/statuses?pipeline_id=${id}`
      const statuses = (await world.as('owner').get(list)).json()
      return statuses.map(({ name }: { name: string }) => name).toSorted()
    }
    expect((await report('newest')).statusCode).toBe(201)
    expect((await report('named', first.id)).statusCode).toBe(201)
    expect((await report('wrong', ofBranch.id)).statusCode).toBe(404)
    expect(await namesOf(first)).toEqual(['build', 'named'])
    expect(await namesOf(ofBranch)).toEqual(['build'])
    expect(await namesOf(last)).toEqual(['build', 'newest'])
  })

  it('is described as a record', async () => {
    const { components } = (await world.as('anonymous').get('/openapi.json')).json()
    expect(Object.keys(components.schemas.BasicPipeline.properties)).toEqual(
      Object.keys(record(first)),
    )
  })
})
