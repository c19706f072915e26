import { beforeAll, describe, expect, it } from 'vitest'
import { type Browser, browserAs, impersonate } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { presentBasicUser, type User } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

let made = 0
const newProjectBody = () => ({ name: `Impersonated ${++made}` })
const basic = (user: User) => presentBasicUser(user, 'http://bloomery.test')
const set = (id: number, fields: object) =>
  world.app.db.updateTable('users').set(fields).where('id', '=', id).execute()
const told = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  answer.json(),
]
const forbidden = (text: string) => [403, { message: `403 Forbidden - ${text}` }]

/** Who a browser is signed in as; undefined where nobody. */
async function nameOf({ client }: Browser): Promise<string | undefined> {
  return (await client.get('/user')).json().username
}

/** An administrator in a browser, and a user. */
async function open() {
  const { user: administrator } = await world.newUser({ is_admin: true })
  const { user, client } = await world.newUser()
  const browser = await browserAs(world, administrator)
  return { administrator, browser, user, client, url: `/users/${user.id}/impersonation` }
}

describe('POST /users/:id/impersonation', () => {
  it('signs the browser in as the user, and says so', async () => {
    const { administrator, browser, user, client, url } = await open()
    await set(user.id, { last_activity_on: null })
    const answer = await browser.client.post(url)
    expect(told(answer)).toEqual([
      201,
      {
        ...(await client.get('/user')).json(),
        last_activity_on: null,
        csrf_token: expect.stringMatching(/^[\w-]{43}$/),
        password_expired: false,
        tier: 'ultimate',
        preferences: (await client.get('/user/preferences')).json(),
        impersonator: basic(administrator),
      },
    ])
    const acting = await impersonate(world, browser, user.id)
    expect(await nameOf(acting)).toBe(user.username)
    const session = await acting.client.get('/session')
    expect(session.json()).toMatchObject({
      username: user.username,
      impersonator: basic(administrator),
    })
    // What only administrators may is left behind, and writes want the token of the session.
    expect((await acting.client.get('/application/settings')).statusCode).toBe(403)
    expect((await acting.reads.post('/projects', newProjectBody())).statusCode).toBe(401)
    const made = await acting.client.post('/projects', newProjectBody())
    expect(made.json()).toMatchObject({ creator_id: user.id })
  })

  it('is no activity of the user', async () => {
    const { browser, user, url } = await open()
    const activity = () =>
      world.app.db
        .selectFrom('users')
        .select(['last_activity_on', 'sign_in_count', 'current_sign_in_at'])
        .where('id', '=', user.id)
        .executeTakeFirst()
    const before = await activity()
    await browser.client.post(url)
    await (await impersonate(world, browser, user.id)).client.get('/user')
    expect(await activity()).toEqual(before)
  })

  it('is told by audit events: its beginning, its end, and what is done between', async () => {
    const { administrator, browser, user } = await open()
    const acting = await impersonate(world, browser, user.id)
    await acting.client.post('/user/emails', { email: `further-${user.id}@example.com` })
    await acting.client.delete('/session/impersonation')
    const events = await world.app.db
      .selectFrom('audit_events')
      .select(['author_id', 'action', 'entity_type', 'entity_id', 'details'])
      .where('author_id', 'in', [administrator.id, user.id])
      .orderBy('id')
      .execute()
    const { id, username } = administrator
    const by = { impersonated_by_id: id, impersonated_by: username }
    const ofUser = { author_id: id, entity_type: 'User', entity_id: user.id }
    expect(events).toEqual([
      { ...ofUser, action: 'impersonation_started', details: {} },
      expect.objectContaining({
        author_id: user.id,
        action: 'email_added',
        details: expect.objectContaining(by),
      }),
      { ...ofUser, action: 'impersonation_ended', details: {} },
    ])
  })

  it('is seen among the sessions of the user, takes the place of none, and is one at a time', async () => {
    const { browser, user, client } = await open()
    const own = await browserAs(world, user)
    const first = await impersonate(world, browser, user.id)
    const second = await impersonate(world, browser, user.id)
    expect([await nameOf(first), await nameOf(second)]).toEqual([undefined, user.username])
    const listed = (await client.get('/user/sessions')).json()
    expect(listed.map((one: { impersonated: boolean }) => one.impersonated)).toEqual([true, false])
    for (let count = 0; count < 99; count++) await browserAs(world, user)
    expect([await nameOf(own), await nameOf(second)]).toEqual([user.username, user.username])
  })

  it('is for administrators in a browser, who are nobody else', async () => {
    const { browser, user, url } = await open()
    expect((await world.as('anonymous').post(url)).statusCode).toBe(401)
    const { user: stranger, client } = await world.newUser()
    expect((await client.post(url)).statusCode).toBe(403)
    expect((await (await browserAs(world, stranger)).client.post(url)).statusCode).toBe(403)
    expect((await browser.reads.post(url)).statusCode).toBe(401)
    expect(told(await world.as('admin').post(url))).toEqual(
      forbidden('Users are impersonated in a browser'),
    )
    // Of two administrators, one who acts as the other.
    const { user: other } = await world.newUser({ is_admin: true })
    const acting = await impersonate(world, browser, other.id)
    expect(told(await acting.client.post(url))).toEqual(
      forbidden('You are already impersonating a user'),
    )
    expect(await nameOf(acting)).toBe(other.username)
    expect((await browser.client.post('/users/0/impersonation')).json()).toEqual({
      message: '404 User Not Found',
    })
    expect(user.username).not.toBe(other.username)
  })

  it('is not of oneself, of bots, nor of accounts that cannot sign in', async () => {
    const { administrator, browser } = await open()
    const impersonateWith = async (fields: object) => {
      const { user } = await world.newUser(fields)
      return told(await browser.client.post(`/users/${user.id}/impersonation`))
    }
    expect(told(await browser.client.post(`/users/${administrator.id}/impersonation`))).toEqual(
      forbidden('You cannot impersonate yourself'),
    )
    for (const user_type of ['project_bot', 'ghost']) {
      expect(await impersonateWith({ user_type })).toEqual(
        forbidden('You cannot impersonate a bot or an internal user'),
      )
    }
    for (const fields of [
      { state: 'blocked' },
      { state: 'blocked_pending_approval' },
      { confirmed_at: null },
      { password_expires_at: '2026-01-01T00:00:00.000Z' },
    ]) {
      expect(await impersonateWith(fields)).toEqual(
        forbidden('You cannot impersonate a user who cannot sign in'),
      )
    }
  })
})

describe('An impersonation', () => {
  const ends: [string, (of: { administrator: User; user: User; browser: Browser }) => unknown][] = [
    [
      'is no administrator any more',
      ({ administrator }) => set(administrator.id, { is_admin: false }),
    ],
    [
      'has been blocked',
      ({ administrator }) => world.as('admin').post(`/users/${administrator.id}/block`),
    ],
    [
      'has another password',
      ({ administrator }) => set(administrator.id, { password_digest: 'another' }),
    ],
    ['has signed out', ({ browser }) => browser.client.delete('/session')],
    ['was away for so long that the own session ended', () => world.app.clock.advance(14 * day_ms)],
  ]
  const day_ms = 24 * 60 * 60_000

  it.each(ends)('ends when the administrator %s', async (_, end) => {
    const { administrator, browser, user } = await open()
    const acting = await impersonate(world, browser, user.id)
    expect(await nameOf(acting)).toBe(user.username)
    await end({ administrator, user, browser })
    expect((await acting.client.get('/user')).statusCode).toBe(401)
    const stopped = await acting.client.delete('/session/impersonation')
    expect(stopped.statusCode).toBe(401)
  })

  it('ends when the account of the user is blocked', async () => {
    const { browser, user } = await open()
    const acting = await impersonate(world, browser, user.id)
    await world.as('admin').post(`/users/${user.id}/block`)
    expect((await acting.client.get('/user')).statusCode).toBe(401)
  })
})

describe('DELETE /session/impersonation', () => {
  it('goes on with the session of the administrator, under a new cookie', async () => {
    const { administrator, browser, user } = await open()
    const acting = await impersonate(world, browser, user.id)
    const answer = await acting.client.delete('/session/impersonation')
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { username: administrator.username, is_admin: true, impersonator: null },
    ])
    const [first, second] = [answer.headers['set-cookie']].flat()
    expect(first).toMatch(/^bloomery_session=[\w-]{43}; /)
    expect(second).toMatch(/^bloomery_signed_in=1; /)
    const cookie = String(first).split(';')[0] ?? ''
    const headers = { cookie, 'x-csrf-token': answer.json().csrf_token }
    const client = world.app.client()
    expect((await client.get('/user', { headers })).json().username).toBe(administrator.username)
    expect((await client.get('/session', { headers })).json().impersonator).toBe(null)
    expect([await nameOf(acting), await nameOf(browser)]).toEqual([undefined, undefined])
    const sessions = (await client.get('/user/sessions', { headers })).json()
    expect(sessions.map((one: { impersonated: boolean }) => one.impersonated)).toEqual([false])
  })

  it('is for whoever impersonates somebody', async () => {
    const { browser, client } = await open()
    expect((await world.as('anonymous').delete('/session/impersonation')).statusCode).toBe(401)
    for (const other of [client, browser.client, world.as('admin')]) {
      expect(told(await other.delete('/session/impersonation'))).toEqual(
        forbidden('You are not impersonating a user'),
      )
    }
    // Who acts as somebody by sudo impersonates nobody.
    const { user } = await world.newUser()
    const sudo = await world
      .as('admin')
      .delete('/session/impersonation', undefined, { headers: { sudo: user.username } })
    expect(told(sudo)).toEqual(forbidden('You are not impersonating a user'))
  })
})

describe('DELETE /session', () => {
  it('signs the administrator out as well', async () => {
    const { browser, user } = await open()
    const own = await browserAs(world, user)
    const acting = await impersonate(world, browser, user.id)
    expect((await acting.client.delete('/session')).statusCode).toBe(204)
    expect([await nameOf(acting), await nameOf(browser)]).toEqual([undefined, undefined])
    expect(await nameOf(own)).toBe(user.username)
  })
})
