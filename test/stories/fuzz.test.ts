// The endpoint list, walked with hostile values as everybody: every request gets an answer, none a fault,
// none holds the others up, and no body is other than declared (the kit holds each against its schema).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/features/families.ts'
import { startApp, type TestApp } from '../kit/app.ts'
import { Fuzz, type FuzzRequest, type Known, nextBesideApi, nextSshCommand } from '../kit/fuzz.ts'
import { newSshWorld } from '../kit/ssh.ts'
import { newWorld, type World } from '../kit/world.ts'

const rounds = 6
const stall_ms_max = 1000

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** What a request may name, so that most get as far as doing something. */
async function knownOf(world: World): Promise<Known> {
  const { projects, groups, users } = world
  const owner = world.as('owner')
  const made = await world.newProject({ group: groups.open, files: { a: 'a', 'b/c': 'c' } })
  const tip = await world.commit(made, { d: 'd' }, { branch: 'topic', start_branch: 'main' })
  await owner.post(`/projects/${made.id}/repository/tags`, { tag_name: 'v1', ref: 'main' })
  const projectIds = [made.id, projects.open.id, projects.shut.id, made.full_path]
  const groupIds = [groups.open.id, groups.shut.id, groups.shut.full_path]
  const userIds = [users.guest.id, users.outsider.id, users.developer.id]
  return {
    '/projects/:id': projectIds,
    '/groups/:id': groupIds,
    '/users/:id': userIds,
    '/users/:user_id': [...userIds, users.guest.username],
    '/namespaces/:id': groupIds,
    id: [1, 2, 3],
    user_id: userIds,
    group_id: [groups.open.id, groups.inside.id],
    namespace_id: [groups.open.id],
    project_id: projectIds,
    ref: ['main', 'topic', 'v1', tip],
    ref_name: ['main', 'topic'],
    branch: ['main', 'topic', 'new-branch'],
    start_branch: ['main'],
    sha: ['main', 'topic', tip],
    from: ['main', tip],
    to: ['topic', tip],
    file_path: ['a', 'b/c', 'new'],
    tag_name: ['v1', 'v2'],
    name: ['main', 'topic', 'v1', 'a name'],
    key: ['A_KEY'],
    access_level: [10, 20, 30, 40, 50],
    visibility: ['private', 'public'],
  }
}

type Caller = { name: string; headers: Record<string, string> }

async function callersOf(world: World): Promise<Caller[]> {
  const admin = await world.newUser({ is_admin: true })
  const body = { name: 't', scopes: ['read_user'] }
  const small = await world.as('developer').post('/user/personal_access_tokens', body)
  const of = (name: string, token: string) => ({ name, headers: { 'private-token': token } })
  return [
    of('administrator', admin.token),
    of('administrator', admin.token),
    of('owner', world.token('owner')),
    of('developer', world.token('developer')),
    of('stranger', world.token('outsider')),
    of('small token', small.json().token),
    { name: 'anonymous', headers: {} },
  ]
}

function send({ method, url, headers, body }: FuzzRequest, caller: Caller) {
  return app.server.inject({
    method: method as 'GET',
    url: `/api/v4${url}`,
    headers: { host: 'bloomery.test', ...headers, ...caller.headers },
    payload: body,
  })
}

function stalls(): unknown[] {
  return app.log.filter(
    ({ msg, duration_ms }) => msg === 'event loop stalled' && Number(duration_ms) > stall_ms_max,
  )
}

/** The fault a request ended in, for whoever has to mend it. */
function faultOf(id: unknown): unknown {
  const line = app.log.find(({ msg, request_id }) => msg === 'fault' && request_id === id)
  return (line?.err as { stack?: string } | undefined)?.stack?.slice(0, 1500)
}

describe('hostile requests', () => {
  it.each(Array.from({ length: rounds }, (_, index) => index + 1))(
    'of seed %i are all answered',
    async (seed) => {
      const world = await newWorld(app)
      const known = await knownOf(world)
      const callers = await callersOf(world)
      const fuzz = new Fuzz(endpoints, seed)
      const faults: unknown[] = []
      for (let count = 0; count < endpoints.length; count++) {
        const { request } = fuzz.next(known)
        const caller = fuzz.pick(callers)
        const answer = await send(request, caller)
        if (answer.statusCode < 500 || answer.statusCode === 503) continue
        const { method, url } = request
        const body = request.body?.toString('utf8').slice(0, 500)
        faults.push({
          caller: caller.name,
          asked: `${method} ${url.slice(0, 500)}`,
          body,
          fault: faultOf(answer.headers['x-request-id']),
        })
      }
      expect(faults).toEqual([])
      expect(stalls()).toEqual([])
    },
    120_000,
  )
})

describe('hostile requests beside the API', () => {
  it.each([1, 2])(
    'of seed %i are all answered',
    async (seed) => {
      const world = await newWorld(app)
      const project = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
      const paths = [project.full_path, world.projects.shut.full_path]
      const fuzz = new Fuzz(endpoints, seed)
      const basic = (token: string) => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`
      const authorizations = [
        basic(world.token('owner')),
        basic(world.token('guest')),
        basic('glpat-nobody'),
        'Basic =',
        'Bearer x',
        undefined,
      ]
      const faults: unknown[] = []
      for (let count = 0; count < 250; count++) {
        const { method, url, headers, body } = nextBesideApi(fuzz, paths)
        const authorization = fuzz.pick(authorizations)
        const answer = await app.server.inject({
          method: method as 'GET',
          url,
          headers: { host: 'bloomery.test', ...headers, ...(authorization && { authorization }) },
          payload: body,
        })
        if (answer.statusCode < 500 || answer.statusCode === 501) continue
        faults.push({
          method,
          url,
          body: body?.toString('latin1'),
          authorization,
          answer: answer.body,
        })
      }
      expect(faults).toEqual([])
      expect(app.log.filter(({ msg }) => msg === 'fault')).toEqual([])
      expect(stalls()).toEqual([])
    },
    120_000,
  )

  it('over SSH are refused one by one', async () => {
    const world = await newSshWorld()
    const client = await world.connect(await world.keyOf('owner'))
    const fuzz = new Fuzz(endpoints, 1)
    const project = await world.newProject({ files: { a: 'a' } })
    for (let count = 0; count < 60; count++) {
      const line = nextSshCommand(fuzz, [project.full_path])
      await new Promise<void>((resolve) => {
        client.exec(line, (error, channel) => {
          if (error) return resolve()
          channel.resume().stderr.resume()
          channel.on('close', () => resolve())
          channel.end()
        })
      })
    }
    client.end()
    expect(world.app.log.filter(({ msg }) => msg === 'fault')).toEqual([])
    expect(
      world.app.log.filter(({ duration_ms, work }) => work && Number(duration_ms) > stall_ms_max),
    ).toEqual([])
  }, 60_000)
})
