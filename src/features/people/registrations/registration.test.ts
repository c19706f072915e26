import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { type MailApp, startMailApp, tokenIn } from '../../../../test/kit/emails.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

const password = 'a long pass phrase'

let app: MailApp
let world: World
beforeAll(async () => {
  app = await startMailApp({ BLOOMERY_CONFIRM_EMAILS: 'on' })
  world = await newWorld(app)
})
afterAll(() => app.close())
// Nobody reads the emails of another test, or lives with its settings.
afterEach(async () => {
  await app.deliver()
  await app.db.deleteFrom('settings').execute()
})

let accounts = 0
function newAccount(more: object = {}) {
  const username = `newcomer-${++accounts}`
  return { name: 'New Comer', username, email: `${username}@x.test`, password, ...more }
}
const set = async (settings: object) => {
  const { statusCode } = await world.as('admin').put('/application/settings', settings)
  expect(statusCode).toBe(200)
}
const signUp = async (account: object) => {
  const answer = await world.as('anonymous').post('/user/registration', account)
  return [answer.statusCode, answer.json()]
}
const signIn = async (login: string) => {
  const answer = await world.as('anonymous').post('/session', { login, password })
  return [answer.statusCode, answer.json().message]
}

describe('GET /user/registration', () => {
  it('tells visitors whether and how they sign up', async () => {
    const read = async () => (await world.as('anonymous').get('/user/registration')).json()
    expect(await read()).toEqual({
      enabled: true,
      requires_approval: true,
      requires_confirmation: true,
      minimum_password_length: 8,
      awaits_first_sign_in: true,
    })
    const { username } = world.users.owner
    await set({
      signup_enabled: false,
      require_admin_approval_after_user_signup: false,
      minimum_password_length: 12,
    })
    expect(await read()).toEqual({
      enabled: false,
      requires_approval: false,
      requires_confirmation: true,
      minimum_password_length: 12,
      awaits_first_sign_in: true,
    })
    await app.db
      .updateTable('users')
      .set({ sign_in_count: 1 })
      .where('username', '=', username)
      .execute()
    expect((await read()).awaits_first_sign_in).toBe(false)
  })
})

describe('POST /user/registration', () => {
  it('makes an account that is used once it is confirmed and approved', async () => {
    const account = newAccount()
    expect(await signUp(account)).toEqual([
      201,
      {
        username: account.username,
        state: 'blocked_pending_approval',
        requires_confirmation: true,
      },
    ])
    const pending = 'Your account is pending approval from your administrator and hence blocked.'
    expect(await signIn(account.username)).toEqual([403, `403 Forbidden - ${pending}`])
    const admin = world.as('admin')
    const [user] = (await admin.get(`/users?username=${account.username}`)).json()
    expect((await admin.post(`/users/${user.id}/approve`)).statusCode).toBe(201)
    const unconfirmed =
      'Your primary email address is not confirmed. Please check your inbox for the confirmation instructions.'
    expect(await signIn(account.username)).toEqual([403, `403 Forbidden - ${unconfirmed}`])
    const [email] = await app.deliver()
    expect(email).toMatchObject({ to: account.email, subject: 'Confirm your email address' })
    const confirmation_token = tokenIn(email)
    await world.as('anonymous').post('/user/confirmation', { confirmation_token })
    expect(await signIn(account.username)).toEqual([201, undefined])
    const record = (await admin.get(`/users/${user.id}`)).json()
    expect(record).toMatchObject({
      ...{ state: 'active', is_admin: false, external: false, name: 'New Comer' },
      ...{ email: account.email, projects_limit: 100_000, can_create_group: true },
    })
    const events = await app.db
      .selectFrom('audit_events')
      .select(['action', 'author_id', 'details'])
      .where('author_id', '=', user.id)
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toContain('user_registered')
    expect(JSON.stringify(events)).not.toContain(password)
  })

  it('needs no approval where the settings ask for none', async () => {
    await set({ require_admin_approval_after_user_signup: false, user_default_external: true })
    const account = newAccount()
    expect(await signUp(account)).toMatchObject([201, { state: 'active' }])
    const [user] = (await world.as('admin').get(`/users?username=${account.username}`)).json()
    expect(user).toMatchObject({ external: true, projects_limit: 0, can_create_group: false })
  })

  it('is refused while sign-up is disabled', async () => {
    await set({ signup_enabled: false })
    const account = newAccount()
    expect(await signUp(account)).toEqual([403, { message: 'Sign-up is disabled' }])
    expect((await world.as('admin').get(`/users?username=${account.username}`)).json()).toEqual([])
  })

  it.each([
    [{ password: 'short' }, { password: ['is too short (minimum is 8 characters)'] }],
    [{ email: 'no address' }, { email: ['is invalid'] }],
    [
      { username: '-' },
      {
        username: [
          "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.",
        ],
      },
    ],
  ])('refuses %j', async (wrong, message) => {
    expect(await signUp(newAccount(wrong))).toEqual([400, { message }])
  })

  it('names what is missing, and what is taken', async () => {
    expect(await signUp({})).toEqual([
      400,
      {
        error: ['name', 'username', 'email', 'password']
          .map((field) => `${field} is missing, ${field} is empty`)
          .join(', '),
      },
    ])
    const { username, email } = world.users.owner
    expect(await signUp(newAccount({ username }))).toEqual([
      409,
      { message: 'Username has already been taken' },
    ])
    expect(await signUp(newAccount({ email }))).toEqual([
      409,
      { message: 'Email has already been taken' },
    ])
  })

  it('takes neither rights nor a state from the caller', async () => {
    const account = newAccount({ admin: true, is_admin: true, state: 'active', external: false })
    expect(await signUp(account)).toMatchObject([201, { state: 'blocked_pending_approval' }])
    const [user] = (await world.as('admin').get(`/users?username=${account.username}`)).json()
    expect(user.is_admin).toBe(false)
  })

  const notAuthorized = { email: ['domain is not authorized for sign-up.'] }
  const denied = { email: ['is not from an allowed domain.'] }
  const restricted = { email: ['is not allowed. Please use your regular email address.'] }
  it.each([
    [{ domain_allowlist: ['good.test', '*.good.test'] }, 'a@good.test', undefined],
    [{ domain_allowlist: ['good.test', '*.good.test'] }, 'a@Deep.Good.test', undefined],
    [{ domain_allowlist: ['good.test'] }, 'a@good.test.bad.test', notAuthorized],
    [{ domain_denylist_enabled: true, domain_denylist: ['*bad.test'] }, 'a@very.bad.test', denied],
    [{ domain_denylist_enabled: false, domain_denylist: ['bad.test'] }, 'b@bad.test', undefined],
    [{ email_restrictions_enabled: true, email_restrictions: '\\+' }, 'a+b@x.test', restricted],
    [{ email_restrictions_enabled: false, email_restrictions: '\\+' }, 'c+d@x.test', undefined],
  ])('with the settings %j takes or refuses %s', async (settings, address, problem) => {
    await set(settings)
    const email = address.replace('@', `${accounts}@`)
    const expected = problem ? [400, { message: problem }] : [201, expect.anything()]
    expect(await signUp(newAccount({ email }))).toEqual(expected)
  })

  it('wants a password as long as the settings say', async () => {
    await set({ minimum_password_length: 30 })
    expect(await signUp(newAccount())).toEqual([
      400,
      { message: { password: ['is too short (minimum is 30 characters)'] } },
    ])
  })
})

describe('without confirmation of addresses', () => {
  it('an account takes no invitation to an address that nobody has proven', async () => {
    const plain = await startApp({ BLOOMERY_CONFIRM_EMAILS: 'off' })
    try {
      const other = await newWorld(plain)
      const group = await other.newMemberedGroup()
      const account = newAccount()
      const invited = { email: account.email, access_level: 50 }
      const invitation = await other.as('owner').post(`/groups/${group.id}/invitations`, invited)
      expect(invitation.statusCode).toBe(201)
      const answer = await other.as('anonymous').post('/user/registration', account)
      expect(answer.json()).toMatchObject({ requires_confirmation: false })
      const members = (await other.as('owner').get(`/groups/${group.id}/members`)).json()
      const names = members.map(({ username }: { username: string }) => username)
      expect(names).not.toContain(account.username)
    } finally {
      await plain.close()
    }
  })
})

it('is asked for 60 times an hour at most from one address', async () => {
  const limited = await startApp({ BLOOMERY_TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const statuses: number[] = []
    for (let at = 0; at < 61; at++) {
      const answer = await limited.client().post('/user/registration', {}, { headers })
      statuses.push(answer.statusCode)
    }
    expect(statuses.slice(0, 60).every((status) => status === 400)).toBe(true)
    expect(statuses[60]).toBe(429)
  } finally {
    await limited.close()
  }
})
