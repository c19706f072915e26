import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MailApp, startMailApp, tokenIn } from '../../../../test/kit/emails.ts'
import { newPasswordUser, signInAs, testPassword } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { removeEndedLinkTokens } from '../outgoing-emails/link-token.tasks.ts'

let app: MailApp
let world: World
beforeAll(async () => {
  app = await startMailApp()
  world = await newWorld(app)
})
afterAll(() => app.close())
// Nobody reads the messages of another test.
afterEach(() => app.deliver())

const password = 'quite another password'
const ask = (email: string) => app.client().post('/user/password_reset', { email })
const set = (reset_password_token: string, wanted = password) =>
  app.client().put('/user/password_reset', { reset_password_token, password: wanted })
const invalidToken = [400, { message: { reset_password_token: ['is invalid'] } }]
const told = ({ statusCode, json }: Awaited<ReturnType<typeof set>>) => [statusCode, json()]

/** The token of a message that a user asked for. */
async function askedToken({ email }: Pick<User, 'email'>): Promise<string> {
  await ask(email)
  const messages = await app.deliver()
  expect(messages).toHaveLength(1)
  return tokenIn(messages[0])
}
const signIn = async (login: string, given: string, more: object = {}) =>
  (await app.client().post('/session', { login, password: given, ...more })).statusCode

describe('POST /user/password_reset', () => {
  it('sends a link to the address of the account, in whatever case it was asked for', async () => {
    const { user } = await newPasswordUser(world, { name: 'Ann' })
    const answer = await ask(` ${user.email.toUpperCase()} `)
    expect([answer.statusCode, answer.json()]).toEqual([202, { message: '202 Accepted' }])
    const messages = await app.deliver()
    expect(messages).toEqual([
      {
        to: user.email,
        subject: 'Reset password instructions',
        text: [
          'Hello, Ann!',
          `Someone, hopefully you, has asked to reset the password of your account ${user.username}.`,
          `Set a new password:\nhttp://bloomery.test/users/password/edit?reset_password_token=${tokenIn(messages[0])}`,
          'This link is valid for two days.',
          '-- \nYou receive this email because someone entered your address on the page for forgotten passwords. If it was not you, ignore it: your password stays the same.\nSent by Bloomery at http://bloomery.test\n',
        ].join('\n\n'),
        html: expect.stringContaining('<h1'),
      },
    ])
  })

  it('leads nobody to the host a request names', async () => {
    const { user } = await newPasswordUser(world)
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
    await app.client().post('/user/password_reset', { email: user.email }, { headers })
    const [message] = await app.deliver()
    expect(message?.text).not.toContain('evil.test')
  })

  it('answers and works alike for every address, whoever has it', async () => {
    const { user } = await newPasswordUser(world)
    const blocked = await newPasswordUser(world, { state: 'blocked' })
    const emails = [user.email, blocked.user.email, 'nobody@bloomery.test']
    const seen = new Set<string>()
    for (const email of emails) {
      let answer = await ask('warm-up@bloomery.test')
      const { queries } = await app.count(async () => {
        answer = await ask(email)
      })
      const headers = Object.keys(answer.headers).sort()
      seen.add(JSON.stringify([answer.statusCode, answer.body, headers, queries]))
    }
    expect(seen.size).toBe(1)
    const messages = await app.deliver()
    expect(messages.map(({ to }) => to)).toEqual([user.email])
  })

  it.each([
    ['blocked', { state: 'blocked' as const }],
    ['banned', { state: 'banned' as const }],
    ['a bot', { user_type: 'bot' as const }],
  ])('sends nothing to who is %s', async (_what, fields) => {
    const { user } = await newPasswordUser(world, fields)
    await ask(user.email)
    expect(await app.deliver()).toEqual([])
  })

  it('sends nothing to a second address, confirmed or not', async () => {
    const { user } = await newPasswordUser(world)
    const email = `second-${user.email}`
    await world.as('admin').post(`/users/${user.id}/emails`, { email, skip_confirmation: true })
    await app.deliver()
    await ask(email)
    expect(await app.deliver()).toEqual([])
  })

  it('sends an account no more than one message a minute', async () => {
    const { user } = await newPasswordUser(world)
    await ask(user.email)
    await ask(user.email)
    expect(await app.deliver()).toHaveLength(1)
    await ask(user.email)
    expect(await app.deliver()).toEqual([])
    app.clock.advance(60_000)
    await ask(user.email)
    expect(await app.deliver()).toHaveLength(1)
  })

  it('is barred for an address that asks very often', async () => {
    const from = (ip: string) =>
      app.server.inject({
        method: 'POST',
        url: '/api/v4/user/password_reset',
        headers: { host: 'bloomery.test' },
        payload: { email: 'nobody@bloomery.test' },
        remoteAddress: ip,
      })
    for (let i = 0; i < 20; i++) expect((await from('203.0.113.7')).statusCode).toBe(202)
    const barred = await from('203.0.113.7')
    expect([barred.statusCode, barred.json()]).toEqual([403, { message: '403 Forbidden' }])
    expect((await from('203.0.113.8')).statusCode).toBe(202)
  })

  it.each([
    [{}, 'email is missing, email is empty'],
    [{ email: ' ' }, 'email is empty'],
  ])('answers %j with 400', async (body, error) => {
    const answer = await app.client().post('/user/password_reset', body)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  it('asks for nothing where no address can be meant', async () => {
    await app.deliver()
    expect((await ask('no address')).statusCode).toBe(202)
    expect(await app.db.selectFrom('tasks').select('id').execute()).toEqual([])
  })
})

describe('PUT /user/password_reset', () => {
  it('sets the password once, ends sessions and the expiry, and tells the user', async () => {
    const { user } = await newPasswordUser(world)
    const { reads } = await signInAs(world, user.username)
    const expired = { password_expires_at: app.clock.now().toISOString() }
    await app.db.updateTable('users').set(expired).where('id', '=', user.id).execute()
    const token = await askedToken(user)
    const answer = await set(token)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(await signIn(user.username, testPassword)).toBe(401)
    expect(await signIn(user.username, password)).toBe(201)
    expect((await reads.get('/user')).statusCode).toBe(401)
    expect((await findUser(app.db, user.id))?.password_expires_at).toBeNull()
    expect(await app.deliver()).toMatchObject([{ to: user.email, subject: 'Password changed' }])
    expect(told(await set(token, 'a third password'))).toEqual(invalidToken)
    expect(await signIn(user.username, password)).toBe(201)
  })

  it('takes a token once of two who bring it at the same time', async () => {
    const { user } = await newPasswordUser(world)
    const token = await askedToken(user)
    const answers = await Promise.all([set(token, 'first password'), set(token, 'second password')])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400])
  })

  it('takes no token that is over, or that a newer email replaced', async () => {
    const { user } = await newPasswordUser(world)
    const first = await askedToken(user)
    app.clock.advance(60_000)
    const second = await askedToken(user)
    expect(told(await set(first))).toEqual(invalidToken)
    app.clock.advance(2 * 24 * 60 * 60_000)
    expect(told(await set(second))).toEqual(invalidToken)
    app.clock.advance(60_000)
    const third = await askedToken(user)
    app.clock.advance(2 * 24 * 60 * 60_000 - 1)
    expect((await set(third)).statusCode).toBe(204)
  })

  it.each([
    ['was blocked', { state: 'blocked' as const }],
    ['has another address', { email: 'moved@bloomery.test' }],
  ])('takes no token of a user who %s meanwhile', async (_what, changes) => {
    const { user } = await newPasswordUser(world)
    const token = await askedToken(user)
    await app.db.updateTable('users').set(changes).where('id', '=', user.id).execute()
    expect(told(await set(token))).toEqual(invalidToken)
  })

  it('takes no token from before another change of the password', async () => {
    const { user } = await newPasswordUser(world)
    const token = await askedToken(user)
    const own = await newPasswordUser(world)
    const ownToken = await askedToken(own.user)
    const otherToken = await askedToken((await newPasswordUser(world)).user)
    await world.as('admin').put(`/users/${user.id}`, { password })
    const { client } = await signInAs(world, own.user.username)
    await client.put('/user/password', { current_password: testPassword, password })
    const notices = await app.deliver()
    expect(notices.map(({ to, subject }) => [to, subject])).toEqual([
      [user.email, 'Password changed'],
      [own.user.email, 'Password changed'],
    ])
    expect(told(await set(token))).toEqual(invalidToken)
    expect(told(await set(ownToken))).toEqual(invalidToken)
    expect((await set(otherToken)).statusCode).toBe(204)
  })

  it('takes no token of another kind', async () => {
    const { user, client } = await newPasswordUser(world)
    await client.post('/user/emails', { email: `kind-${user.email}` })
    const [message] = await app.deliver()
    expect(told(await set(tokenIn(message)))).toEqual(invalidToken)
    const { user: waiting } = await newPasswordUser(world, { confirmed_at: null })
    await app.client().post('/user/confirmation/resend', { email: waiting.email })
    const [confirmation] = await app.deliver()
    expect(told(await set(tokenIn(confirmation)))).toEqual(invalidToken)
    // One email of each kind a minute.
    expect((await set(await askedToken(waiting))).statusCode).toBe(204)
  })

  it('leaves the link good that confirms an address, and is sent beside it', async () => {
    const { user, client } = await newPasswordUser(world)
    const email = `beside-${user.email}`
    await client.post('/user/emails', { email })
    const [confirmation] = await app.deliver()
    expect((await set(await askedToken(user))).statusCode).toBe(204)
    const body = { confirmation_token: tokenIn(confirmation) }
    expect((await app.client().post('/user/confirmation', body)).statusCode).toBe(204)
  })

  it.each([
    ['short', { password: ['is too short (minimum is 8 characters)'] }],
    ['long'.repeat(33), { password: ['is too long (maximum is 128 characters)'] }],
  ])('refuses %j and leaves the token good', async (wanted, message) => {
    const { user } = await newPasswordUser(world)
    const token = await askedToken(user)
    expect(told(await set(token, wanted))).toEqual([400, { message }])
    expect((await set(token)).statusCode).toBe(204)
  })

  it('answers missing parameters with 400', async () => {
    const answer = await app.client().put('/user/password_reset', {})
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        error:
          'reset_password_token is missing, reset_password_token is empty, password is missing, password is empty',
      },
    ])
  })

  it('lifts the lock of an account, but not where codes are guessed', async () => {
    const sign_in_locked_until = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const locked = { sign_in_locked_until, failed_sign_ins: 9 }
    const { user: other } = await newPasswordUser(world, locked)
    const rows = []
    for (const two_factor_enabled of [false, true]) {
      const { user } = await newPasswordUser(world, { ...locked, two_factor_enabled })
      await set(await askedToken(user))
      await app.deliver()
      rows.push(await findUser(app.db, user.id))
    }
    expect(rows).toMatchObject([{ sign_in_locked_until: null, failed_sign_ins: 0 }, locked])
    expect(await findUser(app.db, other.id)).toMatchObject(locked)
  })

  it('signs nobody in who has two-factor sign-in without a code', async () => {
    const { user } = await newPasswordUser(world, { two_factor_enabled: true })
    const answer = await set(await askedToken(user))
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await signIn(user.username, password)).toBe(401)
  })
})

describe('a new account', () => {
  it('is sent a link to set its first password', async () => {
    const username = `fresh.one-${world.users.owner.id}`
    const email = `${username}@bloomery.test`
    const body = { username, name: 'Fresh', email, reset_password: true }
    expect((await world.as('admin').post('/users', body)).statusCode).toBe(201)
    const messages = await app.deliver()
    expect(messages).toEqual([
      {
        to: email,
        subject: 'Account was created for you',
        text: expect.stringContaining(`Your username is ${username}.\n\nSet your password:\n`),
        html: expect.any(String),
      },
    ])
    expect((await set(tokenIn(messages[0]))).statusCode).toBe(204)
    expect(await signIn(email, password)).toBe(201)
    await app.deliver()
  })

  it('is sent nothing when a password was chosen, or nobody is to know one', async () => {
    for (const choice of [{ password }, { force_random_password: true }]) {
      const username = `quiet-${world.users.owner.id}-${Object.keys(choice)[0]}`
      const body = { username, name: 'N', email: `${username}@bloomery.test`, ...choice }
      expect((await world.as('admin').post('/users', body)).statusCode).toBe(201)
    }
    expect(await app.deliver()).toEqual([])
  })
})

describe('the token of a link', () => {
  it('is nowhere in the database or the log', async () => {
    const { user } = await newPasswordUser(world)
    const token = await askedToken(user)
    await app.client().put(`/user/password_reset?reset_password_token=${token}`, { password: 'x' })
    const isPostgres = app.config.databaseUrl !== undefined
    const tables = await sql<{ name: string }>`${sql.raw(
      isPostgres
        ? `select tablename as name from pg_tables where schemaname = 'public'`
        : `select name from sqlite_master where type = 'table'`,
    )}`.execute(app.db)
    expect(tables.rows.length).toBeGreaterThan(20)
    for (const { name } of tables.rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(app.db)
      expect(JSON.stringify(rows)).not.toContain(token)
    }
    expect(app.log.length).toBeGreaterThan(0)
    expect(JSON.stringify(app.log)).not.toContain(token)
    expect((await set(token)).statusCode).toBe(204)
  })

  it('is removed once it is over', async () => {
    const { user } = await newPasswordUser(world)
    await askedToken(user)
    const own = () =>
      app.db.selectFrom('link_tokens').select('id').where('user_id', '=', user.id).execute()
    const later = (ms: number) => () => new Date(app.clock.now().getTime() + ms)
    await removeEndedLinkTokens({ db: app.db, clock: later(2 * 24 * 60 * 60_000 - 1) })
    expect(await own()).toHaveLength(1)
    await removeEndedLinkTokens({ db: app.db, clock: later(2 * 24 * 60 * 60_000) })
    expect(await own()).toEqual([])
  })
})
