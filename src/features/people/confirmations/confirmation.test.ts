import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MailApp, startMailApp, tokenIn } from '../../../../test/kit/emails.ts'
import { newPasswordUser, testPassword } from '../../../../test/kit/session.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { ensureInternalUser } from '../users/internal-user.ts'

let app: MailApp
let world: World
beforeAll(async () => {
  app = await startMailApp({ BLOOMERY_CONFIRM_EMAILS: 'on' })
  world = await newWorld(app)
})
afterAll(() => app.close())
// Nobody reads the messages of another test.
afterEach(() => app.deliver())

const confirm = (confirmation_token: string) =>
  app.client().post('/user/confirmation', { confirmation_token })
const resend = (email: string) => app.client().post('/user/confirmation/resend', { email })
const told = ({ statusCode, json }: Awaited<ReturnType<typeof confirm>>) => [statusCode, json()]
const invalidToken = [400, { message: { confirmation_token: ['is invalid'] } }]

let made = 0
const unique = () => `waiting-${world.users.owner.id}-${++made}`
/** A new account, made by an administrator, whose address waits. */
async function newAccount(more: object = {}) {
  const username = unique()
  const body = { username, name: 'Ann', email: `${username}@Mail.test`, password: testPassword }
  const answer = await world.as('admin').post('/users', { ...body, ...more })
  return { answer, id: answer.json().id as number, username, email: body.email }
}
const signIn = (login: string) => app.client().post('/session', { login, password: testPassword })
const user = async (id: number) => (await findUser(app.db, id)) as User

describe('a new account', () => {
  const text =
    '403 Forbidden - Your primary email address is not confirmed. Please check your inbox for the confirmation instructions.'

  it('can do nothing before its address is confirmed', async () => {
    const { answer, id, username, email } = await newAccount()
    expect([answer.statusCode, answer.json().confirmed_at]).toEqual([201, null])
    const made = await world.as('admin').post(`/users/${id}/personal_access_tokens`, {
      name: 't',
      scopes: ['api', 'read_repository'],
    })
    const { token } = made.json()
    const session = await signIn(username)
    expect([session.statusCode, session.json()]).toEqual([403, { message: text }])
    const byToken = await app.client(token).get('/user')
    expect([byToken.statusCode, byToken.json()]).toEqual([403, { message: text }])
    const bySudo = await world.as('admin').get(`/user?sudo=${username}`)
    expect([bySudo.statusCode, bySudo.json()]).toEqual([403, { message: text }])
    const wrong = await app.client().post('/session', { login: username, password: 'not theirs' })
    expect(wrong.statusCode).toBe(401)
    const [message] = await app.deliver()
    expect(message).toEqual({
      to: email,
      subject: 'Confirm your email address',
      text: [
        'Hello, Ann!',
        `Confirm that this email address belongs to your account ${username}.`,
        `Confirm email address:\nhttp://bloomery.test/users/confirmation?confirmation_token=${tokenIn(message)}`,
        'This link is valid for one day.',
        `-- \nYou receive this email because the account ${username} names your address. If it is not yours, ignore it: the address is not used.\nSent by Bloomery at http://bloomery.test\n`,
      ].join('\n\n'),
      html: expect.stringContaining('<h1'),
    })
    const another = { reset_password_token: tokenIn(message), password: 'quite another password' }
    expect((await app.client().put('/user/password_reset', another)).statusCode).toBe(400)
    const confirmed = await confirm(tokenIn(message))
    expect([confirmed.statusCode, confirmed.body]).toEqual([204, ''])
    expect((await user(id)).confirmed_at).toBe(app.clock.now().toISOString())
    expect((await signIn(email)).statusCode).toBe(201)
    expect((await app.client(token).get('/user')).statusCode).toBe(200)
    expect(told(await confirm(tokenIn(message)))).toEqual(invalidToken)
  })

  it('is refused over git, by password and by token', async () => {
    const { id, username } = await newAccount()
    const made = await world.as('admin').post(`/users/${id}/personal_access_tokens`, {
      name: 't',
      scopes: ['read_repository'],
    })
    for (const secret of [testPassword, made.json().token]) {
      const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`
      const answer = await app.server.inject({
        url: `/${world.projects.open.full_path}.git/info/refs?service=git-upload-pack`,
        headers: { host: 'bloomery.test', authorization },
      })
      expect(answer.statusCode).toBe(403)
    }
  })

  it('needs no confirmation where the administrator says so', async () => {
    const { answer } = await newAccount({ skip_confirmation: true })
    expect(answer.json().confirmed_at).toBe(app.clock.now().toISOString())
    expect(await app.deliver()).toEqual([])
  })

  it('of no mail server, or one that confirms nothing, is confirmed at once', async () => {
    const other = await startMailApp()
    const body = { username: 'at-once', name: 'N', email: 'a@once.test', password: testPassword }
    const answer = await (await newWorld(other)).as('admin').post('/users', body)
    expect(answer.json().confirmed_at).toBe(other.clock.now().toISOString())
    expect(await other.deliver()).toEqual([])
    await other.close()
  })

  it('has what its address was invited to, once it is confirmed', async () => {
    const project = await world.newProject()
    const email = `${unique()}@mail.test`
    const invitation = { email, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/invitations`, invitation)
    const { id } = await newAccount({ email })
    const members = `/projects/${project.id}/members?user_ids=${id}`
    expect((await world.as('owner').get(members)).json()).toEqual([])
    const messages = await app.deliver()
    expect(messages.map(({ subject }) => subject)).toEqual([
      `Invitation to the project ${project.name.replaceAll('.', ' ')}`,
      'Confirm your email address',
    ])
    await confirm(tokenIn(messages[1]))
    expect((await world.as('owner').get(members)).json()).toMatchObject([{ id, access_level: 30 }])
  })
})

describe('POST /user/confirmation', () => {
  it('takes no token that is over, replaced, or of somebody blocked', async () => {
    const { id, email } = await newAccount()
    const [first] = await app.deliver()
    app.clock.advance(60_000)
    await resend(email.toUpperCase())
    const [second] = await app.deliver()
    expect(second?.to).toBe(email)
    expect(told(await confirm(tokenIn(first)))).toEqual(invalidToken)
    app.clock.advance(24 * 60 * 60_000)
    expect(told(await confirm(tokenIn(second)))).toEqual(invalidToken)
    await resend(email)
    const [third] = await app.deliver()
    const { db } = app
    await db.updateTable('users').set({ state: 'blocked' }).where('id', '=', id).execute()
    expect(told(await confirm(tokenIn(third)))).toEqual(invalidToken)
    await db.updateTable('users').set({ state: 'active' }).where('id', '=', id).execute()
    expect((await confirm(tokenIn(third))).statusCode).toBe(204)
  })

  it('does nothing for an address that no longer waits', async () => {
    const { client } = await newPasswordUser(world)
    const email = `${unique()}@mail.test`
    const added = await client.post('/user/emails', { email })
    const [message] = await app.deliver()
    await client.delete(`/user/emails/${added.json().id}`)
    expect(told(await confirm(tokenIn(message)))).toEqual(invalidToken)
    const others = (await newPasswordUser(world)).client
    await others.post('/user/emails', { email })
    expect(told(await confirm(tokenIn(message)))).toEqual(invalidToken)
  })

  it.each([
    [{}, 'confirmation_token is missing, confirmation_token is empty'],
    [{ confirmation_token: '' }, 'confirmation_token is empty'],
  ])('answers %j with 400', async (body, error) => {
    const answer = await app.client().post('/user/confirmation', body)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })
})

describe('POST /user/confirmation/resend', () => {
  it('answers and works alike for every address, and writes to those that wait', async () => {
    const waiting = await newAccount()
    await app.deliver()
    app.clock.advance(60_000)
    const { user: confirmed } = await newPasswordUser(world)
    const blocked = await newPasswordUser(world, { state: 'blocked', confirmed_at: null })
    const ghost = await app.db
      .transaction()
      .execute((tx) => ensureInternalUser(tx, app.clock.now, 'ghost'))
    const seen = new Set<string>()
    for (const email of [
      waiting.email,
      confirmed.email,
      blocked.user.email,
      ghost.email,
      'nobody@mail.test',
    ]) {
      let answer = await resend('warm-up@mail.test')
      const { queries } = await app.count(async () => {
        answer = await resend(email)
      })
      seen.add(JSON.stringify([answer.statusCode, answer.body, queries]))
    }
    expect(seen.size).toBe(1)
    expect([...seen][0]).toContain('202 Accepted')
    expect((await app.deliver()).map(({ to }) => to)).toEqual([waiting.email])
  })

  it('writes to an address no more than once a minute', async () => {
    const { email } = await newAccount()
    await resend(email)
    expect(await app.deliver()).toHaveLength(1)
    await resend(email)
    expect(await app.deliver()).toEqual([])
    app.clock.advance(60_000)
    await resend(email)
    expect(await app.deliver()).toHaveLength(1)
  })

  it('answers without an address with 400', async () => {
    const answer = await app.client().post('/user/confirmation/resend', {})
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'email is missing, email is empty' },
    ])
  })
})

describe('a new address of an account', () => {
  const change = (id: number, body: object) => world.as('admin').put(`/users/${id}`, body)

  it('is the account’s once it is confirmed, and the old one is told', async () => {
    const { user: before } = await newPasswordUser(world)
    await app.db
      .updateTable('users')
      .set({ public_email: before.email })
      .where('id', '=', before.id)
      .execute()
    const email = `${unique()}@Mail.test`
    const project = await world.newProject()
    const invitation = { email: email.toLowerCase(), access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/invitations`, invitation)
    await app.deliver()
    const answer = await change(before.id, { email })
    expect(answer.json().email).toBe(before.email)
    const messages = await app.deliver()
    expect(messages).toEqual([
      {
        to: email,
        subject: 'Confirm your email address',
        text: expect.any(String),
        html: expect.any(String),
      },
      {
        to: before.email,
        subject: 'Your email address will be changed',
        text: expect.stringContaining(`will be ${email} as soon as it is confirmed.`),
        html: expect.any(String),
      },
    ])
    expect((await confirm(tokenIn(messages[0]))).statusCode).toBe(204)
    expect(await user(before.id)).toMatchObject({
      email,
      unconfirmed_email: null,
      public_email: '',
    })
    const members = await world.as('owner').get(`/projects/${project.id}/members`)
    expect(members.json()).toMatchObject([{ id: before.id, access_level: 30 }])
    expect((await signIn(email)).statusCode).toBe(201)
    expect((await signIn(before.email)).statusCode).toBe(401)
  })

  it('waits no longer once another one is given, or the present one', async () => {
    const { user: before } = await newPasswordUser(world)
    await change(before.id, { email: `${unique()}@mail.test` })
    const [first] = await app.deliver()
    await change(before.id, { email: `${unique()}@mail.test` })
    const [second] = await app.deliver()
    expect(told(await confirm(tokenIn(first)))).toEqual(invalidToken)
    await change(before.id, { email: before.email })
    expect(await app.deliver()).toEqual([])
    expect(told(await confirm(tokenIn(second)))).toEqual(invalidToken)
    expect((await user(before.id)).email).toBe(before.email)
  })

  it('that somebody takes first is refused', async () => {
    const { user: before } = await newPasswordUser(world)
    const email = `${unique()}@mail.test`
    await change(before.id, { email })
    const [message] = await app.deliver()
    const other = await newAccount({ email: email.toUpperCase(), skip_confirmation: true })
    const answer = await confirm(tokenIn(message))
    expect(told(answer)).toEqual([400, { message: { email: ['has already been taken'] } }])
    await world
      .as('admin')
      .put(`/users/${other.id}`, { email: `x${email}`, skip_reconfirmation: true })
    expect((await confirm(tokenIn(message))).statusCode).toBe(204)
  })

  it('that the administrator vouches for is the account’s at once, with its invitations', async () => {
    const { user: before } = await newPasswordUser(world)
    const email = `${unique()}@mail.test`
    const project = await world.newProject()
    const invitation = { email, access_level: 30 }
    await world.as('owner').post(`/projects/${project.id}/invitations`, invitation)
    await app.deliver()
    await change(before.id, { email, skip_reconfirmation: true })
    expect(await app.deliver()).toMatchObject([
      {
        to: before.email,
        subject: 'Your email address was changed',
        text: expect.stringContaining(`is now ${email}.`),
      },
    ])
    const members = await world.as('owner').get(`/projects/${project.id}/members`)
    expect(members.json()).toMatchObject([{ id: before.id }])
  })

  it('is told to nobody at an address that was never confirmed', async () => {
    const { id } = await newAccount()
    await app.deliver()
    const email = `${unique()}@mail.test`
    await change(id, { email })
    const messages = await app.deliver()
    expect(messages.map(({ to }) => to)).toEqual([email])
    const corrected = `${unique()}@mail.test`
    await change(id, { email: corrected, skip_reconfirmation: true })
    const [other, ...more] = await app.deliver()
    expect([other?.to, more]).toEqual([corrected, []])
    expect(await user(id)).toMatchObject({ email: corrected, confirmed_at: null })
    expect(told(await confirm(tokenIn(messages[0])))).toEqual(invalidToken)
    expect((await confirm(tokenIn(other))).statusCode).toBe(204)
  })

  it('confirms an account that never was', async () => {
    const { id, email: before } = await newAccount()
    await app.deliver()
    const email = `${unique()}@mail.test`
    await change(id, { email })
    const [message] = await app.deliver()
    // Links to confirm an address are no concern of the password.
    await app.client().post('/user/password_reset', { email: before })
    expect((await app.deliver()).map(({ subject }) => subject)).toEqual([
      'Reset password instructions',
    ])
    await change(id, { password: 'quite another password' })
    await confirm(tokenIn(message))
    expect(await user(id)).toMatchObject({ email, confirmed_at: app.clock.now().toISOString() })
  })

  it('takes the link to reset the password from the old one', async () => {
    const { user: before } = await newPasswordUser(world)
    await app.client().post('/user/password_reset', { email: before.email })
    const [reset] = await app.deliver()
    await change(before.id, { email: `${unique()}@mail.test`, skip_reconfirmation: true })
    const body = { reset_password_token: tokenIn(reset), password: 'quite another password' }
    const answer = await app.client().put('/user/password_reset', body)
    expect(answer.statusCode).toBe(400)
  })
})

describe('a further address', () => {
  it('is confirmed by its user, who then signs in by it and has its invitations', async () => {
    const { user: owner, client } = await newPasswordUser(world)
    const email = `${unique()}@mail.test`
    const project = await world.newProject()
    const invitation = { email, access_level: 20 }
    await world.as('owner').post(`/projects/${project.id}/invitations`, invitation)
    await app.deliver()
    await client.post('/user/emails', { email: `first-${email}` })
    await client.post('/user/emails', { email })
    const [, message] = await app.deliver()
    expect(message?.to).toBe(email)
    expect((await signIn(email)).statusCode).toBe(401)
    expect((await confirm(tokenIn(message))).statusCode).toBe(204)
    expect((await client.get('/user/emails')).json()).toEqual([
      expect.objectContaining({ email: owner.email }),
      { id: expect.any(Number), email: `first-${email}`, confirmed_at: null },
      { id: expect.any(Number), email, confirmed_at: app.clock.now().toISOString() },
    ])
    expect((await signIn(email)).statusCode).toBe(201)
    const members = await world.as('owner').get(`/projects/${project.id}/members`)
    expect(members.json()).toMatchObject([{ id: owner.id, access_level: 20 }])
  })

  it('that an administrator confirms has its invitations, and those to come, without an email', async () => {
    const { user: owner } = await newPasswordUser(world)
    const email = `${unique()}@mail.test`
    const [before, after] = [await world.newProject(), await world.newProject()]
    const invitation = { email: email.toUpperCase(), access_level: 20 }
    await world.as('owner').post(`/projects/${before.id}/invitations`, invitation)
    await app.deliver()
    await world.as('admin').post(`/users/${owner.id}/emails`, { email, skip_confirmation: true })
    await world.as('owner').post(`/projects/${after.id}/invitations`, invitation)
    expect(await app.deliver()).toEqual([])
    for (const { id } of [before, after]) {
      const members = await world.as('owner').get(`/projects/${id}/members`)
      expect(members.json()).toMatchObject([{ id: owner.id, access_level: 20 }])
      expect((await world.as('owner').get(`/projects/${id}/invitations`)).json()).toEqual([])
    }
  })

  it('that is added again and again is sent one email a minute, whose link stays good', async () => {
    const { client } = await newPasswordUser(world)
    const email = `${unique()}@mail.test`
    const addAgain = async () => {
      const { id } = (await client.post('/user/emails', { email })).json()
      const messages = await app.deliver()
      return { messages, remove: () => client.delete(`/user/emails/${id}`) }
    }
    const first = await addAgain()
    expect(first.messages).toHaveLength(1)
    await first.remove()
    const other = `${unique()}@mail.test`
    await client.post('/user/emails', { email: other })
    expect(await app.deliver()).toMatchObject([{ to: other }])
    const second = await addAgain()
    expect(second.messages).toEqual([])
    expect((await confirm(tokenIn(first.messages[0]))).statusCode).toBe(204)
    await second.remove()
    expect((await addAgain()).messages).toHaveLength(1)
  })

  it('that an administrator adds without a word is sent the link', async () => {
    const { user: owner } = await newPasswordUser(world)
    const email = `${unique()}@mail.test`
    await world.as('admin').post(`/users/${owner.id}/emails`, { email })
    expect(await app.deliver()).toMatchObject([{ to: email }])
  })
})
