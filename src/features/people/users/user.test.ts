import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { User } from '../../../subjects/user.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const basic = (user: User) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: 'active',
  avatar_url: null,
  web_url: `http://bloomery.test/${user.username}`,
})
const single = (user: User) => ({
  ...basic(user),
  created_at: user.created_at,
  bio: '',
  location: null,
  public_email: '',
  skype: '',
  linkedin: '',
  twitter: '',
  website_url: '',
  organization: null,
  job_title: '',
  pronouns: null,
  bot: false,
  work_information: null,
  followers: 0,
  following: 0,
})
const own = (user: User) => ({
  ...single(user),
  last_sign_in_at: null,
  confirmed_at: '2026-03-01T12:00:00.000Z',
  last_activity_on: '2026-03-01',
  email: user.email,
  theme_id: 1,
  color_scheme_id: 1,
  projects_limit: 100000,
  current_sign_in_at: null,
  identities: [],
  can_create_group: true,
  can_create_project: true,
  two_factor_enabled: false,
  external: false,
  private_profile: false,
  commit_email: user.email,
})
const seenByAdmin = (user: User) => ({
  ...own(user),
  is_admin: false,
  note: null,
  current_sign_in_ip: null,
  last_sign_in_ip: null,
  sign_in_count: 0,
  highest_role: expect.any(Number),
  plan: null,
  trial: false,
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
  is_auditor: false,
  using_license_seat: false,
  provisioned_by_group_id: null,
})

describe('GET /user', () => {
  it('answers an anonymous caller with 401', async () => {
    const answer = await world.as('anonymous').get('/user')
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ message: '401 Unauthorized' })
  })

  it("answers the caller's own record", async () => {
    const { client, user } = await world.newUser()
    expect((await client.get('/user')).json()).toEqual(own(user))
  })

  it('answers an administrator with the administrator view', async () => {
    const { client, user } = await world.newUser({ is_admin: true })
    expect((await client.get('/user')).json()).toEqual({ ...seenByAdmin(user), is_admin: true })
  })
})

describe('GET /users/:id', () => {
  it('may be limited for everybody but administrators', async () => {
    const limit = { users_get_by_id: { requests: 1, period_s: 600 } }
    const app = await startApp({ BLOOMERY_RATE_LIMITS: JSON.stringify(limit) })
    try {
      const limited = await newWorld(app)
      const ask = (who: 'guest' | 'owner' | 'admin') =>
        limited.as(who).get(`/users/${limited.users.guest.id}`)
      expect((await ask('guest')).statusCode).toBe(200)
      const refused = await ask('guest')
      expect([refused.statusCode, refused.json()]).toEqual([
        429,
        {
          message: {
            error: 'This endpoint has been requested too many times. Try again later.',
          },
        },
      ])
      expect(refused.headers).toMatchObject({ 'ratelimit-name': 'throttle_users_get_by_id' })
      expect((await limited.as('guest').get('/user')).statusCode).toBe(200)
      expect((await ask('owner')).statusCode).toBe(200)
      expect([(await ask('admin')).statusCode, (await ask('admin')).statusCode]).toEqual([200, 200])
    } finally {
      await app.close()
    }
  })

  it.each([
    ['anonymous', 403, { message: '403 Forbidden - Not authorized!' }],
    ['guest', 200, undefined],
  ] as const)('answers %s with %i', async (who, status, expected) => {
    const { user } = await world.newUser()
    const answer = await world.as(who).get(`/users/${user.id}`)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected ?? single(user))
  })

  it('hides the dates of a private profile from others', async () => {
    const { user, client } = await world.newUser({ private_profile: true })
    const { created_at: _a, followers: _b, following: _c, ...rest } = single(user)
    expect((await world.as('guest').get(`/users/${user.id}`)).json()).toEqual(rest)
    expect((await client.get(`/users/${user.id}`)).json()).toEqual(single(user))
  })

  it('answers an administrator with everything', async () => {
    const { user } = await world.newUser()
    const answer = await world.as('admin').get(`/users/${user.id}`)
    expect(answer.json()).toEqual({ ...seenByAdmin(user), last_activity_on: null })
  })

  it('answers an unknown id with 404', async () => {
    const answer = await world.as('guest').get('/users/999999')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 User Not Found' })
  })
})

describe('GET /users', () => {
  it('answers an anonymous caller only for a name', async () => {
    const refused = await world.as('anonymous').get('/users')
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({
      message: '403 Forbidden - Not authorized to access /api/v4/users',
    })
    const { user } = await world.newUser()
    const answer = await world.as('anonymous').get(`/users?username=${user.username.toUpperCase()}`)
    expect(answer.json()).toEqual([basic(user)])
    expect((await world.as('anonymous').get('/users?username=nobody-of-that-name')).json()).toEqual(
      [],
    )
  })

  it('finds by parts of names, but by whole addresses', async () => {
    const { user } = await world.newUser({ name: 'Zoë Findable', public_email: 'zoe@public.test' })
    const found = async (search: string, who: 'guest' | 'admin' = 'guest') =>
      (await world.as(who).get(`/users?search=${encodeURIComponent(search)}`))
        .json()
        .map(({ id }: User) => id)
    expect(await found('findab')).toEqual([user.id])
    expect(await found('zoe@public.test')).toEqual([user.id])
    expect(await found('zoe@pub')).toEqual([])
    expect(await found(user.email)).toEqual([])
    expect(await found(user.email, 'admin')).toEqual([user.id])
    expect(await found(`@${user.username}`)).toEqual([user.id])
    expect(await found('%')).toEqual([])
    expect(await found('fi')).toEqual([])
  })

  it('filters by state and kind', async () => {
    const { user } = await world.newUser({ state: 'blocked', external: true })
    const { user: other } = await world.newUser()
    const ids = async (query: string, username = user.username) =>
      (await world.as('guest').get(`/users?username=${username}&${query}`))
        .json()
        .map(({ id }: User) => id)
    expect(await ids('blocked=true')).toEqual([user.id])
    expect(await ids('active=true')).toEqual([])
    expect(await ids('active=false')).toEqual([user.id])
    expect(await ids('external=true')).toEqual([user.id])
    expect(await ids('external=true', other.username)).toEqual([])
    expect(await ids('exclude_external=true')).toEqual([])
    expect(await ids('exclude_internal=true')).toEqual([user.id])
  })

  it('pages, newest first, in two queries', async () => {
    const answer = await world.as('guest').get('/users?per_page=2&page=2')
    expect(answer.headers).toMatchObject({ 'x-page': '2', 'x-prev-page': '1', 'x-next-page': '3' })
    const ids = answer.json().map(({ id }: User) => id)
    expect(ids).toEqual([...ids].sort((a: number, b: number) => b - a))
    const counted = await world.app.count(() => world.as('guest').get('/users?per_page=2&page=2'))
    expect(counted).toEqual({ queries: 3, processes: 0 })
  })
})

describe('POST /users', () => {
  let made = 0
  const fields = () => {
    const username = `made-${world.users.owner.id}-${++made}`
    return { username, name: 'New One', email: `${username}@x.test`, password: 'long enough' }
  }

  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    expect((await world.as(who).post('/users', fields())).statusCode).toBe(status)
  })

  it('makes a user with a namespace who can sign in with the password', async () => {
    const given = fields()
    const answer = await world
      .as('admin')
      .post('/users', { ...given, bio: 'b', note: 'n', admin: false })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      username: given.username,
      email: given.email,
      bio: 'b',
      note: 'n',
      is_admin: false,
    })
    const project = await world
      .as('admin')
      .post(`/projects/user/${answer.json().id}`, { name: 'P' })
    expect(project.json()).toMatchObject({ path_with_namespace: `${given.username}/p` })
  })

  it('gives an external user neither groups nor projects', async () => {
    const answer = await world.as('admin').post('/users', { ...fields(), external: true })
    expect(answer.json()).toMatchObject({
      external: true,
      can_create_group: false,
      projects_limit: 0,
      can_create_project: false,
    })
  })

  it.each([
    [
      { email: undefined, name: undefined, username: undefined, password: undefined },
      400,
      { error: 'email is missing, name is missing, username is missing' },
    ],
    [
      { password: undefined },
      400,
      {
        error:
          'password, reset_password, force_random_password are missing, at least one parameter must be provided',
      },
    ],
    [
      { password: undefined, reset_password: false },
      400,
      { message: { password: ["can't be blank"] } },
    ],
    [
      { password: 'short' },
      400,
      { message: { password: ['is too short (minimum is 8 characters)'] } },
    ],
    [
      { password: 'x'.repeat(129) },
      400,
      { message: { password: ['is too long (maximum is 128 characters)'] } },
    ],
    [{ email: 'no address' }, 400, { message: { email: ['is invalid'] } }],
    [
      { username: '-x' },
      400,
      {
        message: {
          username: [
            "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.",
          ],
        },
      },
    ],
    [{ username: 'API' }, 400, { message: { username: ['is a reserved name'] } }],
    [
      { username: 'x.png' },
      400,
      { message: { username: ['ending with a reserved file extension is not allowed.'] } },
    ],
    [{ name: ' ' }, 400, { message: { name: ["can't be blank"] } }],
    [
      { bio: 'b'.repeat(256) },
      400,
      { message: { bio: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { projects_limit: -1 },
      400,
      { message: { projects_limit: ['must be greater than or equal to 0'] } },
    ],
    [{ projects_limit: 'x' }, 400, { error: 'projects_limit is invalid' }],
  ])('answers %j with %i', async (changes, status, expected) => {
    const answer = await world.as('admin').post('/users', { ...fields(), ...changes })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })

  it('answers a taken address or name with 409, the address first', async () => {
    const { owner } = world.users
    const post = async (changes: object) =>
      await world.as('admin').post('/users', { ...fields(), ...changes })
    const byEmail = await post({ email: owner.email.toUpperCase(), username: owner.username })
    expect(byEmail.statusCode).toBe(409)
    expect(byEmail.json()).toEqual({ message: 'Email has already been taken' })
    const byName = await post({ username: owner.username.toUpperCase() })
    expect(byName.statusCode).toBe(409)
    expect(byName.json()).toEqual({ message: 'Username has already been taken' })
    const byGroup = await post({ username: world.groups.open.path })
    expect(byGroup.statusCode).toBe(400)
    expect(byGroup.json()).toEqual({ message: { username: ['has already been taken'] } })
    const { rows } = {
      rows: await world.as('admin').get(`/users?username=${world.groups.open.path}`),
    }
    expect(rows.json()).toEqual([])
  })
})
