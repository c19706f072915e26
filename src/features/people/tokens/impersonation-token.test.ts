import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const urlOf = (user_id: number) => `/users/${user_id}/impersonation_tokens`
const create = (user_id: number, fields: object = {}) =>
  world.as('admin').post(urlOf(user_id), { name: 'i', scopes: ['api'], ...fields })

describe('POST /users/:user_id/impersonation_tokens', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    const body = { name: 'i', scopes: ['api'] }
    expect((await world.as(who).post(urlOf(world.users.guest.id), body)).statusCode).toBe(status)
  })

  it('makes a token that acts as the user, who does not see it', async () => {
    const { user, client } = await world.newUser()
    const answer = await create(user.id, { scopes: 'api,read_user', expires_at: '2026-04-01' })
    expect(answer.statusCode).toBe(201)
    const { token, ...shown } = answer.json()
    expect(shown).toEqual({
      id: expect.any(Number),
      name: 'i',
      revoked: false,
      created_at: '2026-03-01T12:00:00.000Z',
      scopes: ['api', 'read_user'],
      user_id: user.id,
      last_used_at: null,
      active: true,
      expires_at: '2026-04-01',
      impersonation: true,
    })
    const actor = world.app.client(token)
    expect((await actor.get('/user')).json()).toMatchObject({ id: user.id })
    const names = (await client.get('/personal_access_tokens')).json()
    expect(names.map(({ name }: { name: string }) => name)).toEqual(['test'])
    const byAdmin = await world.as('admin').get(`/personal_access_tokens?user_id=${user.id}`)
    expect(byAdmin.headers['x-total']).toBe('1')
    const url = `/personal_access_tokens/${shown.id}`
    expect((await client.get(url)).statusCode).toBe(401)
    expect((await client.delete(url)).statusCode).toBe(400)
    expect((await actor.delete(url)).statusCode).toBe(400)
    expect((await actor.get('/user')).statusCode).toBe(200)
    await world.app.db
      .updateTable('users')
      .set({ state: 'blocked' })
      .where('id', '=', user.id)
      .execute()
    expect((await actor.get('/user')).json()).toEqual({
      message: '403 Forbidden - Your account has been blocked.',
    })
  })

  it.each([
    [{ name: undefined }, { error: 'name is missing' }],
    [{ expires_at: 'soon' }, { error: 'expires_at is invalid' }],
    [{ name: ' ' }, { message: { name: ["can't be blank"] } }],
    [{ scopes: undefined }, { message: { scopes: ["can't be blank"] } }],
    [{ scopes: ['all'] }, { message: { scopes: ['can only contain available scopes'] } }],
    [{ expires_at: '2026-02-28' }, { message: { expires_at: ['cannot be in the past'] } }],
  ])('answers %j with 400', async (fields, expected) => {
    const answer = await create(world.users.guest.id, fields)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })
})

describe('an impersonation token', () => {
  it('is listed by state, read and revoked by administrators', async () => {
    const { user } = await world.newUser()
    const one = (await create(user.id, { name: 'one' })).json()
    const two = (await create(user.id, { name: 'two' })).json()
    const url = `${urlOf(user.id)}/${two.id}`
    const { token: _, ...shown } = two
    expect((await world.as('admin').get(url)).json()).toEqual(shown)
    expect((await world.as('admin').delete(url)).statusCode).toBe(204)
    expect((await world.app.client(two.token).get('/user')).json()).toMatchObject({
      error: 'invalid_token',
    })
    const listed = async (query: string) =>
      (await world.as('admin').get(`${urlOf(user.id)}${query}`))
        .json()
        .map(({ name }: { name: string }) => name)
    expect(await listed('')).toEqual(['one', 'two'])
    expect(await listed('?state=all')).toEqual(['one', 'two'])
    expect(await listed('?state=active')).toEqual(['one'])
    expect(await listed('?state=inactive')).toEqual(['two'])
    const bad = await world.as('admin').get(`${urlOf(user.id)}?state=x`)
    expect(bad.json()).toEqual({ error: 'state does not have a valid value' })
    const since = { headers: { 'if-unmodified-since': 'Sun, 01 Feb 2026 00:00:00 GMT' } }
    const first = `${urlOf(user.id)}/${one.id}`
    expect((await world.as('admin').delete(first, undefined, since)).statusCode).toBe(412)
    for (const who of ['owner', 'anonymous'] as const) {
      const status = who === 'owner' ? 403 : 401
      expect((await world.as(who).get(urlOf(user.id))).statusCode).toBe(status)
      expect((await world.as(who).get(first)).statusCode).toBe(status)
      expect((await world.as(who).delete(first)).statusCode).toBe(status)
    }
  })

  it('is not found under another user, nor is a token of another kind', async () => {
    const { user, client } = await world.newUser()
    const { id } = (await create(user.id)).json()
    const own = await client.post('/user/personal_access_tokens', { name: 'o', scopes: ['api'] })
    const missing = { message: '404 Impersonation Token Not Found' }
    const admin = world.as('admin')
    expect((await admin.get(`${urlOf(world.users.guest.id)}/${id}`)).json()).toEqual(missing)
    expect((await admin.delete(`${urlOf(world.users.guest.id)}/${id}`)).json()).toEqual(missing)
    expect((await admin.delete(`${urlOf(user.id)}/${own.json().id}`)).json()).toEqual(missing)
    const unknown = { message: '404 User Not Found' }
    expect((await admin.get(urlOf(999999))).json()).toEqual(unknown)
    expect((await create(999999)).json()).toEqual(unknown)
    expect((await admin.get(`${urlOf(999999)}/${id}`)).json()).toEqual(unknown)
  })
})
