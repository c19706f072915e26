// What runs in a pipeline acts as its user, but never as an administrator: whoever may push wrote it.
import { beforeAll, describe, expect, it } from 'vitest'
import { jobOf, newCiProject, newPipeline, runJobWith } from '../../../../test/kit/pipelines.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { digestToken, newJobToken } from '../../../kernel/ids.ts'
import type { Project } from '../../../subjects/project.ts'
import { endpoints } from '../../families.ts'

let world: World
/** Of a private group that the administrator is no member of, with an archive and a configuration to include. */
let secret: Project
beforeAll(async () => {
  world = await newWorld()
  const jobs = { build: { script: 'x', artifacts: { paths: ['a'] } } }
  const included = JSON.stringify({ included: { script: 'x' } })
  secret = await newCiProject(world, jobs, { files: { 'shared.yml': included } })
  await runJobWith(world, secret, { a: 'secret' })
})

/** A pipeline of the project that an administrator starts, who is no member of it. */
async function startAsAdministrator(config: object) {
  const project = await newCiProject(world, config)
  const made = await world.as('admin').post(`/projects/${project.id}/pipeline`, { ref: 'main' })
  await world.app.worker.drain()
  return { project, made }
}

/** The token of its running job. */
async function newToken() {
  const { project, made } = await startAsAdministrator({ build: { script: 'x' } })
  const token = newJobToken()
  await world.app.db
    .updateTable('jobs')
    .set({ status: 'running', token_digest: digestToken(token) })
    .where('pipeline_id', '=', made.json().id)
    .execute()
  return { project, token }
}

const fetchRefs = (project: Project, token: string) =>
  world.app.server.inject({
    url: `/${project.full_path}.git/info/refs?service=git-upload-pack`,
    headers: {
      authorization: `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}`,
    },
  })

describe('The pipeline of an administrator', () => {
  it('has a token that reads its own project and no other by any operation that takes it', async () => {
    const { project, token } = await newToken()
    const headers = { 'job-token': token }
    const { id } = await jobOf(world, (await newPipeline(world, secret)).id, 'build')
    const taking = endpoints.filter(
      ({ jobToken, path }) => jobToken !== undefined && path.startsWith('/projects/:id'),
    )
    expect(taking.length).toBeGreaterThan(5)
    // Whatever one of them requires: parameters are read before the project is looked for, but for a file.
    const texts = { name: 'x', status: 'success', environment: 'x', sha: 'x', ref: 'main' }
    const body = { ...texts, tag: false, tag_name: 'v1', version: '1.0.0', url: 'https://x.test' }
    for (const { method, path } of taking) {
      const url = path.replace(':id', String(secret.id)).replace(/:\w+(\([^)]*\))?/g, String(id))
      const name = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
      const answer = await (name === 'get'
        ? world.as('anonymous').get(`${url}?job=build`, { headers })
        : world.as('anonymous')[name](url, body, { headers }))
      const { error } = answer.json()
      expect([method, path, error ?? answer.statusCode]).toEqual([
        ...[method, path],
        path.endsWith('/secure_files') && method === 'POST' ? 'file is missing' : 404,
      ])
    }
    const own = await world.as('anonymous').get(`/projects/${project.id}/environments`, { headers })
    expect(own.statusCode).toBe(200)
    expect((await world.as('anonymous').get('/job', { headers })).statusCode).toBe(200)
  })

  it('has a token that is nobody where an operation does not take it', async () => {
    const { project, token } = await newToken()
    const headers = { 'job-token': token }
    const urls = endpoints
      .filter(({ method, jobToken }) => method === 'GET' && jobToken === undefined)
      .map(({ path }) => path.replace(':id', String(project.id)))
      .filter((path) => path === '/user' || /^\/projects\/\d+[^:]*$/.test(path))
    expect(urls.length).toBeGreaterThan(20)
    const client = world.as('anonymous')
    for (const url of urls) {
      const [plain, answer] = [await client.get(url), await client.get(url, { headers })]
      expect([url, answer.statusCode]).toEqual([url, plain.statusCode])
      expect([url, answer.statusCode >= 400]).toEqual([url, true])
    }
  })

  it('has a token that is read wherever a token may stand', async () => {
    const { project, token } = await newToken()
    const { get, post } = world.as('anonymous')
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    expect((await get('/job', bearer)).statusCode).toBe(200)
    expect((await get(`/job?job_token=${token}`)).statusCode).toBe(200)
    const release = { job_token: token, tag_name: 'v1', ref: 'main' }
    expect((await post(`/projects/${project.id}/releases`, release)).statusCode).toBe(201)
  })

  it('leaves an operation that takes it open to the bearers of other tokens', async () => {
    const { project } = await newToken()
    const headers = { authorization: `Bearer ${world.token('admin')}` }
    const url = `/projects/${project.id}/environments`
    expect((await world.as('anonymous').get(url, { headers })).statusCode).toBe(200)
  })

  it('fetches by git from its own project and from no other', async () => {
    const { project, token } = await newToken()
    expect((await fetchRefs(project, token)).statusCode).toBe(200)
    expect((await fetchRefs(secret, token)).statusCode).toBe(404)
  })

  it('starts no pipeline elsewhere with its token', async () => {
    const { token } = await newToken()
    const url = `/projects/${secret.id}/trigger/pipeline`
    const answer = await world.as('anonymous').post(url, { token, ref: 'main' })
    expect(answer.statusCode).toBe(404)
  })

  it('includes no configuration of a project its user is no member of, but of its own', async () => {
    const include = [{ project: secret.full_path, file: 'shared.yml' }]
    const { made } = await startAsAdministrator({ include })
    expect([made.statusCode, made.body]).toEqual([400, expect.stringContaining('access denied')])
    const files = { 'shared.yml': JSON.stringify({ included: { script: 'x' } }) }
    const project = await newCiProject(world, {}, { files })
    const ownInclude = [{ project: project.full_path, file: 'shared.yml' }]
    await world.commit(project, { 'own.yml': JSON.stringify({ include: ownInclude }) })
    await world.as('owner').put(`/projects/${project.id}`, { ci_config_path: 'own.yml' })
    const own = await world.as('admin').post(`/projects/${project.id}/pipeline`, { ref: 'main' })
    expect(own.statusCode).toBe(201)
  })

  it('triggers no pipeline of a project its user is no member of, but children of its own', async () => {
    const before = await world.app.db
      .selectFrom('pipelines')
      .select('id')
      .where('project_id', '=', secret.id)
      .execute()
    const config = {
      elsewhere: { trigger: { project: secret.full_path } },
      child: { trigger: { include: [{ local: 'child.yml' }] } },
    }
    const files = { 'child.yml': JSON.stringify({ build: { script: 'x' } }) }
    const project = await newCiProject(world, config, { files })
    const made = await world.as('admin').post(`/projects/${project.id}/pipeline`, { ref: 'main' })
    await world.app.worker.drain()
    expect((await jobOf(world, made.json().id, 'child')).status).toBe('success')
    const elsewhere = await jobOf(world, made.json().id, 'elsewhere')
    expect([elsewhere.status, elsewhere.failure_reason]).toEqual([
      'failed',
      'downstream_bridge_project_not_found',
    ])
    const after = await world.app.db
      .selectFrom('pipelines')
      .select('id')
      .where('project_id', '=', secret.id)
      .execute()
    expect(after).toEqual(before)
  })
})
