// Whatever credential a token makes ends with that token, or is one that the list below says stays. Every operation
// that answers a secret is on it.
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../src/features/families.ts'
import { nameOf } from './kit/every-example.ts'
import { newWorld, type World } from './kit/world.ts'

/** `ends`: with the token it is made with. Otherwise why it may stay. */
const decisions: Record<string, string> = {
  'POST /user/personal_access_tokens': 'ends',
  'POST /users/:user_id/personal_access_tokens': 'ends',
  'POST /users/:user_id/impersonation_tokens': 'ends',
  'POST /personal_access_tokens/self/rotate': 'takes the place of the token itself',
  'POST /personal_access_tokens/:id/rotate': 'ends',
  'POST /projects/:id/access_tokens': 'ends',
  'POST /projects/:id/access_tokens/self/rotate': 'takes the place of the token itself',
  'POST /projects/:id/access_tokens/:token_id/rotate': 'ends',
  'POST /groups/:id/access_tokens': 'ends',
  'POST /groups/:id/access_tokens/self/rotate': 'takes the place of the token itself',
  'POST /groups/:id/access_tokens/:token_id/rotate': 'ends',
  'POST /projects/:id/deploy_tokens': 'ends',
  'POST /groups/:id/deploy_tokens': 'ends',
  'POST /projects/:id/triggers': 'ends',
  'PUT /projects/:id/triggers/:trigger_id': 'tells the token again',
  'POST /applications': 'opens nothing that its user has not agreed to',
  'POST /applications/:id/renew-secret': 'opens nothing that its user has not agreed to',
  'POST /user/applications': 'opens nothing that its user has not agreed to',
  'POST /user/applications/:id/renew-secret': 'opens nothing that its user has not agreed to',
  'POST /user/two_factor': 'is taken from a session alone',
  'POST /runners': 'is made with a registration token, which is the place’s',
  'POST /runners/verify': 'tells the token it was sent',
  'POST /runners/reset_authentication_token': 'takes the place of the token itself',
  'POST /runners/:runner_id/reset_authentication_token': 'is the runner’s, which stands for nobody',
  'POST /runners/reset_registration_token': 'is the place’s',
  'POST /user/runners': 'is the runner’s, which stands for nobody',
  'POST /projects/:id/runners/reset_registration_token': 'is the place’s',
  'POST /groups/:id/runners/reset_registration_token': 'is the place’s',
  'POST /projects/:id/alert_management/integrations': 'takes alerts, and opens nothing',
  'PUT /projects/:id/alert_management/integrations/:integration_id': 'tells the token again',
  'POST /projects/:id/alert_management/integrations/:integration_id/reset_token':
    'takes alerts, and opens nothing',
}

it('is said of every operation that answers a secret', () => {
  const answering = endpoints.filter(
    ({ method, answers }) =>
      method !== 'GET' && /[{,]"(token|secret)":\{/.test(JSON.stringify(answers)),
  )
  const names = [...new Set(answering.map((endpoint) => nameOf(endpoint)))]
  expect(names.toSorted()).toEqual(Object.keys(decisions).toSorted())
})

const day = (add: number, clock: () => Date) =>
  new Date(clock().getTime() + add * 24 * 60 * 60_000).toISOString().slice(0, 10)

describe('What a token makes', () => {
  let world: World
  let project: number
  beforeAll(async () => {
    world = await newWorld()
    project = (await world.newProject({ files: { a: 'a' } })).id
  })

  /** A token with a last day, of an administrator. */
  async function newParent() {
    const body = { name: 'parent', scopes: ['api'], expires_at: day(10, world.app.clock.now) }
    const made = (await world.as('admin').post('/user/personal_access_tokens', body)).json()
    return { id: made.id as number, client: world.app.client(made.token) }
  }
  const scopes = ['read_api']
  const opens = async (token: string) =>
    (await world.app.client(token).get('/user')).statusCode === 200
  const clones = async (token: string, username: string) => {
    const { full_path } = (await findPath()) as { full_path: string }
    const answer = await world.app.server.inject({
      url: `/${full_path}.git/info/refs?service=git-upload-pack`,
      headers: { host: 'bloomery.test', authorization: `Basic ${btoa(`${username}:${token}`)}` },
    })
    return answer.statusCode === 200
  }
  const findPath = async () => ({
    full_path: (await world.as('owner').get(`/projects/${project}`)).json().path_with_namespace,
  })
  const starts = async (token: string) => {
    const body = { token, ref: 'main' }
    const answer = await world.as('anonymous').post(`/projects/${project}/trigger/pipeline`, body)
    return !answer.body.includes('Insufficient permissions')
  }

  type Made = { token: string; username: string; expires_at?: string | null }
  type Way = {
    /** What has to be there first, made by somebody else. */
    prepare?: () => Promise<{ id: number }>
    url: (id: number) => string
    body: () => object
    works: (made: Made) => Promise<boolean>
  }
  const ownToken = () => ({ name: 'child', scopes })
  const user = () => world.users.guest.id
  const group = () => world.groups.shut.id
  const made = async (url: string, body: object) => (await world.as('admin').post(url, body)).json()
  const ways: Record<string, Way> = {
    'POST /user/personal_access_tokens': {
      ...{ url: () => '/user/personal_access_tokens', body: ownToken },
      works: ({ token }) => opens(token),
    },
    'POST /users/:user_id/personal_access_tokens': {
      ...{ url: () => `/users/${user()}/personal_access_tokens`, body: ownToken },
      works: ({ token }) => opens(token),
    },
    'POST /users/:user_id/impersonation_tokens': {
      ...{ url: () => `/users/${user()}/impersonation_tokens`, body: ownToken },
      works: ({ token }) => opens(token),
    },
    'POST /personal_access_tokens/:id/rotate': {
      prepare: () => made(`/users/${user()}/personal_access_tokens`, ownToken()),
      ...{ url: (id) => `/personal_access_tokens/${id}/rotate`, body: () => ({}) },
      works: ({ token }) => opens(token),
    },
    'POST /projects/:id/access_tokens': {
      ...{ url: () => `/projects/${project}/access_tokens`, body: ownToken },
      works: ({ token }) => opens(token),
    },
    'POST /groups/:id/access_tokens': {
      ...{ url: () => `/groups/${group()}/access_tokens`, body: ownToken },
      works: ({ token }) => opens(token),
    },
    'POST /projects/:id/access_tokens/:token_id/rotate': {
      prepare: () => made(`/projects/${project}/access_tokens`, ownToken()),
      ...{ url: (id) => `/projects/${project}/access_tokens/${id}/rotate`, body: () => ({}) },
      works: ({ token }) => opens(token),
    },
    'POST /groups/:id/access_tokens/:token_id/rotate': {
      prepare: () => made(`/groups/${group()}/access_tokens`, ownToken()),
      ...{ url: (id) => `/groups/${group()}/access_tokens/${id}/rotate`, body: () => ({}) },
      works: ({ token }) => opens(token),
    },
    'POST /projects/:id/deploy_tokens': {
      url: () => `/projects/${project}/deploy_tokens`,
      body: () => ({ name: 'child', scopes: ['read_repository'] }),
      works: ({ token, username }) => clones(token, username),
    },
    'POST /groups/:id/deploy_tokens': {
      url: () => `/groups/${group()}/deploy_tokens`,
      body: () => ({ name: 'child', scopes: ['read_repository'] }),
      works: ({ token, username }) => clones(token, username),
    },
    'POST /projects/:id/triggers': {
      ...{ url: () => `/projects/${project}/triggers`, body: () => ({ description: 'child' }) },
      works: ({ token }) => starts(token),
    },
  }

  it('is tried in every way that is said to end', () => {
    const ending = Object.keys(decisions).filter((name) => decisions[name] === 'ends')
    expect(Object.keys(ways).toSorted()).toEqual(ending.toSorted())
  })

  async function make(way: Way) {
    const { id = 0 } = (await way.prepare?.()) ?? {}
    const parent = await newParent()
    const answer = await parent.client.post(way.url(id), way.body())
    expect([answer.statusCode, answer.json()]).toEqual([
      expect.toSatisfy((status: number) => status === 200 || status === 201),
      expect.objectContaining({ token: expect.any(String) }),
    ])
    return { parent, child: answer.json() as Made }
  }

  it.each(Object.entries(ways))('ends with the token: %s', async (_, way) => {
    const { parent, child } = await make(way)
    expect(await way.works(child)).toBe(true)
    await world.as('admin').delete(`/personal_access_tokens/${parent.id}`)
    expect(await way.works(child)).toBe(false)
  })

  it.each(Object.entries(ways))('ends no later than the token: %s', async (_, way) => {
    const { child } = await make(way)
    if (child.expires_at != null) {
      expect(child.expires_at.slice(0, 10) <= day(10, world.app.clock.now)).toBe(true)
    }
    world.app.clock.advance(10 * 24 * 60 * 60_000)
    expect(await way.works(child)).toBe(false)
    const { id = 0 } = (await way.prepare?.()) ?? {}
    const later = { ...way.body(), expires_at: day(11, world.app.clock.now) }
    const answer = await (await newParent()).client.post(way.url(id), later)
    const end = String(answer.json().expires_at ?? '').slice(0, 10)
    const isShorter = answer.statusCode < 300 && end <= day(10, world.app.clock.now)
    expect([answer.body, isShorter || answer.statusCode >= 400]).toEqual([answer.body, true])
  })

  it('of a deploy token says that it is revoked', async () => {
    const way = ways['POST /projects/:id/deploy_tokens']
    if (!way) throw new Error('unreachable')
    const { parent, child } = await make(way)
    await world.as('admin').delete(`/personal_access_tokens/${parent.id}`)
    const listed = (await world.as('owner').get(`${way.url(0)}?per_page=100`)).json()
    const its = listed.find(({ username }: Made) => username === child.username)
    expect(its).toMatchObject({ revoked: true, expired: false })
    const active = (await world.as('owner').get(`${way.url(0)}?active=true`)).json()
    expect(active.map(({ username }: Made) => username)).not.toContain(child.username)
  })

  it('ends also where a token that was used up before is used once more', async () => {
    const first = await made('/user/personal_access_tokens', { name: 'a', scopes: ['api'] })
    const second = (
      await world.app.client(first.token).post('/personal_access_tokens/self/rotate')
    ).json()
    const child = await world.app
      .client(second.token)
      .post(`/projects/${project}/access_tokens`, ownToken())
    expect(await opens(child.json().token)).toBe(true)
    await world.app.client(first.token).post('/personal_access_tokens/self/rotate')
    expect(await opens(second.token)).toBe(false)
    expect(await opens(child.json().token)).toBe(false)
  })
})
