import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { acceptInvitations } from './accept-invitations.ts'
import { expireMemberships } from './member.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** To what people are invited, who may just invite, and whose role is too low. */
const sources = [
  ['projects', 'maintainer', 'developer', 'Project'],
  ['groups', 'owner', 'maintainer', 'Group'],
] as const

const newSource = async (kind: 'projects' | 'groups') => {
  const { id } = kind === 'projects' ? await world.newProject() : await world.newMemberedGroup()
  return `/${kind}/${id}`
}
let made = 0
const newEmail = () => `Invited.${world.users.owner.id}.${++made}@bloomery.test`
/** A new account of that address, made by an administrator. */
const register = async (email: string) => {
  const username = `invited-${world.users.owner.id}-${++made}`
  const body = { username, name: 'N', email, password: 'long enough', skip_confirmation: true }
  return (await world.as('admin').post('/users', body)).json()
}

describe.each(sources)('Invitations to %s', (kind, lowest, tooLow, noun) => {
  it('wait, are shown, changed and taken back', async () => {
    const url = `${await newSource(kind)}/invitations`
    const client = world.as(lowest)
    const email = newEmail()
    const invited = await client.post(url, { email, access_level: 30, expires_at: '2026-04-01' })
    expect([invited.statusCode, invited.json()]).toEqual([201, { status: 'success' }])
    const record = {
      id: expect.any(Number),
      invite_email: email,
      created_at: expect.stringMatching(/^2026-03-01T12:00:/),
      access_level: 30,
      expires_at: '2026-04-01',
      user_name: null,
      created_by_name: world.users[lowest].name,
    }
    const other = newEmail()
    await client.post(url, { email: other, access_level: 10 })
    const list = await client.get(url)
    expect(list.json()).toEqual([
      record,
      { ...record, invite_email: other, access_level: 10, expires_at: null },
    ])
    expect(list.headers['x-total']).toBe('2')
    const found = await client.get(`${url}?query=${other.toUpperCase()}`)
    expect(found.json().map((row: { invite_email: string }) => row.invite_email)).toEqual([other])
    const one = `${url}/${encodeURIComponent(email.toUpperCase())}`
    const changed = await client.put(one, { access_level: 20 })
    expect([changed.statusCode, changed.json()]).toEqual([200, { ...record, access_level: 20 }])
    const endless = await client.put(one, { expires_at: '' })
    expect(endless.json()).toEqual({ ...record, access_level: 20, expires_at: null })
    const nothing = await client.put(one, {})
    expect([nothing.statusCode, nothing.json()]).toEqual([400, { message: '400 Bad request' }])
    const past = await client.put(one, { expires_at: '2026-02-01' })
    expect([past.statusCode, past.json()]).toEqual([
      400,
      { message: { expires_at: ['cannot be a date in the past'] } },
    ])
    const deleted = await client.delete(one)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    for (const gone of [await client.put(one, { access_level: 10 }), await client.delete(one)]) {
      expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not Found' }])
    }
  })

  it('make members of whoever is known, and tell of each of the others why not', async () => {
    const source = await newSource(kind)
    const client = world.as(lowest)
    const { user } = await world.newUser()
    const unconfirmed = await world.newUser({ confirmed_at: null })
    const stranger = newEmail()
    await client.post(`${source}/invitations`, { email: stranger, access_level: 10 })
    const member = await world.newUser()
    await client.post(`${source}/members`, { user_id: member.user.id, access_level: 10 })
    const fresh = newEmail()
    const email = [
      user.email.toUpperCase(),
      unconfirmed.user.email,
      stranger,
      member.user.email,
      fresh,
    ].join(', ')
    const answer = await client.post(`${source}/invitations`, { email, access_level: 20 })
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        status: 'error',
        message: {
          [stranger]: 'Invite email has already been taken',
          [member.user.email]: 'User already exists in source',
        },
      },
    ])
    const members = (await client.get(`${source}/members?user_ids=${user.id}`)).json()
    expect(members).toMatchObject([{ id: user.id, access_level: 20 }])
    const seen = await world.app.client((await world.newUser()).token).get(source)
    expect(seen.statusCode).toBe(404)
    const waiting = (await client.get(`${source}/invitations`)).json()
    expect(waiting.map((row: { invite_email: string }) => row.invite_email)).toEqual([
      stranger,
      unconfirmed.user.email,
      fresh,
    ])
    expect((await unconfirmed.client.get(source)).statusCode).not.toBe(200)
  })

  it('make members of users named by id, and of who has a confirmed further address', async () => {
    const source = await newSource(kind)
    const client = world.as(lowest)
    const users = await Promise.all([1, 2, 3, 4].map(() => world.newUser()))
    const [one, two, both, further] = users.map(({ user }) => user)
    const email = newEmail()
    await world.as('admin').post(`/users/${further?.id}/emails`, { email, skip_confirmation: true })
    const unnamed = { email: newEmail(), skip_confirmation: true }
    await world.as('admin').post(`/users/${one?.id}/emails`, unnamed)
    const stranger = newEmail()
    const given = {
      email: [email, both?.email, stranger].join(),
      user_id: [one?.id, two?.id, both?.id, two?.id].join(),
    }
    const answer = await client.post(`${source}/invitations`, { ...given, access_level: 20 })
    expect([answer.statusCode, answer.json()]).toEqual([201, { status: 'success' }])
    const ids = users.map(({ user }) => user.id)
    const members = (await client.get(`${source}/members?user_ids=${ids.join()}`)).json()
    expect(members.map(({ id }: { id: number }) => id).sort()).toEqual(ids.sort())
    const waiting = (await client.get(`${source}/invitations`)).json()
    expect(waiting).toMatchObject([{ invite_email: stranger }])
    const again = { user_id: `${one?.id},999999`, access_level: 20 }
    expect((await client.post(`${source}/invitations`, again)).json()).toEqual({
      status: 'error',
      message: {
        [one?.username ?? '']: 'User already exists in source',
        999999: '404 User Not Found',
      },
    })
    const past = { user_id: one?.id, access_level: 20, expires_at: '2026-02-28' }
    expect((await client.post(`${source}/invitations`, past)).json()).toEqual({
      status: 'error',
      message: { [one?.username ?? '']: 'Expires at cannot be a date in the past' },
    })
    const above = await client.post(`${source}/invitations`, { ...again, access_level: 50 })
    expect(above.statusCode).toBe(lowest === 'owner' ? 201 : 403)
  })

  it('make no member of somebody whose address, or account, is not confirmed', async () => {
    const source = await newSource(kind)
    const { db } = world.app
    const emails = [newEmail(), newEmail()]
    const people = [await world.newUser(), await world.newUser()]
    const [claimant = 0, unconfirmed = 0] = people.map(({ user }) => user.id)
    for (const [at, id] of [claimant, unconfirmed].entries()) {
      const body = { email: emails[at], skip_confirmation: true }
      expect((await world.as('admin').post(`/users/${id}/emails`, body)).statusCode).toBe(201)
    }
    const confirmed_at = null
    await db.updateTable('emails').set({ confirmed_at }).where('user_id', '=', claimant).execute()
    await db.updateTable('users').set({ confirmed_at }).where('id', '=', unconfirmed).execute()
    const client = world.as(lowest)
    const body = { email: emails.join(), access_level: 20 }
    expect((await client.post(`${source}/invitations`, body)).json()).toEqual({ status: 'success' })
    const waiting = (await client.get(`${source}/invitations`)).json()
    expect(waiting.map(({ invite_email }: { invite_email: string }) => invite_email)).toEqual(
      emails,
    )
    const members = await client.get(`${source}/members?user_ids=${claimant},${unconfirmed}`)
    expect(members.json()).toEqual([])
  })

  it('become memberships of whoever is made with the address', async () => {
    const source = await newSource(kind)
    const client = world.as(lowest)
    const [email, late] = [newEmail(), newEmail()]
    const offer = { access_level: 30, expires_at: '2026-04-01' }
    await client.post(`${source}/invitations`, { email, ...offer })
    await client.post(`${source}/invitations`, { email: late, access_level: 30 })
    const user = await register(email.toLowerCase())
    const [member] = (await client.get(`${source}/members?user_ids=${user.id}`)).json()
    expect(member).toMatchObject({ id: user.id, ...offer })
    const all = (await client.get(`${source}/members/all?user_ids=${user.id}`)).json()
    expect(all).toHaveLength(1)
    const access = await world.app.db
      .selectFrom(kind === 'groups' ? 'namespace_access' : 'project_access')
      .select('access_level')
      .where('user_id', '=', user.id)
      .where('access_level', '=', 30)
      .execute()
    expect(access).toHaveLength(1)
    const waiting = (await client.get(`${source}/invitations`)).json()
    expect(waiting.map((row: { invite_email: string }) => row.invite_email)).toEqual([late])
  })

  it.each([
    [{}, { error: 'access_level is missing' }],
    [{ email: 'a@b.test' }, { error: 'access_level is missing' }],
    ...[{}, { email: '' }, { user_id: '' }, { email: [], user_id: [] }].map(
      (nobody) =>
        [
          { ...nobody, access_level: 10 },
          { message: '400 Bad request - Must provide either email or user_id as a parameter' },
        ] as [object, object],
    ),
    [{ user_id: '1,x', access_level: 10 }, { error: 'user_id is invalid' }],
    [
      { email: 'a@b.test', access_level: 11 },
      { error: 'access_level does not have a valid value' },
    ],
    [{ email: 'nobody', access_level: 10 }, { error: 'email contains an invalid email address' }],
    [
      { email: 'a@b.test,nobody', access_level: 10 },
      { error: 'email contains an invalid email address' },
    ],
    [{ email: 'a@b.test', access_level: 10, expires_at: 'x' }, { error: 'expires_at is invalid' }],
  ])('refuse %j', async (body, error) => {
    const answer = await world.as(lowest).post(`${await newSource(kind)}/invitations`, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, error])
  })

  it('refuse a day that is past, and very many at once', async () => {
    const url = `${await newSource(kind)}/invitations`
    const client = world.as(lowest)
    const past = { email: 'a@b.test', access_level: 10, expires_at: '2026-02-28' }
    const answer = await client.post(url, past)
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      { status: 'error', message: { 'a@b.test': 'Expires at cannot be a date in the past' } },
    ])
    const email = Array.from({ length: 101 }, (_, n) => `a${n}@b.test`)
    expect((await client.post(url, { email, access_level: 10 })).json()).toEqual({
      status: 'error',
      message: 'Too many users specified (limit is 100)',
    })
    expect((await client.get(url)).json()).toEqual([])
  })

  it('are for those who run it', async () => {
    const source = await newSource(kind)
    const url = `${source}/invitations`
    const email = newEmail()
    await world.as(lowest).post(url, { email, access_level: 10 })
    for (const [who, status, message] of [
      ['anonymous', 401, '401 Unauthorized'],
      ['outsider', 404, `404 ${noun} Not Found`],
      [tooLow, 403, '403 Forbidden'],
    ] as const) {
      const client = world.as(who)
      for (const answer of [
        await client.get(url),
        await client.post(url, { email: newEmail(), access_level: 10 }),
        await client.put(`${url}/${email}`, { access_level: 20 }),
        await client.delete(`${url}/${email}`),
      ]) {
        expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
      }
    }
  })
})

describe('Invitations', () => {
  it('give nobody a level above that of whoever invites or changes them', async () => {
    const url = `/projects/${(await world.newProject()).id}/invitations`
    const email = newEmail()
    const above = await world.as('maintainer').post(url, { email, access_level: 50 })
    expect([above.statusCode, above.json()]).toEqual([403, { message: '403 Forbidden' }])
    await world.as('owner').post(url, { email, access_level: 50 })
    const one = `${url}/${email}`
    expect((await world.as('maintainer').put(one, { access_level: 30 })).statusCode).toBe(403)
    expect((await world.as('maintainer').delete(one)).statusCode).toBe(403)
    const raised = newEmail()
    await world.as('maintainer').post(url, { email: raised, access_level: 40 })
    const answer = await world.as('maintainer').put(`${url}/${raised}`, { access_level: 50 })
    expect(answer.statusCode).toBe(403)
  })

  it('of a known user with a higher inherited level are refused', async () => {
    const url = `/projects/${(await world.newProject()).id}/invitations`
    const { email } = world.users.developer
    const answer = await world.as('owner').post(url, { email, access_level: 10 })
    const from = `Developer inherited membership from group ${world.groups.shut.name}`
    expect(answer.json()).toEqual({
      status: 'error',
      message: { [email]: `Access level should be greater than or equal to ${from}` },
    })
  })

  it('that ended give nothing, and are removed', async () => {
    const url = `/projects/${(await world.newProject()).id}`
    const [early, kept] = [newEmail(), newEmail()]
    const offer = { access_level: 30, expires_at: '2026-03-10' }
    await world.as('owner').post(`${url}/invitations`, { email: early, ...offer })
    await world.as('owner').post(`${url}/invitations`, { email: kept, access_level: 30 })
    const { db } = world.app
    const later = () => new Date('2026-03-10T00:00:00.000Z')

    await db
      .transaction()
      .execute((tx) => acceptInvitations(tx, later, { id: world.users.outsider.id, email: early }))
    const members = `${url}/members?user_ids=${world.users.outsider.id}`
    expect((await world.as('owner').get(members)).json()).toEqual([])
    await world.as('owner').post(`${url}/invitations`, { email: early, ...offer })
    await expireMemberships({ db, clock: later })
    const waiting = (await world.as('owner').get(`${url}/invitations`)).json()
    expect(waiting.map((row: { invite_email: string }) => row.invite_email)).toEqual([kept])
  })

  it('end with the group they are to', async () => {
    const group = await world.newMemberedGroup()
    const email = newEmail()
    await world.as('owner').post(`/groups/${group.id}/invitations`, { email, access_level: 30 })
    await world.as('owner').delete(`/groups/${group.id}`)
    const rows = await world.app.db
      .selectFrom('invitations')
      .select('id')
      .where('email', '=', email)
      .execute()
    expect(rows).toEqual([])
  })
})
