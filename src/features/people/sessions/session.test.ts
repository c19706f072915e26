// What a session stands for and when it is written, beside what sign-in and impersonation tell of it.
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Browser,
  browserAs,
  browserOf,
  impersonate,
  newPasswordUser,
  testPassword,
} from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import { actorUserFromUser, type User } from '../../../subjects/user.ts'
import { countSessions, findSessionStartTime, reloadActorsBySessions } from './session.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const set = (id: number, fields: object) =>
  world.app.db.updateTable('users').set(fields).where('id', '=', id).execute()
const rowsOf = (user_id: number) =>
  world.app.db
    .selectFrom('sessions')
    .select(['id', 'impersonator_session_id', 'last_used_at', 'expires_at', 'ip'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
const rowOf = async (user_id: number) => {
  const row = (await rowsOf(user_id)).at(-1)
  if (!row) throw new Error(`User ${user_id} has no session.`)
  return row
}
const requestFrom = (remoteAddress: string, { cookie }: Browser) =>
  world.app.server.inject({
    ...{ method: 'GET', url: '/api/v4/user', remoteAddress },
    headers: { host: 'bloomery.test', cookie },
  })
const later = (duration_ms: number) =>
  new Date(world.app.clock.now().getTime() + duration_ms).toISOString()

/** A user in a browser, and an administrator who impersonates them. */
async function open() {
  const { user } = await world.newUser()
  const { user: administrator } = await world.newUser({ is_admin: true })
  const own = await browserAs(world, administrator)
  const acting = await impersonate(world, own, user.id)
  return { user, administrator, own, acting }
}

describe('The use of a session', () => {
  it('is written a minute after the last that was written, and at once for another address', async () => {
    const { user } = await world.newUser()
    const browser = await browserAs(world, user)
    const begun = { ...(await rowOf(user.id)), ip: '127.0.0.1' }
    const usedAfter = async (duration_ms: number, address = '127.0.0.1') => {
      world.app.clock.advance(duration_ms)
      expect((await requestFrom(address, browser)).statusCode).toBe(200)
      return rowOf(user.id)
    }
    expect(await usedAfter(59_999)).toEqual(begun)
    const written = () => ({
      ...{ id: begun.id, impersonator_session_id: null },
      ...{ last_used_at: later(0), expires_at: later(limits.sign_in.session_ms) },
    })
    expect(await usedAfter(1)).toEqual({ ...written(), ip: '127.0.0.1' })
    expect(await usedAfter(1000, '192.0.2.7')).toEqual({ ...written(), ip: '192.0.2.7' })
  })

  it('is written too while an administrator impersonates the user', async () => {
    const { user, acting } = await open()
    world.app.clock.advance(60_000)
    expect((await acting.reads.get('/user')).statusCode).toBe(200)
    expect(await rowOf(user.id)).toMatchObject({
      ...{ last_used_at: later(0), expires_at: later(limits.sign_in.session_ms) },
    })
  })

  it('is not written once the administrator may impersonate nobody', async () => {
    const { user, administrator, acting } = await open()
    const before = await rowOf(user.id)
    await set(administrator.id, { is_admin: false })
    world.app.clock.advance(60_000)
    expect((await acting.reads.get('/user')).statusCode).toBe(401)
    expect(await rowOf(user.id)).toEqual(before)
  })

  it('takes one query, but for the first of a day and by an impersonation', async () => {
    const { user } = await world.newUser()
    const { reads } = await browserAs(world, user)
    const { acting } = await open()
    const queries = async (browser: Pick<Browser, 'reads'>) =>
      (await world.app.count(() => browser.reads.get('/user'))).queries
    const first = await queries({ reads })
    expect(await queries({ reads })).toBe(first - 1)
    expect(await queries(acting)).toBe(first)
  })
})

describe('A session', () => {
  it('remembers no more of a browser’s name than fits', async () => {
    const { user, client } = await newPasswordUser(world)
    const agent = 'x'.repeat(limits.sign_in.user_agent_characters)
    const body = { login: user.username, password: testPassword }
    const headers = { 'user-agent': `${agent}y` }
    browserOf(world, await world.app.client().post('/session', body, { headers }))
    const [session] = (await client.get('/user/sessions')).json()
    expect(session.user_agent).toBe(agent)
  })

  it('is counted for its user, and known by the time it began until it ends', async () => {
    const { db } = world.app
    const { user } = await world.newUser()
    const began = later(0)
    await browserAs(world, user)
    const { client } = await browserAs(world, user)
    const { id } = await rowOf(user.id)
    expect([await countSessions(db, user.id), await findSessionStartTime(db, id)]).toEqual([
      2,
      began,
    ])
    expect((await client.delete('/session')).statusCode).toBe(204)
    expect([await countSessions(db, user.id), await findSessionStartTime(db, id)]).toEqual([
      1,
      undefined,
    ])
  })

  it('lets a browser change files, which is asked again before the branch moves', async () => {
    const { owner } = world.users
    const project = await world.newProject()
    const { client } = await browserAs(world, owner)
    const file = { branch: 'main', content: 'x', commit_message: 'Add a file' }
    const url = `/projects/${project.id}/repository/files`
    expect((await client.post(`${url}/one`, file)).statusCode).toBe(201)
  })
})

describe('The callers of several sessions', () => {
  const end = { kind: 'gone' }
  const actorOf = (user: User, session: object) => ({
    ...{ user: actorUserFromUser(user), token: undefined },
    session,
  })
  const reload = (ids: readonly number[]) =>
    reloadActorsBySessions(world.app.db, world.app.clock.now, ids)

  it('come in their order, those that have ended among them', async () => {
    const { user, administrator } = await open()
    const { user: blocked } = await world.newUser()
    const { user: changed } = await world.newUser()
    for (const one of [blocked, changed]) await browserAs(world, one)
    await set(blocked.id, { state: 'blocked' })
    await set(changed.id, { password_digest: 'another' })
    const [own, acting] = [await rowOf(administrator.id), await rowOf(user.id)]
    const ids = [acting.id, 0, (await rowOf(blocked.id)).id, own.id, (await rowOf(changed.id)).id]
    expect(await reload(ids)).toEqual([
      {
        ...actorOf(user, { id: acting.id, impersonator_session_id: own.id }),
        administrator: actorUserFromUser(administrator),
      },
      end,
      { kind: 'barred', text: 'Your account has been blocked.' },
      actorOf(administrator, { id: own.id }),
      end,
    ])
  })

  it('are found by one query, and by another for those who impersonate', async () => {
    const { user, administrator } = await open()
    const [own, acting] = [await rowOf(administrator.id), await rowOf(user.id)]
    const queries = async (ids: readonly number[]) =>
      (await world.app.count(() => reload(ids))).queries
    expect(await queries([own.id])).toBe(1)
    expect(await queries([own.id, acting.id])).toBe(2)
  })

  it.each([
    ['is no administrator any more', { is_admin: false }],
    ['may not use the account', { state: 'blocked' }],
    ['has another password', { password_digest: 'another' }],
  ])('end their impersonation with an administrator who %s', async (_, fields) => {
    const { user, administrator } = await open()
    const { id } = await rowOf(user.id)
    expect(await reload([id])).toMatchObject([{ user: { id: user.id } }])
    await set(administrator.id, fields)
    expect(await reload([id])).toEqual([end])
  })

  it('end when the time of the session has come', async () => {
    const { user } = await world.newUser()
    await browserAs(world, user)
    const { id } = await rowOf(user.id)
    world.app.clock.advance(limits.sign_in.session_ms - 1)
    expect(await reload([id])).toMatchObject([{ user: { id: user.id } }])
    world.app.clock.advance(1)
    expect(await reload([id])).toEqual([end])
  })
})
