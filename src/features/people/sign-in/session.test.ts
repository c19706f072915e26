import { beforeAll, describe, expect, it } from 'vitest'
import { browserOf, newPasswordUser, signInAs, testPassword } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { sessionCookies } from '../../../http/session-cookie.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import { removeExpiredSessions } from '../sessions/session.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const day_ms = 24 * 60 * 60_000
const signIn = (body: object, headers = {}) =>
  world.app.client().post('/session', body, { headers })
const set = (id: number, fields: object) =>
  world.app.db.updateTable('users').set(fields).where('id', '=', id).execute()

describe('POST /session', () => {
  it('answers the signed-in user, a cookie and the token for writes', async () => {
    const { user, client } = await newPasswordUser(world)
    const answer = await signIn({ login: user.username, password: testPassword })
    expect(answer.statusCode).toBe(201)
    const own = (await client.get('/user')).json()
    expect(answer.json()).toEqual({
      ...own,
      current_sign_in_at: '2026-03-01T12:00:00.000Z',
      last_sign_in_at: '2026-03-01T12:00:00.000Z',
      last_activity_on: '2026-03-01',
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      password_expired: false,
      tier: 'ultimate',
      preferences: (await client.get('/user/preferences')).json(),
      impersonator: null,
    })
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^bloomery_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
      ),
      'bloomery_signed_in=1; Path=/; Max-Age=1209600; SameSite=Lax',
    ])
  })

  it('sets cookies that only travel over TLS where the base URL is https', () => {
    expect(sessionCookies('c', { baseUrl: 'https://bloomery.test', age_s: 9 })).toEqual([
      '__Host-bloomery_session=c; Path=/; Max-Age=9; HttpOnly; SameSite=Lax; Secure',
      'bloomery_signed_in=1; Path=/; Max-Age=9; SameSite=Lax; Secure',
    ])
  })

  it('answers an administrator with the administrator view', async () => {
    const { user } = await newPasswordUser(world, { is_admin: true })
    const answer = await signIn({ login: user.username, password: testPassword })
    expect(answer.json()).toMatchObject({ is_admin: true, sign_in_count: 1 })
  })

  it('takes the address for the name, in any case', async () => {
    const { user } = await newPasswordUser(world)
    const login = user.email.toUpperCase()
    expect((await signIn({ login, password: testPassword })).statusCode).toBe(201)
  })

  it.each([
    [{}, { error: 'login is missing, login is empty, password is missing, password is empty' }],
    [{ login: ' ', password: '' }, { error: 'login is empty, password is empty' }],
    [{ login: ['x'], password: 'x' }, { error: 'login is invalid' }],
  ])('answers %j with 400', async (body, expected) => {
    const answer = await signIn(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('answers a wrong password, an unknown name and a user without a password alike', async () => {
    const { user } = await newPasswordUser(world)
    const { user: without } = await world.newUser()
    for (const [login, password] of [
      [user.username, 'another password'],
      ['nobody-of-that-name', testPassword],
      [without.username, ''.padEnd(8, 'x')],
    ]) {
      const answer = await signIn({ login, password })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({ message: '401 Unauthorized' })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  it.each([
    ['blocked', 'Your account has been blocked.'],
    [
      'blocked_pending_approval',
      'Your account is pending approval from your administrator and hence blocked.',
    ],
  ] as const)('tells a %s user so, who has the password', async (state, text) => {
    const { user } = await newPasswordUser(world, { state })
    const answer = await signIn({ login: user.username, password: testPassword })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ message: `403 Forbidden - ${text}` })
    const wrong = await signIn({ login: user.username, password: 'another password' })
    expect(wrong.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('makes a deactivated user active again', async () => {
    const { user } = await newPasswordUser(world, { state: 'deactivated' })
    const browser = await signInAs(world, user.username)
    expect((await browser.reads.get('/user')).json()).toMatchObject({ state: 'active' })
  })

  it('records the sign-in, and what was the one before', async () => {
    const { user } = await newPasswordUser(world)
    const data = async () => (await world.as('admin').get(`/users/${user.id}`)).json()
    await signInAs(world, user.username)
    world.app.clock.advance(60_000)
    await world.app.server.inject({
      method: 'POST',
      url: '/api/v4/session',
      headers: { host: 'bloomery.test' },
      payload: { login: user.username, password: testPassword },
      remoteAddress: '192.0.2.7',
    })
    const first = world.app.clock.now().getTime() - 60_000
    expect(await data()).toMatchObject({
      sign_in_count: 2,
      last_sign_in_at: new Date(first).toISOString(),
      last_sign_in_ip: '127.0.0.1',
      current_sign_in_at: new Date(first + 60_000).toISOString(),
      current_sign_in_ip: '192.0.2.7',
      last_activity_on: '2026-03-01',
    })
  })

  it('refuses the page of another site', async () => {
    const { user } = await newPasswordUser(world)
    const body = { login: user.username, password: testPassword }
    const answer = await signIn(body, { 'sec-fetch-site': 'cross-site' })
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('logs and stores neither the password nor the cookie', async () => {
    const { user } = await newPasswordUser(world)
    const { cookie, csrf_token } = await signInAs(world, user.username)
    await signIn({ login: user.username, password: 'a wrong password' })
    const log = JSON.stringify(world.app.log)
    const value = cookie.split('=')[1] ?? 'none'
    for (const secret of [testPassword, 'a wrong password', value, csrf_token]) {
      expect(log).not.toContain(secret)
    }
    const rows = await world.app.db.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('a session', () => {
  it('reads with the cookie alone and writes with the token beside it', async () => {
    const { user } = await newPasswordUser(world)
    const { reads, client, cookie } = await signInAs(world, user.username)
    expect((await reads.get('/user')).json()).toMatchObject({ id: user.id })
    expect((await reads.head('/user')).statusCode).toBe(200)
    const body = { name: 't', scopes: ['api'] }
    for (const csrf of ['', 'x', 'x'.repeat(43)]) {
      const headers = { 'x-csrf-token': csrf }
      const refused = await reads.post('/user/personal_access_tokens', body, { headers })
      expect(refused.statusCode).toBe(401)
    }
    expect((await client.post('/user/personal_access_tokens', body)).statusCode).toBe(201)
    const other = await signInAs(world, user.username)
    const mixed = { headers: { cookie, 'x-csrf-token': other.csrf_token } }
    const refused = await world.app.client().post('/user/personal_access_tokens', body, mixed)
    expect(refused.statusCode).toBe(401)
  })

  it('gives way to a token', async () => {
    const { user } = await newPasswordUser(world)
    const { reads } = await signInAs(world, user.username)
    const headers = { 'private-token': world.token('guest') }
    const answer = await reads.get('/user', { headers })
    expect(answer.json()).toMatchObject({ id: world.users.guest.id })
    const bad = await reads.get('/user', { headers: { 'private-token': 'x' } })
    expect(bad.statusCode).toBe(401)
  })

  it('that is unknown stands in nobody’s way', async () => {
    const headers = { cookie: 'a=b; bloomery_session=nothing; c' }
    const open = await world.app.client().get(`/projects/${world.projects.open.id}`, { headers })
    expect(open.statusCode).toBe(200)
    expect((await world.app.client().get('/user', { headers })).statusCode).toBe(401)
  })

  it('may not use sudo', async () => {
    const { user } = await newPasswordUser(world, { is_admin: true })
    const { reads } = await signInAs(world, user.username)
    const answer = await reads.get(`/user?sudo=${world.users.guest.id}`)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({
      message:
        '403 Forbidden - Must be authenticated using an OAuth or personal access token to use sudo',
    })
  })

  it('ends two weeks after its last use', async () => {
    const { user } = await newPasswordUser(world)
    const { reads } = await signInAs(world, user.username)
    world.app.clock.advance(13 * day_ms)
    expect((await reads.get('/user')).statusCode).toBe(200)
    world.app.clock.advance(13 * day_ms)
    expect((await reads.get('/user')).json()).toMatchObject({
      last_activity_on: world.app.clock.now().toISOString().slice(0, 10),
    })
    world.app.clock.advance(14 * day_ms)
    expect((await reads.get('/user')).statusCode).toBe(401)
    const newer = await signInAs(world, user.username)
    expect((await newer.reads.get('/user/sessions')).json()).toHaveLength(1)
    const { id } = (await newer.reads.get('/user/sessions')).json()[0]
    await removeExpiredSessions({ db: world.app.db, clock: world.app.clock.now })
    const left = await world.app.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user.id)
      .execute()
    expect(left).toEqual([{ id }])
  })

  it('of a user who is blocked does nothing, and is gone when they are let in again', async () => {
    const { user } = await newPasswordUser(world)
    const { reads } = await signInAs(world, user.username)
    await set(user.id, { state: 'blocked' })
    const answer = await reads.get('/user')
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ message: '403 Forbidden - Your account has been blocked.' })
    await removeExpiredSessions({ db: world.app.db, clock: world.app.clock.now })
    await set(user.id, { state: 'active' })
    expect((await reads.get('/user')).statusCode).toBe(401)
  })

  it('ends with the password it was begun by, whoever changes it', async () => {
    const { user, client } = await newPasswordUser(world)
    const { reads } = await signInAs(world, user.username)
    expect((await client.get('/user/sessions')).json()).toHaveLength(1)
    await set(user.id, { password_digest: await hashPassword('one of an administrator') })
    expect((await reads.get('/user')).statusCode).toBe(401)
    expect((await client.get('/user/sessions')).json()).toEqual([])
  })

  it('gives way when a user has a hundred newer ones', async () => {
    const { user } = await newPasswordUser(world)
    const { user: other } = await newPasswordUser(world)
    const others = await signInAs(world, other.username)
    const { reads } = await signInAs(world, user.username)
    const [row] = await world.app.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute()
    if (!row) throw new Error('The session is gone.')
    const { id: _, ...fields } = row
    const more = Array.from({ length: 99 }, (_, i) => ({ ...fields, digest: `${user.id}-${i}` }))
    await world.app.db.insertInto('sessions').values(more).execute()
    await signInAs(world, other.username)
    expect((await reads.get('/user')).statusCode).toBe(200)
    expect((await others.reads.get('/user')).statusCode).toBe(200)
    const newest = await signInAs(world, user.username)
    expect((await reads.get('/user')).statusCode).toBe(401)
    expect((await others.reads.get('/user')).statusCode).toBe(200)
    expect((await newest.reads.get('/user/sessions')).headers['x-total']).toBe('100')
  })

  it('notes the time and address of its own use alone', async () => {
    const [one, other] = [await newPasswordUser(world), await newPasswordUser(world)]
    const browser = await signInAs(world, one.user.username)
    await signInAs(world, other.user.username)
    const ofOther = async () => {
      const { last_activity_on } = (await world.as('admin').get(`/users/${other.user.id}`)).json()
      const sessions = (await world.as('admin').get(`/users/${other.user.id}/sessions`)).json()
      return { last_activity_on, sessions }
    }
    const before = await ofOther()
    world.app.clock.advance(day_ms)
    expect((await browser.reads.get('/user')).statusCode).toBe(200)
    expect(await ofOther()).toEqual(before)
  })

  it('is found by one query', async () => {
    const { user } = await newPasswordUser(world)
    const { reads } = await signInAs(world, user.username)
    const counted = await world.app.count(() => reads.get('/user'))
    expect(counted).toEqual({ queries: 3, processes: 0 })
  })
})

describe('GET /session', () => {
  it('answers who is signed in, and the token again', async () => {
    const { user } = await newPasswordUser(world)
    const { reads, csrf_token, cookie } = await signInAs(world, user.username)
    const answer = await reads.get('/session')
    expect(answer.json()).toMatchObject({ id: user.id, csrf_token, password_expired: false })
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringContaining(cookie),
      expect.stringMatching(/^bloomery_signed_in=1;/),
    ])
  })

  it.each(['anonymous', 'guest'] as const)('answers %s, who has none, with 401', async (who) => {
    expect((await world.as(who).get('/session')).statusCode).toBe(401)
  })
})

describe('DELETE /session', () => {
  it('ends the session, and has the cookie forgotten', async () => {
    const { user } = await newPasswordUser(world)
    const { client, reads } = await signInAs(world, user.username)
    expect((await reads.delete('/session')).statusCode).toBe(401)
    const answer = await client.delete('/session')
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['set-cookie']).toEqual([
      'bloomery_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      'bloomery_signed_in=; Path=/; Max-Age=0; SameSite=Lax',
    ])
    expect((await reads.get('/user')).statusCode).toBe(401)
  })

  it.each(['anonymous', 'guest'] as const)('answers %s, who has none, with 401', async (who) => {
    expect((await world.as(who).delete('/session')).statusCode).toBe(401)
  })
})

describe('GET /user/sessions', () => {
  it("lists the caller's own, newest first, and which one asks", async () => {
    const { user, client } = await newPasswordUser(world)
    const first = await signInAs(world, user.username)
    const agent = { headers: { 'user-agent': 'A Browser/1' } }
    const body = { login: user.username, password: testPassword }
    const second = browserOf(world, await world.app.client().post('/session', body, agent))
    const now = world.app.clock.now()
    const listed = await second.reads.get('/user/sessions')
    expect(listed.headers['x-total']).toBe('2')
    expect(listed.json()).toEqual([
      {
        id: expect.any(Number),
        current: true,
        impersonated: false,
        ip_address: '127.0.0.1',
        user_agent: 'A Browser/1',
        created_at: now.toISOString(),
        last_used_at: now.toISOString(),
        expires_at: new Date(now.getTime() + 14 * day_ms).toISOString(),
      },
      expect.objectContaining({ current: false, user_agent: 'lightMyRequest' }),
    ])
    const byToken = (await client.get('/user/sessions')).json()
    expect(byToken.map(({ current }: { current: boolean }) => current)).toEqual([false, false])
    const url = `/user/sessions/${byToken[1].id}`
    expect((await world.as('guest').delete(url)).json()).toEqual({ message: '404 Not found' })
    expect((await world.as('anonymous').delete(url)).statusCode).toBe(401)
    expect((await second.client.delete(url)).statusCode).toBe(204)
    expect((await first.reads.get('/user')).statusCode).toBe(401)
    expect((await second.reads.get('/user')).statusCode).toBe(200)
    expect((await second.client.delete(url)).statusCode).toBe(404)
    expect((await world.as('anonymous').get('/user/sessions')).statusCode).toBe(401)
  })
})

describe('/users/:id/sessions', () => {
  it('are listed and ended by administrators alone, which an audit event tells', async () => {
    const { user } = await newPasswordUser(world)
    const browser = await signInAs(world, user.username)
    const url = `/users/${user.id}/sessions`
    const admin = world.as('admin')
    const listed = await admin.get(url)
    expect([listed.statusCode, listed.headers['x-total']]).toEqual([200, '1'])
    const [{ id, current }] = listed.json()
    expect(current).toBe(false)
    for (const [who, status] of [
      ['anonymous', 401],
      ['owner', 403],
    ] as const) {
      expect((await world.as(who).get(url)).statusCode).toBe(status)
      expect((await world.as(who).delete(`${url}/${id}`)).statusCode).toBe(status)
    }
    const other = `/users/${world.users.owner.id}/sessions/${id}`
    expect((await admin.delete(other)).statusCode).toBe(404)
    expect((await admin.get('/users/999999/sessions')).statusCode).toBe(404)
    expect((await browser.reads.get('/user')).statusCode).toBe(200)
    expect((await admin.delete(`${url}/${id}`)).statusCode).toBe(204)
    expect((await browser.reads.get('/user')).statusCode).toBe(401)
    const events = await admin.get(`/audit_events?entity_type=User&entity_id=${user.id}`)
    expect(events.json()[0]).toMatchObject({ event_name: 'session_ended', author_id: 1 })
  })
})

describe('PUT /user/password', () => {
  const other = 'quite another password'
  const change = { current_password: testPassword, password: other }

  it('changes it, and ends all other sessions', async () => {
    const { user } = await newPasswordUser(world)
    const first = await signInAs(world, user.username)
    const second = await signInAs(world, user.username)
    const { user: stranger } = await newPasswordUser(world)
    const strangers = await signInAs(world, stranger.username)
    expect((await first.client.put('/user/password', change)).statusCode).toBe(204)
    expect((await strangers.reads.get('/user')).statusCode).toBe(200)
    expect((await first.reads.get('/user')).statusCode).toBe(200)
    expect((await second.reads.get('/user')).statusCode).toBe(401)
    const old = await signIn({ login: user.username, password: testPassword })
    expect(old.statusCode).toBe(401)
    expect((await signIn({ login: user.username, password: other })).statusCode).toBe(201)
  })

  it('lets a user in again whose password has expired, who can do nothing else', async () => {
    const password_expires_at = world.app.clock.now().toISOString()
    const { user, client: byToken } = await newPasswordUser(world, { password_expires_at })
    const answer = await signIn({ login: user.username, password: testPassword })
    expect(answer.json()).toMatchObject({ password_expired: true })
    const { reads, client } = browserOf(world, answer)
    const expired = {
      message:
        '403 Forbidden - Your password expired. Please access GitLab from a web browser to update your password.',
    }
    expect((await reads.get('/user')).json()).toEqual(expired)
    expect((await client.post('/projects', { name: 'P' })).json()).toEqual(expired)
    expect((await byToken.get('/user')).json()).toEqual(expired)
    expect((await byToken.put('/user/password', change)).json()).toEqual(expired)
    expect((await reads.get('/session')).statusCode).toBe(200)
    expect((await client.put('/user/password', change)).statusCode).toBe(204)
    expect((await reads.get('/user')).statusCode).toBe(200)
    expect((await byToken.get('/user')).statusCode).toBe(200)
  })

  it.each([
    [
      {},
      {
        error:
          'current_password is missing, current_password is empty, password is missing, password is empty',
      },
    ],
    [
      { current_password: 'a wrong one', password: other },
      { message: { current_password: ['is invalid'] } },
    ],
    [
      { current_password: testPassword, password: 'short' },
      { message: { password: ['is too short (minimum is 8 characters)'] } },
    ],
    [
      { current_password: testPassword, password: 'x'.repeat(129) },
      { message: { password: ['is too long (maximum is 128 characters)'] } },
    ],
    [
      { current_password: testPassword, password: testPassword },
      { message: { password: ['must differ from the current one'] } },
    ],
  ])('answers %j with 400', async (body, expected) => {
    const { user } = await newPasswordUser(world)
    const { client } = await signInAs(world, user.username)
    const answer = await client.put('/user/password', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('answers an anonymous caller with 401', async () => {
    expect((await world.as('anonymous').put('/user/password', change)).statusCode).toBe(401)
  })
})
