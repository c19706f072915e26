import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { newPasswordUser, signInAs, testPassword } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const codeOf = (secret: string, later_s = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: world.app.clock.now().getTime() + later_s * 1000,
  })
const signIn = (login: string, more: object = {}) =>
  world.app.client().post('/session', { login, password: testPassword, ...more })
const wanted = { message: '401 Unauthorized', error: 'otp_required' }

/** A user with two-factor sign-in, whose device's next code is not used yet. */
async function newTwoFactorUser() {
  const made = await newPasswordUser(world)
  const begun = await made.client.post('/user/two_factor', { password: testPassword })
  const { secret, otpauth_uri } = begun.json()
  const confirmed = await made.client.put('/user/two_factor', { code: codeOf(secret) })
  world.app.clock.advance(30_000)
  return { ...made, secret, otpauth_uri, recovery_codes: confirmed.json().recovery_codes }
}

describe('two-factor sign-in', () => {
  it('begins with a secret, and counts from the first code on', async () => {
    const { user, client } = await newPasswordUser(world)
    const other = await signInAs(world, user.username)
    const begun = await client.post('/user/two_factor', { password: testPassword })
    expect(begun.statusCode).toBe(201)
    const { secret } = begun.json()
    expect(begun.json()).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_uri: `otpauth://totp/bloomery.test:${user.username}?issuer=bloomery.test&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    })
    expect((await client.get('/user')).json()).toMatchObject({ two_factor_enabled: false })
    expect((await signIn(user.username)).statusCode).toBe(201)
    const confirmed = await client.put('/user/two_factor', { code: codeOf(secret) })
    expect(confirmed.statusCode).toBe(200)
    expect(confirmed.json()).toEqual({
      recovery_codes: Array.from({ length: 10 }, () => expect.stringMatching(/^[0-9a-f]{16}$/)),
    })
    expect((await client.get('/user')).json()).toMatchObject({ two_factor_enabled: true })
    expect((await other.reads.get('/user')).statusCode).toBe(401)
    for (const answer of [
      await client.post('/user/two_factor', { password: testPassword }),
      await client.put('/user/two_factor', { code: codeOf(secret, 30) }),
    ]) {
      expect(answer.statusCode).toBe(409)
      expect(answer.json()).toEqual({ message: 'Two-factor authentication is already enabled' })
    }
  })

  it('asks for a code after the right password, and takes each once', async () => {
    const { user, secret } = await newTwoFactorUser()
    const bare = await signIn(user.username)
    expect(bare.statusCode).toBe(401)
    expect(bare.json()).toEqual(wanted)
    const wrong = await signIn(user.username, { password: 'a wrong one', otp: codeOf(secret) })
    expect(wrong.json()).toEqual({ message: '401 Unauthorized' })
    const otp = codeOf(secret)
    expect((await signIn(user.username, { otp })).statusCode).toBe(201)
    expect((await signIn(user.username, { otp })).json()).toEqual(wanted)
    // The one before was good for the window, but a later one has been used.
    expect((await signIn(user.username, { otp: codeOf(secret, -30) })).json()).toEqual(wanted)
    expect((await signIn(user.username, { otp: codeOf(secret, 30) })).statusCode).toBe(201)
    expect((await signIn(user.username, { otp: codeOf(secret, 60) })).json()).toEqual(wanted)
  })

  it('takes a code once from two at the same time', async () => {
    const { user, secret } = await newTwoFactorUser()
    const otp = codeOf(secret)
    const answers = await Promise.all([1, 2, 3].map(() => signIn(user.username, { otp })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 401, 401])
  })

  it('locks the account after ten wrong codes, which its password over git does not clear', async () => {
    const { user, secret } = await newTwoFactorUser()
    for (let i = 0; i < 9; i++) {
      expect((await signIn(user.username, { otp: '000000' })).json()).toEqual(wanted)
    }
    const url = `/${world.projects.open.full_path}.git/info/refs?service=git-upload-pack`
    const credentials = Buffer.from(`${user.username}:${testPassword}`).toString('base64')
    const git = await world.app.server.inject({
      url,
      headers: { host: 'bloomery.test', authorization: `Basic ${credentials}` },
    })
    expect(git.statusCode).toBe(401)
    expect(git.headers['www-authenticate']).toBeUndefined()
    expect(git.body).toBe(
      "HTTP Basic: Access denied\nYou must use a personal access token with 'read_repository' or 'write_repository' scope for Git over HTTP.\nYou can generate one at http://bloomery.test/-/profile/personal_access_tokens\n",
    )
    const lfs = await world.app.server.inject({
      url: `/${world.projects.open.full_path}.git/info/lfs/locks`,
      headers: { host: 'bloomery.test', authorization: `Basic ${credentials}` },
    })
    expect(lfs.statusCode).toBe(401)
    expect(lfs.json().message).toContain('You must use a personal access token')
    expect((await signIn(user.username, { otp: 'no code' })).json()).toEqual(wanted)
    const locked = await signIn(user.username, { otp: codeOf(secret) })
    expect(locked.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('takes each recovery code once', async () => {
    const { user, recovery_codes } = await newTwoFactorUser()
    const otp = recovery_codes[3].toUpperCase()
    expect((await signIn(user.username, { otp })).statusCode).toBe(201)
    expect((await signIn(user.username, { otp })).json()).toEqual(wanted)
    const another = await newTwoFactorUser()
    const foreign = await signIn(user.username, { otp: another.recovery_codes[0] })
    expect(foreign.json()).toEqual(wanted)
  })

  it('keeps secret and codes out of the log, and sealed or hashed in the database', async () => {
    const { user, secret, recovery_codes } = await newTwoFactorUser()
    const otp = codeOf(secret)
    await signIn(user.username, { otp })
    await signIn(user.username, { otp: recovery_codes[0] })
    const { db, log } = world.app
    const rows = JSON.stringify([
      await db.selectFrom('users').selectAll().where('id', '=', user.id).execute(),
      await db.selectFrom('two_factor_recovery_codes').selectAll().execute(),
    ])
    for (const text of [secret, ...recovery_codes]) {
      expect(JSON.stringify(log)).not.toContain(text)
      expect(rows).not.toContain(text)
    }
    expect(JSON.stringify(log)).not.toContain(`"${otp}"`)
  })
})

describe('changing two-factor sign-in', () => {
  it.each([
    ['post', '/user/two_factor', {}, { error: 'password is missing, password is empty' }],
    ['post', '/user/two_factor', { password: 'x' }, { message: { password: ['is invalid'] } }],
    ['put', '/user/two_factor', {}, { error: 'code is missing, code is empty' }],
    ['put', '/user/two_factor', { code: '123456' }, { message: { code: ['is invalid'] } }],
    [
      'delete',
      '/user/two_factor',
      {},
      { error: 'password, code are missing, at least one parameter must be provided' },
    ],
    [
      'delete',
      '/user/two_factor',
      { code: '123456' },
      {
        message: '400 Bad request - Two-factor authentication is not enabled for this user',
      },
    ],
  ] as const)('answers %s %s %j with 400', async (method, url, body, expected) => {
    const { client } = await newPasswordUser(world)
    const answer = await client[method](url, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it.each([
    ['post', '/user/two_factor', { password: testPassword }],
    ['put', '/user/two_factor', { code: '123456' }],
    ['delete', '/user/two_factor', { code: '123456' }],
    ['post', '/user/two_factor/recovery_codes', { code: '123456' }],
  ] as const)('answers an anonymous %s %s with 401', async (method, url, body) => {
    expect((await world.as('anonymous')[method](url, body)).statusCode).toBe(401)
  })

  it('replaces the recovery codes for a password or code', async () => {
    const { user, client, recovery_codes, secret } = await newTwoFactorUser()
    const url = '/user/two_factor/recovery_codes'
    const refused = await client.post(url, { password: 'a wrong one' })
    expect(refused.json()).toEqual({ message: { password: ['is invalid'] } })
    const first = await client.post(url, { password: testPassword })
    expect(first.statusCode).toBe(201)
    const second = await client.post(url, { code: codeOf(secret) })
    expect((await signIn(user.username, { otp: recovery_codes[0] })).statusCode).toBe(401)
    const old = first.json().recovery_codes[0]
    expect((await signIn(user.username, { otp: old })).statusCode).toBe(401)
    const [otp] = second.json().recovery_codes
    expect((await signIn(user.username, { otp })).statusCode).toBe(201)
  })

  it.each(['password', 'code', 'recovery'] as const)('turns it off for a %s', async (proof) => {
    const { user, client, secret, recovery_codes } = await newTwoFactorUser()
    const other = await signInAs(world, user.username, { otp: recovery_codes[0] })
    expect((await client.delete('/user/two_factor', { code: '000000' })).json()).toEqual({
      message: { code: ['is invalid'] },
    })
    const code = proof === 'recovery' ? recovery_codes[1] : codeOf(secret)
    const body = proof === 'password' ? { password: testPassword } : { code }
    expect((await client.delete('/user/two_factor', body)).statusCode).toBe(204)
    expect((await other.reads.get('/user')).statusCode).toBe(401)
    expect((await client.get('/user')).json()).toMatchObject({ two_factor_enabled: false })
    expect((await signIn(user.username)).statusCode).toBe(201)
  })

  it('changes nothing of another account', async () => {
    const other = await newTwoFactorUser()
    const one = await newTwoFactorUser()
    expect((await signIn(one.user.username, { otp: codeOf(one.secret) })).statusCode).toBe(201)
    const signInOther = (otp?: string) => signIn(other.user.username, { otp })
    expect((await signInOther(codeOf(other.secret))).statusCode).toBe(201)
    const body = { password: testPassword }
    await one.client.post('/user/two_factor/recovery_codes', body)
    expect((await signInOther(other.recovery_codes[0])).statusCode).toBe(201)
    expect((await one.client.delete('/user/two_factor', body)).statusCode).toBe(204)
    expect((await signInOther(other.recovery_codes[1])).statusCode).toBe(201)
    expect((await signInOther()).json()).toEqual(wanted)
  })

  it('does not let codes be guessed past the lock', async () => {
    const { client, secret } = await newTwoFactorUser()
    for (let i = 0; i < 10; i++) await client.delete('/user/two_factor', { code: '000000' })
    const answer = await client.delete('/user/two_factor', { code: codeOf(secret) })
    expect(answer.json()).toEqual({ message: { code: ['is invalid'] } })
  })
})

describe('PATCH /users/:id/disable_two_factor', () => {
  const url = (id: number) => `/users/${id}/disable_two_factor`

  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).patch(url(world.users.guest.id))).statusCode).toBe(status)
  })

  it('turns it off for an administrator', async () => {
    const { user, recovery_codes } = await newTwoFactorUser()
    const { reads } = await signInAs(world, user.username, { otp: recovery_codes[0] })
    expect((await world.as('admin').patch(url(user.id))).statusCode).toBe(204)
    expect((await reads.get('/user')).statusCode).toBe(401)
    expect((await signIn(user.username)).statusCode).toBe(201)
    const again = await world.as('admin').patch(url(user.id))
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({
      message: '400 Bad request - Two-factor authentication is not enabled for this user',
    })
  })

  it('knows no unknown user, and leaves administrators alone', async () => {
    const absent = await world.as('admin').patch(url(999999))
    expect(absent.statusCode).toBe(404)
    expect(absent.json()).toEqual({ message: '404 User Not Found' })
    const { user } = await world.newUser({ is_admin: true })
    const refused = await world.as('admin').patch(url(user.id))
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({
      message:
        '403 Forbidden - Two-factor authentication for admins cannot be disabled via the API. Use the Rails console',
    })
  })
})

describe('GET /users?two_factor', () => {
  it('filters for administrators only', async () => {
    const { user } = await newTwoFactorUser()
    const ids = async (who: 'admin' | 'guest', two_factor: string) =>
      (await world.as(who).get(`/users?username=${user.username}&two_factor=${two_factor}`))
        .json()
        .map(({ id }: { id: number }) => id)
    expect(await ids('admin', 'enabled')).toEqual([user.id])
    expect(await ids('admin', 'disabled')).toEqual([])
    expect(await ids('admin', 'else')).toEqual([user.id])
    expect(await ids('guest', 'disabled')).toEqual([user.id])
  })
})
