import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newPasswordUser, signInAs } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { User } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type State = User['state']
const day_ms = 24 * 60 * 60_000
const change = (verb: string, id: number) => world.as('admin').post(`/users/${id}/${verb}`)
const stateOf = async (id: number): Promise<State> =>
  (await world.as('admin').get(`/users/${id}`)).json().state
/** A user who was made, and seen, long ago. */
async function idleUser(state: State = 'active') {
  const made = await world.newUser({ state })
  const set = { created_at: '2020-01-01T00:00:00.000Z', last_activity_on: '2020-01-02' }
  await world.app.db.updateTable('users').set(set).where('id', '=', made.user.id).execute()
  return made
}
const refusedAs = (message: string) => ({ status: 403, body: { message }, after: undefined })
const done = (after: State) => ({ status: 201, body: true, after })
const nothing = (body: null | false) => ({ status: 201, body, after: undefined })
const blockedText = '403 Forbidden - A blocked user must be unblocked to be activated'
const deactivatedText = '403 Forbidden - Deactivated users cannot be unblocked by the API'
const cannotDeactivate = 'Error occurred. A blocked user cannot be deactivated'

describe('a state', () => {
  it.each([
    ['block', 'active', done('blocked')],
    ['block', 'deactivated', done('blocked')],
    ['block', 'banned', done('blocked')],
    ['block', 'blocked_pending_approval', done('blocked')],
    ['block', 'blocked', nothing(null)],
    ['unblock', 'blocked', done('active')],
    ['unblock', 'blocked_pending_approval', done('active')],
    ['unblock', 'active', nothing(false)],
    ['unblock', 'banned', nothing(false)],
    ['unblock', 'deactivated', refusedAs(deactivatedText)],
    ['deactivate', 'active', done('deactivated')],
    ['deactivate', 'deactivated', nothing(null)],
    ['deactivate', 'blocked', refusedAs(cannotDeactivate)],
    ['deactivate', 'banned', refusedAs(cannotDeactivate)],
    ['deactivate', 'blocked_pending_approval', refusedAs(cannotDeactivate)],
    ['activate', 'deactivated', done('active')],
    ['activate', 'active', nothing(false)],
    ['activate', 'blocked', refusedAs(blockedText)],
    ['activate', 'banned', refusedAs(blockedText)],
    ['ban', 'active', done('banned')],
    ['ban', 'blocked', refusedAs('You cannot ban blocked users.')],
    ['unban', 'banned', done('active')],
    ['unban', 'active', refusedAs('You cannot unban active users.')],
  ] as const)('%s: of a user who is %s', async (verb, before, { status, body, after }) => {
    const { user } = await idleUser(before)
    const answer = await change(verb, user.id)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
    expect(await stateOf(user.id)).toBe(after ?? before)
  })

  it.each(['block', 'unblock', 'deactivate', 'activate', 'ban', 'unban', 'approve', 'reject'])(
    '%s is for administrators, and of users there are',
    async (verb) => {
      const { user } = await world.newUser()
      const nobody = await world.as('anonymous').post(`/users/${user.id}/${verb}`)
      expect(nobody.statusCode).toBe(401)
      const owner = await world.as('owner').post(`/users/${user.id}/${verb}`)
      expect(owner.statusCode).toBe(403)
      expect(owner.json()).toEqual({ message: '403 Forbidden' })
      const unknown = await change(verb, 999999)
      expect(unknown.statusCode).toBe(404)
      expect(unknown.json()).toEqual({ message: '404 User Not Found' })
    },
  )

  it('is not taken from oneself', async () => {
    const { user, client } = await world.newUser({ is_admin: true })
    const blocked = await client.post(`/users/${user.id}/block`)
    expect(blocked.statusCode).toBe(403)
    expect(blocked.json()).toEqual({
      message: '403 Forbidden - The API initiating user cannot be blocked by the API',
    })
    const banned = await client.post(`/users/${user.id}/ban`)
    expect(banned.json()).toEqual({
      message: '403 Forbidden - The API initiating user cannot be banned by the API',
    })
  })

  it('is left to who was there in the past 90 days', async () => {
    const { now } = world.app.clock
    const ago = (days: number) => new Date(now().getTime() - days * day_ms).toISOString()
    const { db } = world.app
    const try_ = async (set: object) => {
      const { user } = await world.newUser()
      await db.updateTable('users').set(set).where('id', '=', user.id).execute()
      return change('deactivate', user.id)
    }
    const message =
      'The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated'
    for (const set of [
      { created_at: ago(89) },
      { created_at: ago(400), last_activity_on: ago(89).slice(0, 10) },
      { created_at: ago(400), last_activity_on: null, current_sign_in_at: ago(1) },
    ]) {
      const answer = await try_(set)
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toEqual({ message })
    }
    for (const set of [
      { created_at: ago(90) },
      { created_at: ago(400), last_activity_on: ago(91).slice(0, 10) },
    ]) {
      expect((await try_(set)).json()).toBe(true)
    }
  })

  it('is given to who waits for it, or they are rejected and removed', async () => {
    const waiting = await world.newUser({ state: 'blocked_pending_approval' })
    const refused = await waiting.client.get('/user')
    expect(refused.statusCode).toBe(403)
    const approved = await change('approve', waiting.user.id)
    expect(approved.statusCode).toBe(201)
    expect(approved.json()).toEqual({ message: 'Success' })
    expect((await waiting.client.get('/user')).statusCode).toBe(200)
    const again = await change('approve', waiting.user.id)
    expect(again.statusCode).toBe(409)
    expect(again.json()).toEqual({
      message: 'The user you are trying to approve is not pending approval',
    })
    const notPending = await change('reject', waiting.user.id)
    expect(notPending.statusCode).toBe(409)
    expect(notPending.json()).toEqual({ message: 'User does not have a pending request' })
    const other = await world.newUser({ state: 'blocked_pending_approval' })
    const rejected = await change('reject', other.user.id)
    expect(rejected.statusCode).toBe(201)
    expect(rejected.json()).toEqual({ message: 'Success' })
    await world.app.worker.drain()
    expect((await world.as('admin').get(`/users/${other.user.id}`)).statusCode).toBe(404)
  })

  it.each([
    ['block', 'unblock', 'Your account has been blocked.'],
    ['ban', 'unban', 'Your account has been blocked.'],
    [
      'deactivate',
      'activate',
      'Your account has been deactivated by your administrator. Please log back in to reactivate your account.',
    ],
  ])('%s stops tokens and passwords at once, %s lets them in again', async (bar, lift, text) => {
    const { user, client } = await idleUser()
    await world.as('admin').put(`/users/${user.id}`, { password: 'a good password' })
    const { db, server } = world.app
    await db
      .updateTable('users')
      .set({ password_expires_at: null })
      .where('id', '=', user.id)
      .execute()
    const credentials = Buffer.from(`${user.username}:a good password`).toString('base64')
    const pull = () =>
      server.inject({
        url: `/${world.projects.inside.full_path}.git/info/refs?service=git-upload-pack`,
        headers: { authorization: `Basic ${credentials}` },
      })
    expect((await pull()).statusCode).toBe(200)
    await change(bar, user.id)
    const refused = await client.get('/user')
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ message: `403 Forbidden - ${text}` })
    expect((await pull()).statusCode).not.toBe(200)
    const asThem = await world.as('admin').get('/user', { headers: { sudo: String(user.id) } })
    expect(asThem.statusCode).toBe(403)
    expect((await change(lift, user.id)).json()).toBe(true)
    expect((await client.get('/user')).statusCode).toBe(200)
    expect((await pull()).statusCode).toBe(200)
  })
})

describe('DELETE /users/:id/identities/:provider', () => {
  it('takes an identity away', async () => {
    const { user } = await world.newUser()
    const identity = { provider: 'saml.example', extern_uid: `u-${user.id}` }
    const { user: other } = await world.newUser()
    const ofOther = { ...identity, extern_uid: `u-${other.id}` }
    await world.as('admin').put(`/users/${other.id}`, ofOther)
    const kept = { provider: 'github', extern_uid: `u-${user.id}` }
    await world.as('admin').put(`/users/${user.id}`, kept)
    await world.as('admin').put(`/users/${user.id}`, identity)
    const path = `/users/${user.id}/identities/saml.example`
    expect((await world.as('anonymous').delete(path)).statusCode).toBe(401)
    expect((await world.as('owner').delete(path)).statusCode).toBe(403)
    const headers = { 'if-unmodified-since': 'Sat, 28 Feb 2026 12:00:00 GMT' }
    const stale = await world.as('admin').delete(path, undefined, { headers })
    expect(stale.statusCode).toBe(412)
    const answer = await world.as('admin').delete(path)
    expect(answer.statusCode).toBe(204)
    expect(answer.body).toBe('')
    const left = (await world.as('admin').get(`/users/${user.id}`)).json().identities
    expect(left).toEqual([kept])
    const again = await world.as('admin').delete(path)
    expect(again.statusCode).toBe(404)
    expect(again.json()).toEqual({ message: '404 Identity Not Found' })
    const record = (await world.as('admin').get(`/users/${other.id}`)).json()
    expect(record.identities).toEqual([ofOther])
    const unknown = await world.as('admin').delete('/users/999999/identities/x')
    expect(unknown.json()).toEqual({ message: '404 User Not Found' })
  })
})

it('leaves the ghost alone', async () => {
  const app = await startApp()
  try {
    const own = await newWorld(app)
    const { user } = await own.newUser({ username: 'ghost-like' })
    await own.as('admin').delete(`/users/${user.id}`)
    await app.worker.drain()
    const [ghost] = (await own.as('admin').get('/users?username=ghost')).json()
    await app.db
      .updateTable('users')
      .set({ created_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', ghost.id)
      .execute()
    const deactivated = await own.as('admin').post(`/users/${ghost.id}/deactivate`)
    expect(deactivated.statusCode).toBe(403)
    expect(deactivated.json()).toEqual({ message: 'Internal users cannot be deactivated' })
    const removed = await own.as('admin').delete(`/users/${ghost.id}`)
    expect(removed.statusCode).toBe(403)
    expect(removed.json()).toEqual({
      message: '403 Forbidden - Internal users cannot be removed by the API',
    })
    const token = { name: 't', scopes: ['api'] }
    const made = await own.as('admin').post(`/users/${ghost.id}/personal_access_tokens`, token)
    expect((await app.client(made.json().token).get('/user')).statusCode).toBe(403)
  } finally {
    await app.close()
  }
})

it('blocking ends what somebody is signed in by for good', async () => {
  const { user } = await newPasswordUser(world)
  const { reads } = await signInAs(world, user.username)
  expect((await reads.get('/user')).statusCode).toBe(200)
  await world.as('admin').post(`/users/${user.id}/block`, {})
  await world.as('admin').post(`/users/${user.id}/unblock`, {})
  expect((await reads.get('/user')).statusCode).toBe(401)
})
