// Applications that users register for themselves.
import { beforeAll, describe, expect, it } from 'vitest'
import { newPasswordUser, testPassword } from '../../../../test/kit/session.ts'
import { formOf, newVisitor } from '../../../../test/kit/visitor.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { createOauthTokenPair } from './oauth-token.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const back = 'https://app.example.test/back'
const body = { name: 'Mine', redirect_uri: back, scopes: 'api openid' }
const hex = expect.stringMatching(/^[0-9a-f]{64}$/)
const missing = { message: '404 Application Not Found' }

type Registered = { id: number; application_id: string; secret: string }

async function register(who: Parameters<World['as']>[0], fields: object = {}): Promise<Registered> {
  const made = await world.as(who).post('/user/applications', { ...body, ...fields })
  expect(made.statusCode).toBe(201)
  return made.json()
}

/** The audit events about an application, oldest first. */
async function eventsOf({ id }: { id: number }) {
  return world.app.db
    .selectFrom('audit_events')
    .select(['action', 'entity_type', 'entity_id', 'details'])
    .where('target_type', '=', 'Authn::OauthApplication')
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
}

describe('POST /user/applications', () => {
  it('is for whoever is signed in', async () => {
    const anonymous = await world.as('anonymous').post('/user/applications', body)
    expect([anonymous.statusCode, anonymous.json()]).toEqual([401, { message: '401 Unauthorized' }])
    for (const who of ['outsider', 'guest', 'admin'] as const) {
      expect((await world.as(who).post('/user/applications', body)).statusCode).toBe(201)
    }
  })

  it('answers the secret once, and stores its digest alone', async () => {
    const made = await register('developer')
    expect(made).toEqual({
      id: expect.any(Number),
      application_id: hex,
      application_name: 'Mine',
      callback_url: back,
      confidential: true,
      scopes: ['api', 'openid'],
      created_at: world.app.clock.now().toISOString(),
      secret: hex,
    })
    const { secret, ...shown } = made
    const listed = await world.as('developer').get('/user/applications')
    expect(listed.json()).toEqual([shown])
    const stored = await world.app.db.selectFrom('oauth_applications').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(secret)
    const { id: user_id } = (await world.as('developer').get('/user')).json()
    expect(await eventsOf(made)).toEqual([
      {
        action: 'application_created',
        entity_type: 'User',
        entity_id: user_id,
        details: {
          redirect_uri: back,
          scopes: ['api', 'openid'],
          confidential: true,
          trusted: false,
        },
      },
    ])
  })

  it.each([
    [{}, { error: 'name is missing, redirect_uri is missing, scopes is missing, scopes is empty' }],
    [{ ...body, name: ' ' }, { message: { name: ["can't be blank"] } }],
    [
      { ...body, name: 'n'.repeat(256) },
      { message: { name: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { ...body, redirect_uri: 'javascript:alert(1)' },
      { message: { redirect_uri: ['is forbidden by the server.'] } },
    ],
    [
      { ...body, scopes: 'api nonsense' },
      { message: { scopes: ["doesn't match configured on the server."] } },
    ],
    // Whose rights it would be are everybody's.
    [
      { ...body, scopes: 'api sudo' },
      { message: { scopes: ["doesn't match configured on the server."] } },
    ],
  ])('refuses %j', async (given, answer) => {
    const made = await world.as('reporter').post('/user/applications', given)
    expect([made.statusCode, made.json()]).toEqual([400, answer])
    expect((await world.as('reporter').get('/user/applications')).json()).toEqual([])
  })

  it('makes none that users are not asked about', async () => {
    const { id } = await register('maintainer', { trusted: true })
    const { trusted } = await world.app.db
      .selectFrom('oauth_applications')
      .select('trusted')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(trusted).toBe(false)
  })

  it('takes a hundred of a user, whatever others have', async () => {
    const { user } = await newPasswordUser(world)
    const {
      created_at,
      id: _,
      ...like
    } = await world.app.db
      .selectFrom('oauth_applications')
      .selectAll()
      .where('id', '=', (await register('admin')).id)
      .executeTakeFirstOrThrow()
    for (let index = 0; index < 100; index++) {
      await world.app.db
        .insertInto('oauth_applications')
        .values({
          ...like,
          uid: index.toString(16).padStart(64, '0'),
          owner_id: user.id,
          scopes: JSON.stringify(like.scopes),
          created_at,
        })
        .execute()
    }
    const sudo = { headers: { sudo: user.username } }
    const made = await world.as('admin').post('/user/applications', body, sudo)
    expect([made.statusCode, made.json()]).toEqual([
      400,
      { message: { base: ['Too many applications'] } },
    ])
    const page = await world.as('admin').get('/user/applications?per_page=30&page=4', sudo)
    expect([page.json().length, page.headers['x-total']]).toEqual([10, '100'])
    await register('owner')
  })

  it('is refused where the instance does not let users, who keep what they have', async () => {
    const kept = await register('guest')
    await world.as('admin').put('/application/settings', { user_oauth_applications: false })
    try {
      const made = await world.as('guest').post('/user/applications', body)
      expect([made.statusCode, made.json()]).toEqual([
        403,
        { message: '403 Forbidden - Only administrators register applications on this server' },
      ])
      const renewed = await world.as('guest').post(`/user/applications/${kept.id}/renew-secret`)
      expect(renewed.statusCode).toBe(201)
      expect((await world.as('guest').delete(`/user/applications/${kept.id}`)).statusCode).toBe(204)
    } finally {
      await world.as('admin').put('/application/settings', { user_oauth_applications: true })
    }
  })
})

describe('Applications of a user', () => {
  it('are changed field by field, and keep their secret until it is renewed', async () => {
    const made = await register('owner', { name: 'First' })
    const path = `/user/applications/${made.id}`
    const { secret, ...shown } = made
    const renamed = await world.as('owner').put(path, { name: 'Second' })
    expect([renamed.statusCode, renamed.json()]).toEqual([
      200,
      { ...shown, application_name: 'Second' },
    ])
    const other = { redirect_uri: `${back}/2`, scopes: ['read_user'], confidential: false }
    expect((await world.as('owner').put(path, other)).json()).toEqual({
      ...shown,
      application_name: 'Second',
      callback_url: `${back}/2`,
      scopes: ['read_user'],
      confidential: false,
    })
    for (const [given, answer] of [
      [{ name: '' }, { message: { name: ["can't be blank"] } }],
      [{ scopes: 'sudo' }, { message: { scopes: ["doesn't match configured on the server."] } }],
      [{ redirect_uri: 'x' }, { message: { redirect_uri: ['must be an absolute URI.'] } }],
    ]) {
      const refused = await world.as('owner').put(path, given)
      expect([refused.statusCode, refused.json()]).toEqual([400, answer])
    }
    const actions = (await eventsOf(made)).map(({ action }) => action)
    expect(actions).toEqual(['application_created', 'application_updated', 'application_updated'])
    const form = { grant_type: 'client_credentials', client_id: made.application_id }
    const token = (client_secret: string) =>
      world.app.server.inject({
        method: 'POST',
        url: '/oauth/token',
        payload: { ...form, client_secret },
      })
    await world.as('owner').put(path, { confidential: true })
    expect((await token(secret)).statusCode).toBe(200)
    const renewed = (await world.as('owner').post(`${path}/renew-secret`)).json()
    expect(renewed).toEqual({ ...renewed, application_id: made.application_id, secret: hex })
    expect((await token(secret)).statusCode).toBe(401)
    expect((await token(renewed.secret)).statusCode).toBe(200)
  })

  it('are nobody else’s, administrators included', async () => {
    const { id } = await register('developer')
    const instances = (await world.as('admin').post('/applications', body)).json()
    for (const [who, path] of [
      ['maintainer', `/user/applications/${id}`],
      ['admin', `/user/applications/${id}`],
      ['admin', `/applications/${id}`],
      ['admin', `/user/applications/${instances.id}`],
    ] as const) {
      for (const answer of [
        path.startsWith('/user') ? await world.as(who).put(path, { name: 'x' }) : undefined,
        await world.as(who).post(`${path}/renew-secret`),
        await world.as(who).delete(path),
      ]) {
        if (answer) expect([answer.statusCode, answer.json()]).toEqual([404, missing])
      }
    }
    const idsOf = async (who: 'admin' | 'developer', path: string) =>
      (await world.as(who).get(`${path}?per_page=100`)).json().map((one: { id: number }) => one.id)
    expect(await idsOf('admin', '/applications')).not.toContain(id)
    expect(await idsOf('admin', '/applications')).toContain(instances.id)
    expect(await idsOf('admin', '/user/applications')).not.toContain(id)
    expect(await idsOf('developer', '/user/applications')).toContain(id)
  })

  it('are not managed by what an application was given', async () => {
    const { id } = await register('developer')
    const { id: user_id } = (await world.as('developer').get('/user')).json()
    const grant = { application_id: id, user_id, scopes: ['api'], auth_time: null }
    const { db, clock } = world.app
    const { access_token } = await createOauthTokenPair(db, clock.now, grant)
    const headers = { authorization: `Bearer ${access_token}` }
    const client = world.app.client()
    const path = `/user/applications/${id}`
    for (const answer of [
      await client.post('/user/applications', body, { headers }),
      await client.put(path, { redirect_uri: 'https://evil.test/' }, { headers }),
      await client.post(`${path}/renew-secret`, undefined, { headers }),
      await client.delete(path, undefined, { headers }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    expect((await client.get('/user/applications', { headers })).statusCode).toBe(200)
    // Its end is the end of what it was given.
    expect((await world.as('developer').delete(path)).statusCode).toBe(204)
    expect((await client.get('/user', { headers })).statusCode).toBe(401)
  })

  it('end with their user', async () => {
    const { user } = await newPasswordUser(world)
    const sudo = { headers: { sudo: user.username } }
    const made = await world.as('admin').post('/user/applications', body, sudo)
    const { id, application_id } = made.json()
    const removed = await world.as('admin').delete(`/users/${user.id}?hard_delete=true`)
    expect(removed.statusCode).toBe(204)
    await world.app.worker.drain()
    const query = world.app.db.selectFrom('oauth_applications').where('id', '=', id)
    expect(await query.selectAll().execute()).toEqual([])
    const asked = new URLSearchParams({ client_id: application_id, redirect_uri: back })
    const page = await newVisitor(world.app).get(`/oauth/authorize?${asked}&response_type=code`)
    expect(page.statusCode).toBe(400)
  })
})

describe('The pages that ask whether an application may act', () => {
  it('name the user who registered it, and nobody for one of the instance', async () => {
    const { user } = await newPasswordUser(world)
    const owner = (await newPasswordUser(world)).user
    const sudo = { headers: { sudo: owner.username } }
    const fields = { ...body, confidential: false }
    const own = (await world.as('admin').post('/user/applications', fields, sudo)).json()
    const instances = (await world.as('admin').post('/applications', fields)).json()
    const visitor = newVisitor(world.app)
    const page = await visitor.get('/users/sign_in')
    const form = { ...formOf(page).hidden, login: user.username, password: testPassword }
    await visitor.post('/users/sign_in', form)
    const consentTo = async ({ application_id }: Registered) => {
      const asked = { client_id: application_id, redirect_uri: back, response_type: 'code' }
      return (await visitor.get(`/oauth/authorize?${new URLSearchParams(asked)}`)).body
    }
    const deviceFor = async ({ application_id: client_id }: Registered) => {
      const begun = await world.app.server.inject({
        method: 'POST',
        url: '/oauth/authorize_device',
        payload: { client_id, scope: 'api' },
      })
      const { hidden } = formOf(await visitor.get('/oauth/device'))
      const { user_code } = begun.json()
      return (await visitor.post('/oauth/device', { ...hidden, user_code })).body
    }
    const english = `This application was registered by the user <strong>${owner.username}</strong>.`
    for (const ask of [consentTo, deviceFor]) {
      expect(await ask(own)).toContain(english)
      expect(await ask(instances)).not.toContain('was registered by')
    }
    visitor.cookies.set('bloomery_language', 'de')
    expect(await consentTo(own)).toContain(
      `Diese Anwendung wurde von <strong>${owner.username}</strong> registriert.`,
    )
  })
})
