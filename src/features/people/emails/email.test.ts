import { beforeAll, describe, expect, it } from 'vitest'
import { newPasswordUser, testPassword } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { User } from '../../../subjects/user.ts'
import { isAddressOfUser } from './email.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

let made = 0
const unique = () => `second-${world.users.owner.id}-${++made}@Mail.test`
/** As a user's first address is listed. */
const primaryOf = ({ email, confirmed_at }: User) => ({
  id: expect.any(Number),
  email,
  confirmed_at,
})
const addFor = (id: number, fields: object = {}) =>
  world.as('admin').post(`/users/${id}/emails`, { email: unique(), ...fields })

describe('POST /user/emails', () => {
  it('adds an address that is not confirmed', async () => {
    const { user, client } = await world.newUser()
    const email = unique()
    const answer = await client.post('/user/emails', { email })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({ id: expect.any(Number), email, confirmed_at: null })
    const url = `/user/emails/${answer.json().id}`
    expect((await client.get(url)).json()).toEqual(answer.json())
    const listed = await client.get('/user/emails')
    expect(listed.json()).toEqual([primaryOf(user), answer.json()])
    expect(listed.headers['x-total']).toBe('2')
  })

  it('is by oneself never confirmed, and never for another user', async () => {
    const { user, client } = await world.newUser()
    const fields = { email: unique(), skip_confirmation: true, id: world.users.guest.id }
    const answer = await client.post('/user/emails', fields)
    expect(answer.json()).toMatchObject({ email: fields.email, confirmed_at: null })
    const listed = await client.get('/user/emails')
    expect(listed.json()).toEqual([primaryOf(user), answer.json()])
  })

  it.each([
    [{}, { error: 'email is missing' }],
    [{ email: ' ' }, { message: { email: ["can't be blank"] } }],
    [{ email: 'no address' }, { message: { email: ['is invalid'] } }],
  ])('answers %j with 400', async (body, expected) => {
    const answer = await world.as('guest').post('/user/emails', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('refuses what anybody has, as a first or a second address, in any case', async () => {
    const { user, client } = await world.newUser()
    const second = (await addFor(user.id)).json().email
    const taken = { message: { email: ['has already been taken'] } }
    for (const email of [user.email.toUpperCase(), second.toLowerCase()]) {
      expect((await world.as('guest').post('/user/emails', { email })).json()).toEqual(taken)
      expect((await client.post('/user/emails', { email })).json()).toEqual(taken)
    }
    const newUser = { username: `x-${user.username}`, name: 'N', password: 'long enough' }
    const answer = await world
      .as('admin')
      .post('/users', { ...newUser, email: second.toUpperCase() })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toEqual({ message: 'Email has already been taken' })
  })

  it('gives an address to one of two who ask at the same time', async () => {
    const email = unique()
    const username = email.split('@')[0]
    const newUser = { username, name: 'N', password: 'long enough', email }
    const answers = await Promise.all([
      world.as('guest').post('/user/emails', { email }),
      world.as('admin').post('/users', newUser),
      world.as('owner').post('/user/emails', { email }),
    ])
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toEqual([201])
  })

  it('ends at a hundred', async () => {
    const { user, client } = await world.newUser()
    const created_at = world.app.clock.now().toISOString()
    const many = Array.from({ length: 100 }, () => ({
      user_id: user.id,
      email: unique(),
      created_at,
    }))
    await world.app.db.insertInto('emails').values(many).execute()
    const answer = await client.post('/user/emails', { email: unique() })
    expect(answer.json()).toEqual({ message: { email: ['is one too many'] } })
  })
})

describe("a user's own addresses", () => {
  it('need a sign-in', async () => {
    const anonymous = world.as('anonymous')
    expect((await anonymous.get('/user/emails')).statusCode).toBe(401)
    expect((await anonymous.get('/user/emails/1')).statusCode).toBe(401)
    expect((await anonymous.post('/user/emails', { email: unique() })).statusCode).toBe(401)
    expect((await anonymous.delete('/user/emails/1')).statusCode).toBe(401)
  })

  it('are nobody else’s', async () => {
    const { user, client } = await world.newUser()
    const { id } = (await addFor(user.id)).json()
    const missing = { message: '404 Email Not Found' }
    const other = world.as('owner')
    expect((await other.get(`/user/emails/${id}`)).json()).toEqual(missing)
    expect((await other.delete(`/user/emails/${id}`)).json()).toEqual(missing)
    const since = { headers: { 'if-unmodified-since': 'Sun, 01 Feb 2026 00:00:00 GMT' } }
    const stale = await client.delete(`/user/emails/${id}`, undefined, since)
    expect(stale.statusCode).toBe(412)
    expect((await client.delete(`/user/emails/${id}`)).statusCode).toBe(204)
    expect((await client.get('/user/emails')).json()).toEqual([primaryOf(user)])
  })

  it('begin with the primary one, which cannot be removed', async () => {
    const { user, client } = await world.newUser()
    const second = (await addFor(user.id)).json()
    const [first] = (await client.get('/user/emails?per_page=1')).json()
    expect(first).toEqual(primaryOf(user))
    expect((await client.get('/user/emails?per_page=1&page=2')).json()).toEqual([second])
    expect((await client.get(`/user/emails/${first.id}`)).json()).toEqual(first)
    expect((await world.as('owner').get(`/user/emails/${first.id}`)).statusCode).toBe(404)
    for (const [who, url] of [
      [client, '/user/emails'],
      [world.as('admin'), `/users/${user.id}/emails`],
    ] as const) {
      const refused = await who.delete(`${url}/${first.id}`)
      const message = 'Cannot delete primary email'
      expect([refused.statusCode, refused.json()]).toEqual([400, { message }])
    }
  })

  it('are used once they are confirmed, and forgotten with it', async () => {
    const { user, client } = await newPasswordUser(world)
    const { db } = world.app
    const open = (await addFor(user.id)).json()
    const own = (await addFor(user.id, { skip_confirmation: true })).json()
    expect(own.confirmed_at).toBe(world.app.clock.now().toISOString())
    expect(await isAddressOfUser(db, user, user.email.toUpperCase())).toBe(true)
    expect(await isAddressOfUser(db, user, own.email.toUpperCase())).toBe(true)
    expect(await isAddressOfUser(db, user, open.email)).toBe(false)
    expect(await isAddressOfUser(db, world.users.guest, own.email)).toBe(false)
    const signIn = async (login: string) =>
      (await world.app.client().post('/session', { login, password: testPassword })).statusCode
    expect(await signIn(own.email.toLowerCase())).toBe(201)
    expect(await signIn(open.email)).toBe(401)
    await db
      .updateTable('users')
      .set({ commit_email: own.email.toLowerCase(), public_email: own.email })
      .where('id', '=', user.id)
      .execute()
    await client.delete(`/user/emails/${open.id}`)
    expect((await client.get('/user')).json()).toMatchObject({
      commit_email: own.email.toLowerCase(),
      public_email: own.email,
    })
    await client.delete(`/user/emails/${own.id}`)
    expect((await client.get('/user')).json()).toMatchObject({
      commit_email: user.email,
      public_email: '',
    })
    expect(await signIn(own.email)).toBe(401)
  })
})

describe('/users/:id/emails', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    const url = `/users/${world.users.guest.id}/emails`
    expect((await world.as(who).get(url)).statusCode).toBe(status)
    expect((await world.as(who).post(url, { email: unique() })).statusCode).toBe(status)
    expect((await world.as(who).delete(`${url}/1`)).statusCode).toBe(status)
  })

  it('lists, adds and removes for administrators', async () => {
    const { user } = await world.newUser()
    const one = (await addFor(user.id)).json()
    const two = (await addFor(user.id, { skip_confirmation: true })).json()
    expect(one.confirmed_at).toBeNull()
    const url = `/users/${user.id}/emails`
    expect((await world.as('admin').get(url)).json()).toEqual([primaryOf(user), one, two])
    expect((await world.as('admin').delete(`${url}/${one.id}`)).statusCode).toBe(204)
    expect((await world.as('admin').get(url)).json()).toEqual([primaryOf(user), two])
    const gone = await world.as('admin').delete(`${url}/${one.id}`)
    expect(gone.json()).toEqual({ message: '404 Email Not Found' })
    const unknown = { message: '404 User Not Found' }
    expect((await addFor(999999)).json()).toEqual(unknown)
    expect((await world.as('admin').get('/users/999999/emails')).json()).toEqual(unknown)
    expect((await world.as('admin').delete('/users/999999/emails/1')).json()).toEqual(unknown)
  })
})
