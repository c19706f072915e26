import { beforeAll, describe, expect, it } from 'vitest'
import { newKeyPair } from '../../../../test/kit/ssh-key.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import { removeOrphanedTokenBotsTask } from './access-token.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const owners = [
  ['project', 'maintainer', 'developer'],
  ['group', 'owner', 'maintainer'],
] as const

async function newPlace(kind: 'project' | 'group') {
  const { id } = kind === 'project' ? await world.newProject() : await world.newMemberedGroup()
  return { id, of: `/${kind}s/${id}`, url: `/${kind}s/${id}/access_tokens` }
}

const body = { name: 'Robot', scopes: ['api', 'read_repository'] }

describe.each(owners)('Access tokens of a %s', (kind, lowest, tooLow) => {
  it('are made with a bot, listed, shown and removed with it', async () => {
    const { id, of, url } = await newPlace(kind)
    const client = world.as(lowest)
    const made = await client.post(url, { ...body, access_level: 30, expires_at: '2027-01-01' })
    const { token, ...record } = made.json()
    expect(made.statusCode).toBe(201)
    expect(record).toEqual({
      id: expect.any(Number),
      name: 'Robot',
      revoked: false,
      created_at: '2026-03-01T12:00:00.000Z',
      scopes: ['api', 'read_repository'],
      user_id: expect.any(Number),
      last_used_at: null,
      active: true,
      expires_at: '2027-01-01',
      access_level: 30,
    })
    expect((await client.get(url)).json()).toEqual([record])
    const one = await client.get(`${url}/${record.id}`)
    expect([one.statusCode, one.json()]).toEqual([200, record])
    const bot = world.app.client(token)
    const me = await bot.get('/user')
    expect(me.json()).toMatchObject({
      id: record.user_id,
      username: `${kind}_${id}_bot`,
      name: 'Robot',
      bot: true,
      email: `${kind}_${id}_bot@noreply.bloomery.test`,
    })
    const member = await client.get(`${of}/members/${record.user_id}`)
    expect(member.json()).toMatchObject({ access_level: 30, expires_at: '2027-01-01' })
    expect((await bot.get(of)).statusCode).toBe(200)
    const second = (await client.post(url, body)).json()
    expect(second).toMatchObject({ access_level: 40, expires_at: null })
    expect((await world.app.client(second.token).get('/user')).json().username).toBe(
      `${kind}_${id}_bot1`,
    )
    // What an administrator makes to act as the bot is none of them.
    const impersonation = `/users/${second.user_id}/impersonation_tokens`
    const acting = await world.as('admin').post(impersonation, { name: 'a', scopes: ['api'] })
    expect(acting.statusCode).toBe(201)
    expect((await client.get(url)).json()).toMatchObject([{ id: record.id }, { id: second.id }])
    const gone = await client.delete(`${url}/${record.id}`)
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    expect((await bot.get('/user')).statusCode).toBe(403)
    await world.app.worker.drain()
    expect((await bot.get('/user')).statusCode).toBe(401)
    expect((await client.get(`${of}/members/${record.user_id}`)).statusCode).toBe(404)
    const { token: secondToken, ...left } = second
    expect((await world.app.client(secondToken).get('/user')).statusCode).toBe(200)
    expect((await client.get(url)).json()).toMatchObject([{ id: left.id, active: true }])
    for (const answer of [
      await client.get(`${url}/${record.id}`),
      await client.delete(`${url}/${record.id}`),
    ]) {
      const message = `404 Could not find ${kind} access token with token_id: ${record.id} Not Found`
      expect([answer.statusCode, answer.json()]).toEqual([404, { message }])
    }
  })

  it.each([
    [{}, { error: 'name is missing, scopes is missing' }],
    [{ ...body, scopes: ['sudo'] }, { error: 'scopes does not have a valid value' }],
    [{ ...body, access_level: 35 }, { error: 'access_level does not have a valid value' }],
    [{ ...body, scopes: [] }, { message: "400 Bad request - Scopes can't be blank" }],
    [{ ...body, name: ' ' }, { message: "400 Bad request - Name can't be blank" }],
    [
      { ...body, expires_at: '2020-01-01' },
      { message: '400 Bad request - Expiration date cannot be in the past' },
    ],
  ])('are not made of %j', async (wrong, problem) => {
    const { url } = await newPlace(kind)
    const answer = await world.as(lowest).post(url, wrong)
    expect([answer.statusCode, answer.json()]).toEqual([400, problem])
  })

  it('are of a thousand bots at most, however many others have', async () => {
    const [full, other] = [await newPlace(kind), await newPlace(kind)]
    expect((await world.as(lowest).post(full.url, body)).statusCode).toBe(201)
    const { db } = world.app
    const [bot] = await db
      .selectFrom('access_token_bots')
      .selectAll()
      .orderBy('user_id', 'desc')
      .execute()
    const [user] = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', bot?.user_id ?? 0)
      .execute()
    if (!bot || !user) throw new Error('There is no bot.')
    const { id: _, ...fields } = user
    const most = limits.access_token_bots_max
    const names = Array.from({ length: most - 1 }, (_one, at) => `${user.username}-of-many-${at}`)
    // As many as a statement has room for.
    for (let at = 0; at < names.length; at += 250) {
      const values = names
        .slice(at, at + 250)
        .map((username) => ({ ...fields, username, email: `${username}@bloomery.test` }))
      const users = await db.insertInto('users').values(values).returning('id').execute()
      const bots = users.map((one) => ({ ...bot, user_id: one.id }))
      await db.insertInto('access_token_bots').values(bots).execute()
    }
    const refused = await world.as(lowest).post(full.url, body)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: `400 Bad request - Maximum number of access tokens (${most}) exceeded` },
    ])
    expect((await world.as(lowest).post(other.url, body)).statusCode).toBe(201)
  })

  it('are nobody’s below', async () => {
    const { url } = await newPlace(kind)
    const made = (await world.as(lowest).post(url, body)).json()
    const low = world.as(tooLow)
    for (const answer of [
      await low.get(url),
      await low.get(`${url}/${made.id}`),
      await low.post(`${url}/${made.id}/rotate`),
      await world.as('anonymous').get(url),
      await world.as('anonymous').post(url, body),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
    }
    const noun = kind === 'project' ? 'Project' : 'Group'
    const hidden = await world.as('outsider').get(url)
    expect([hidden.statusCode, hidden.json()]).toEqual([404, { message: `404 ${noun} Not Found` }])
    const refused = await low.post(url, body)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        message: `400 Bad request - User does not have permission to create ${kind} access token`,
      },
    ])
    const kept = await low.delete(`${url}/${made.id}`)
    expect([kept.statusCode, kept.json()]).toEqual([
      400,
      { message: `400 Bad request - ${world.users[tooLow].name} cannot delete Robot` },
    ])
    const byBot = await world.app.client(made.token).post(url, body)
    expect(byBot.statusCode).toBe(400)
  })

  it('end with their day, and so does the membership', async () => {
    const app = world.app
    const { of, url } = await newPlace(kind)
    const made = (await world.as(lowest).post(url, { ...body, expires_at: '2026-03-05' })).json()
    app.clock.advance(10 * 24 * 60 * 60_000)
    expect((await app.client(made.token).get('/user')).statusCode).toBe(401)
    const member = await world.as(lowest).get(`${of}/members/${made.user_id}`)
    expect(member.statusCode).toBe(404)
    app.clock.advance(-10 * 24 * 60 * 60_000)
  })

  it('get no SSH keys, which would go on after them', async () => {
    const { url } = await newPlace(kind)
    const { token, user_id } = (await world.as(lowest).post(url, body)).json()
    const key = { title: 'laptop', key: newKeyPair().public }
    const answers = [
      await world.app.client(token).post('/user/keys', key),
      await world.as('admin').post(`/users/${user_id}/keys`, key),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403])
    expect((await world.as('admin').get(`/users/${user_id}/keys`)).json()).toEqual([])
  })

  it('are rotated, by others and by themselves', async () => {
    const { of, url } = await newPlace(kind)
    const first = (await world.as(lowest).post(url, { ...body, access_level: 40 })).json()
    const rotated = await world.as(lowest).post(`${url}/${first.id}/rotate`, {
      expires_at: '2027-02-01',
    })
    const { token, ...second } = rotated.json()
    expect([rotated.statusCode, second]).toEqual([
      200,
      {
        ...first,
        token: undefined,
        id: expect.any(Number),
        expires_at: '2027-02-01',
      },
    ])
    expect((await world.app.client(first.token).get(of)).statusCode).toBe(401)
    const member = await world.as(lowest).get(`${of}/members/${second.user_id}`)
    expect(member.json().expires_at).toBe('2027-02-01')
    const again = await world.app.client(token).post(`${url}/self/rotate`)
    expect([again.statusCode, again.json().expires_at]).toEqual([200, '2026-03-08'])
    expect((await world.app.client(again.json().token).get(of)).statusCode).toBe(200)
    const unknown = await world.as(lowest).post(`${url}/0/rotate`)
    expect(unknown.statusCode).toBe(401)
    expect((await world.as('admin').post(`${url}/0/rotate`)).statusCode).toBe(404)
  })

  it('go with what they belong to', async () => {
    const { of, url } = await newPlace(kind)
    const made = (await world.as(lowest).post(url, body)).json()
    const other = await newPlace(kind)
    const kept = (await world.as(lowest).post(other.url, body)).json()
    await world.as('owner').delete(of)
    await world.app.worker.drain()
    await removeOrphanedTokenBotsTask.run({ db: world.app.db, clock: world.app.clock.now }, {})
    await world.app.worker.drain()
    expect((await world.app.client(made.token).get('/user')).statusCode).toBe(401)
    expect((await world.app.client(kept.token).get('/user')).statusCode).toBe(200)
  })
})

describe('An access token of a project', () => {
  it('is not rotated by those it is above', async () => {
    const { id, url } = await newPlace('project')
    const strong = (await world.as('owner').post(url, { ...body, access_level: 50 })).json()
    const weak = (await world.as('owner').post(url, { ...body, access_level: 30 })).json()
    const member = `/projects/${id}/members/${weak.user_id}`
    expect((await world.as('owner').put(member, { access_level: 50 })).statusCode).toBe(200)
    for (const token of [strong, weak]) {
      const refused = await world.as('maintainer').post(`${url}/${token.id}/rotate`)
      expect([refused.statusCode, refused.json()]).toEqual([401, { message: '401 Unauthorized' }])
      expect((await world.app.client(token.token).get('/user')).statusCode).toBe(200)
    }
    expect((await world.as('owner').post(`${url}/${strong.id}/rotate`)).statusCode).toBe(200)
  })

  it('that rotates itself keeps what its bot has been left with', async () => {
    const { id } = await world.newProject({ group: world.groups.open })
    const url = `/projects/${id}/access_tokens`
    const first = (await world.as('owner').post(url, body)).json()
    const member = `/projects/${id}/members/${first.user_id}`
    await world.as('owner').put(member, { access_level: 20 })
    const second = await world.app.client(first.token).post(`${url}/self/rotate`)
    expect(second.statusCode).toBe(200)
    expect((await world.as('owner').get(member)).json().access_level).toBe(20)
    await world.as('owner').delete(member)
    const third = await world.app.client(second.json().token).post(`${url}/self/rotate`)
    expect(third.statusCode).toBe(200)
    expect((await world.as('owner').get(member)).statusCode).toBe(404)
  })

  it('has at most the level of its maker', async () => {
    const { url } = await newPlace('project')
    const answer = await world.as('maintainer').post(url, { ...body, access_level: 50 })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        message: '400 Bad request - Could not provision owner access to project access token',
      },
    ])
  })
})

describe('Personal access tokens', () => {
  const newToken = async () => {
    const { client, user } = await world.newUser()
    const made = await client.post('/user/personal_access_tokens', { name: 't', scopes: ['api'] })
    return { client, user, token: made.json() }
  }

  it('are rotated, for a week unless it is said', async () => {
    const { client, token } = await newToken()
    const rotated = await client.post(`/personal_access_tokens/${token.id}/rotate`)
    expect([rotated.statusCode, rotated.json()]).toEqual([
      200,
      { ...token, id: expect.any(Number), token: expect.any(String), expires_at: '2026-03-08' },
    ])
    expect(rotated.json().token).not.toBe(token.token)
    expect((await world.app.client(token.token).get('/user')).statusCode).toBe(401)
    const self = world.app.client(rotated.json().token)
    const next = await self.post('/personal_access_tokens/self/rotate', {
      expires_at: '2026-12-01',
    })
    expect([next.statusCode, next.json().expires_at]).toEqual([200, '2026-12-01'])
  })

  it('that were revoked take along those that took their place', async () => {
    for (const isCaller of [true, false]) {
      const { client, token } = await newToken()
      const url = `/personal_access_tokens/${token.id}/rotate`
      const second = (await client.post(url)).json()
      const third = await world.app.client(second.token).post('/personal_access_tokens/self/rotate')
      const newest = world.app.client(third.json().token)
      expect((await world.app.client(token.token).get('/user')).statusCode).toBe(401)
      expect((await newest.get('/user')).statusCode).toBe(200)
      const reused = isCaller
        ? await world.app.client(token.token).post('/personal_access_tokens/self/rotate')
        : await client.post(url)
      expect(reused.statusCode).toBe(isCaller ? 401 : 400)
      expect((await newest.get('/user')).statusCode).toBe(401)
    }
  })

  it('rotate nobody else’s, and none that may do more', async () => {
    const { token } = await newToken()
    const url = `/personal_access_tokens/${token.id}/rotate`
    expect((await world.as('guest').post(url)).statusCode).toBe(401)
    expect((await world.as('anonymous').post(url)).statusCode).toBe(401)
    const missing = await world.as('admin').post('/personal_access_tokens/0/rotate')
    expect([missing.statusCode, missing.json()]).toEqual([404, { message: '404 Not found' }])
    const strong = await world
      .as('admin')
      .post('/user/personal_access_tokens', { name: 't', scopes: ['api', 'sudo'] })
    const weak = await world
      .as('admin')
      .post('/user/personal_access_tokens', { name: 't', scopes: ['api'] })
    const refused = await world.app
      .client(weak.json().token)
      .post(`/personal_access_tokens/${strong.json().id}/rotate`)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: '400 Bad request - Not permitted to rotate' },
    ])
  })
})
