import { beforeAll, describe, expect, it } from 'vitest'
import { newPasswordUser, signInAs, testPassword } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { IpThrottle } from '../sessions/ip-throttle.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** A try over git or at the session endpoint; 200 is somebody let in. */
async function tryPassword(
  how: 'git' | 'session',
  { login, password, ip = '127.0.0.1' }: { login: string; password: string; ip?: string },
): Promise<number> {
  const headers = { host: 'bloomery.test' }
  if (how === 'session') {
    const payload = { login, password }
    const options = { url: '/api/v4/session', headers, payload, remoteAddress: ip }
    const answer = await world.app.server.inject({ method: 'POST', ...options })
    return answer.statusCode === 201 ? 200 : answer.statusCode
  }
  const url = `/${world.projects.open.full_path}.git/info/refs?service=git-upload-pack`
  const authorization = basic(login, password)
  const options = { url, headers: { ...headers, authorization }, remoteAddress: ip }
  return (await world.app.server.inject({ method: 'GET', ...options })).statusCode
}

const wrong = 'a wrong password'
const fail = async (how: 'git' | 'session', login: string, times: number, ip?: string) => {
  const statuses = new Set<number>()
  for (let i = 0; i < times; i++)
    statuses.add(await tryPassword(how, { login, password: wrong, ip }))
  return [...statuses]
}

describe('an account', () => {
  it.each(['git', 'session'] as const)(
    'is locked after ten failures over %s, everywhere, and tells nobody',
    async (how) => {
      const { user, client } = await newPasswordUser(world)
      const { reads } = await signInAs(world, user.username)
      const right = { login: user.username, password: testPassword }
      expect(await fail(how, user.username, 9)).toEqual([401])
      expect(await tryPassword(how, right)).toBe(200)
      expect(await fail(how, user.username, 10)).toEqual([401])
      expect(await tryPassword('git', right)).toBe(401)
      expect(await tryPassword('session', right)).toBe(401)
      expect(await tryPassword('session', { ...right, login: user.email })).toBe(401)
      // Tokens and sessions are no guesses, and go on.
      expect((await client.get('/user')).statusCode).toBe(200)
      expect((await reads.get('/user')).statusCode).toBe(200)
      world.app.clock.advance(10 * 60_000 - 1)
      expect(await tryPassword('session', right)).toBe(401)
      world.app.clock.advance(1)
      expect(await tryPassword('session', right)).toBe(200)
    },
  )

  it('counts guesses at the current password of somebody signed in', async () => {
    const { user } = await newPasswordUser(world)
    const { client } = await signInAs(world, user.username)
    const change = (current_password: string) =>
      client.put('/user/password', { current_password, password: 'quite another password' })
    for (let i = 0; i < 10; i++) expect((await change(wrong)).statusCode).toBe(400)
    const answer = await change(testPassword)
    expect(answer.json()).toEqual({ message: { current_password: ['is invalid'] } })
  })

  it('writes as much for a name nobody has, or one that is locked, as for a wrong password', async () => {
    const { user } = await newPasswordUser(world)
    const queries = async (login: string) =>
      (await world.app.count(() => fail('session', login, 1))).queries
    expect(await queries('nobody-of-that-name')).toBe(await queries(user.username))
    await fail('session', user.username, 9)
    expect(await tryPassword('session', { login: user.username, password: testPassword })).toBe(401)
    expect(await queries(user.username)).toBe(await queries('nobody-of-that-name'))
  })

  it('is locked by failures at the same time too', async () => {
    const { user } = await newPasswordUser(world)
    const login = user.username
    await Promise.all(Array.from({ length: 15 }, () => fail('session', login, 1)))
    expect(await tryPassword('session', { login, password: testPassword })).toBe(401)
    // Those that came after the tenth do not count for the next lock.
    world.app.clock.advance(10 * 60_000)
    await fail('session', login, 9)
    expect(await tryPassword('session', { login, password: testPassword })).toBe(200)
  })

  it('is locked once more by ten failures after a lock has ended', async () => {
    const { user } = await newPasswordUser(world)
    const right = { login: user.username, password: testPassword }
    await fail('session', user.username, 10)
    world.app.clock.advance(10 * 60_000)
    await fail('session', user.username, 10)
    expect(await tryPassword('session', right)).toBe(401)
    world.app.clock.advance(10 * 60_000)
    expect(await tryPassword('session', right)).toBe(200)
  })

  it('is locked and let in again by what happens to it alone, which audit events tell', async () => {
    const [one, other, third] = [
      await newPasswordUser(world),
      await newPasswordUser(world),
      await newPasswordUser(world),
    ]
    const rightOf = ({ user }: typeof one) => ({ login: user.username, password: testPassword })
    const signInCount = async ({ user }: typeof one) =>
      (await world.as('admin').get(`/users/${user.id}`)).json().sign_in_count
    await fail('session', other.user.username, 1)
    await fail('session', one.user.username, 10)
    expect(await tryPassword('session', rightOf(one))).toBe(401)
    await fail('session', other.user.username, 8)
    expect(await tryPassword('session', rightOf(third))).toBe(200)
    await fail('session', third.user.username, 1)
    expect(await tryPassword('session', rightOf(third))).toBe(200)
    await fail('session', other.user.username, 1)
    expect(await tryPassword('session', rightOf(other))).toBe(401)
    expect([await signInCount(one), await signInCount(third)]).toEqual([0, 2])
    const eventsOf = async ({ user }: typeof one) => {
      const url = `/audit_events?entity_type=User&entity_id=${user.id}`
      const events: { event_name: string }[] = (await world.as('admin').get(url)).json()
      return events.map(({ event_name }) => event_name).filter((name) => name !== 'user_created')
    }
    expect(await eventsOf(one)).toEqual(['account_locked', 'sign_in_failed'])
    expect(await eventsOf(other)).toEqual(['account_locked', 'sign_in_failed'])
    expect(await eventsOf(third)).toEqual(['signed_in', 'sign_in_failed', 'signed_in'])
  })

  it('is not locked by an old token in somebody’s configuration', async () => {
    const { user, client } = await newPasswordUser(world)
    const body = { name: 't', scopes: ['api'] }
    const { id, token } = (await client.post('/user/personal_access_tokens', body)).json()
    await client.delete(`/personal_access_tokens/${id}`)
    const login = user.username
    for (let i = 0; i < 12; i++) {
      const password = i % 2 ? token : `${token}x`
      expect(await tryPassword('git', { login, password })).toBe(401)
    }
    expect(await tryPassword('git', { login, password: testPassword })).toBe(200)
  })
})

describe('an address', () => {
  const ip = '198.51.100.1'

  it('is barred after twenty failures within a minute, as the API and as git tell', async () => {
    const { user } = await newPasswordUser(world)
    const right = { login: user.username, password: testPassword }
    expect(await fail('session', 'nobody-of-that-name', 10, ip)).toEqual([401])
    expect(await fail('git', 'nobody-of-that-name', 10, ip)).toEqual([401])
    const headers = { host: 'bloomery.test' }
    const payload = { login: user.username, password: testPassword }
    const session = { url: '/api/v4/session', headers, payload, remoteAddress: ip }
    const answer = await world.app.server.inject({ method: 'POST', ...session })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ message: '403 Forbidden' })
    const url = `/${world.projects.open.full_path}.git/info/refs?service=git-upload-pack`
    const ask = (credentials: object) =>
      world.app.server.inject({ url, headers: { ...headers, ...credentials }, remoteAddress: ip })
    const git = await ask({ authorization: basic(user.username, testPassword) })
    expect([git.statusCode, git.body]).toEqual([403, 'Forbidden\n'])
    // Without a password there is nothing to guess.
    expect((await ask({})).statusCode).toBe(200)
    expect((await ask({ authorization: basic('x', world.token('guest')) })).statusCode).toBe(200)
    expect(await tryPassword('session', { ...right, ip: '198.51.100.2' })).toBe(200)
    world.app.clock.advance(10 * 60_000)
    expect(await tryPassword('session', { ...right, ip })).toBe(200)
  })

  it('gets no more guesses by making them all at once', async () => {
    const from = '198.51.100.40'
    const guess = () => tryPassword('session', { login: 'nobody', password: wrong, ip: from })
    const statuses = await Promise.all(Array.from({ length: 30 }, guess))
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 403)).toHaveLength(10)
  })

  const failed = (from: string, times: number, throttle = new IpThrottle()) => {
    for (let i = 0; i < times; i++) throttle.recordFailure(from, 0)
    return throttle
  }

  it.each([
    [ip, ip, true],
    [ip, '198.51.100.2', false],
    [`::ffff:${ip}`, ip, true],
    ['2001:db8:0:1::1', '2001:db8::1:ffff:0:0:2', true],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
    ['fe80::1%eth0', 'fe80::2', true],
    ['127.0.0.1', '127.0.0.1', false],
    ['::1', '::1', false],
    ['::ffff:127.0.0.1', '127.0.0.1', false],
  ])('%s and %s are the same: %s', (from, other, isSame) => {
    expect(failed(from, 20).isBarred(other, 1)).toBe(isSame)
    expect(failed(from, 19).isBarred(other, 1)).toBe(false)
  })

  it('is not barred by failures over a longer time', () => {
    const throttle = failed(ip, 19)
    throttle.recordFailure(ip, 60_000)
    expect(throttle.isBarred(ip, 60_001)).toBe(false)
  })
})
