import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Namespace } from '../../../subjects/namespace.ts'
import type { Project } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'
import { expireMemberships } from './member.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const notFound = { message: '404 Not found' }
const forbidden = { message: '403 Forbidden' }
const idsOf = (answer: { json: () => { id: number }[] }) => answer.json().map(({ id }) => id)
const levelsOf = (answer: { json: () => { id: number; access_level: number }[] }) =>
  Object.fromEntries(answer.json().map(({ id, access_level }) => [id, access_level]))

/** A path below which members lie, by kind and place. */
const urlOf = (kind: 'groups' | 'projects', place: 'open' | 'inside' | 'shut') =>
  `/${kind}/${world[kind][place].id}/members`

async function addTo(url: string, user: User, access_level: number, who: Who = 'admin') {
  const answer = await world.as(who).post(url, { user_id: user.id, access_level })
  if (answer.statusCode !== 201) throw new Error(answer.body)
}

describe.each(['groups', 'projects'] as const)('GET /%s/:id/members', (kind) => {
  const noun = kind === 'groups' ? 'Group' : 'Project'

  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 401],
    ['outsider', 'open', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s one with %i', async (who, place, status) => {
    for (const suffix of ['', '/all']) {
      const answer = await world.as(who).get(`${urlOf(kind, place)}${suffix}`)
      expect(answer.statusCode).toBe(status)
      if (status === 401) expect(answer.json()).toEqual({ message: '401 Unauthorized' })
      if (status === 404) expect(answer.json()).toEqual({ message: `404 ${noun} Not Found` })
    }
  })

  it('answers one user of the list, and of all', async () => {
    const { guest, outsider } = world.users
    const all = await world.as('guest').get(`${urlOf(kind, 'shut')}/all/${guest.id}`)
    expect(all.json()).toEqual({
      id: guest.id,
      username: guest.username,
      name: guest.name,
      state: 'active',
      avatar_url: null,
      web_url: `http://bloomery.test/${guest.username}`,
      access_level: 10,
      created_at: '2026-03-01T12:00:00.000Z',
      expires_at: null,
    })
    // The members of the group are inherited by the project, and not its own.
    const own = await world.as('guest').get(`${urlOf(kind, 'shut')}/${guest.id}`)
    expect([own.statusCode, own.json()]).toEqual(
      kind === 'groups' ? [200, all.json()] : [404, notFound],
    )
    for (const suffix of ['', '/all']) {
      const answer = await world.as('guest').get(`${urlOf(kind, 'shut')}${suffix}/${outsider.id}`)
      expect([answer.statusCode, answer.json()]).toEqual([404, notFound])
    }
    const wrong = await world.as('guest').get(`${urlOf(kind, 'shut')}/somebody`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'user_id is invalid' }])
  })
})

describe('lists of members', () => {
  it('filters by name and ids, and pages', async () => {
    const { users } = world
    const get = (query: string) => world.as('guest').get(`${urlOf('groups', 'shut')}?${query}`)
    expect(idsOf(await get('query=GUEST'))).toEqual([users.guest.id])
    expect(idsOf(await get('query=%25'))).toEqual([])
    const two = [users.reporter.id, users.owner.id]
    expect(idsOf(await get(`user_ids[]=${two[1]}&user_ids[]=${two[0]}`))).toEqual(two)
    expect(idsOf(await get(`user_ids=${two.join(',')}`))).toEqual(two)
    const page = await get('per_page=2&page=2')
    expect(idsOf(page)).toEqual([users.developer.id, users.maintainer.id])
    expect(page.headers).toMatchObject({ 'x-total': '5', 'x-total-pages': '3' })
    expect((await get('user_ids[]=x')).json()).toEqual({ error: 'user_ids is invalid' })
  })

  it('finds by the name and by the user name', async () => {
    const { id } = await world.newMemberedGroup()
    const { user } = await world.newUser({ name: 'Zuleika Dobson' })
    await addTo(`/groups/${id}/members`, user, 20)
    for (const query of ['zuleika', user.username]) {
      const found = await world.as('guest').get(`/groups/${id}/members?query=${query}`)
      expect(idsOf(found)).toEqual([user.id])
    }
  })

  it('takes four queries, however many members there are', async () => {
    for (const suffix of ['', '/all']) {
      for (const kind of ['groups', 'projects'] as const) {
        const get = () => world.as('guest').get(`${urlOf(kind, 'shut')}${suffix}`)
        await get()
        expect(await world.app.count(get)).toEqual({ queries: 4, processes: 0 })
      }
    }
  })
})

describe('GET members/all', () => {
  it('has one row for a user, with the highest level from everywhere', async () => {
    const top = await world.newGroup()
    const sub = await world.newGroup({ parent: top })
    const project = await world.newProject({ group: sub })
    const [guests, others] = [await world.newGroup(), await world.newGroup()]
    const users = await Promise.all(Array.from({ length: 5 }, () => world.newUser()))
    const [inTop, inBoth, inGuests, inOthers, nobody] = users.map(({ user }) => user) as [
      User,
      User,
      User,
      User,
      User,
    ]
    await addTo(`/groups/${top.id}/members`, inTop, 30)
    await addTo(`/groups/${top.id}/members`, inBoth, 20)
    await addTo(`/groups/${sub.id}/members`, inBoth, 40)
    await addTo(`/groups/${guests.id}/members`, inGuests, 50)
    await addTo(`/groups/${guests.id}/members`, inTop, 50)
    await addTo(`/groups/${others.id}/members`, inOthers, 10)
    await addTo(`/groups/${others.id}/members`, nobody, 10)
    await world
      .as('admin')
      .post(`/groups/${top.id}/share`, { group_id: guests.id, group_access: 20 })
    const share = { group_id: others.id, group_access: 40 }
    await world.as('admin').post(`/projects/${project.id}/share`, share)
    await addTo(`/projects/${project.id}/members`, nobody, 30)
    // Invited elsewhere, where it changes nothing of these.
    const apart = await world.newGroup()
    await addTo(`/groups/${apart.id}/members`, (await world.newUser()).user, 30)
    const invitation = { group_id: apart.id, group_access: 30 }
    for (const url of [`/groups/${others.id}`, `/projects/${world.projects.shut.id}`])
      await world.as('admin').post(`${url}/share`, invitation)

    const all = async (url: string) => levelsOf(await world.as('admin').get(`${url}/members/all`))
    expect(await all(`/groups/${top.id}`)).toEqual({
      [inTop.id]: 30,
      [inBoth.id]: 20,
      [inGuests.id]: 20,
    })
    expect(await all(`/groups/${sub.id}`)).toEqual({
      [inTop.id]: 30,
      [inBoth.id]: 40,
      [inGuests.id]: 20,
    })
    expect(await all(`/projects/${project.id}`)).toEqual({
      [inTop.id]: 30,
      [inBoth.id]: 40,
      [inGuests.id]: 20,
      [inOthers.id]: 10,
      [nobody.id]: 30,
    })
  })

  it('tells of a hidden group’s members only to those who administer', async () => {
    const hidden = await world.newGroup()
    const { user } = await world.newUser()
    await addTo(`/groups/${hidden.id}/members`, user, 30)
    const project = await world.newProject({ group: world.groups.open, visibility: 'public' })
    const share = { group_id: hidden.id, group_access: 30 }
    await world.as('admin').post(`/projects/${project.id}/share`, share)
    const url = `/projects/${project.id}/members/all`
    expect(idsOf(await world.as('outsider').get(url))).not.toContain(user.id)
    expect(idsOf(await world.as('developer').get(url))).not.toContain(user.id)
    expect(idsOf(await world.as('maintainer').get(url))).toContain(user.id)
  })
})

describe.each(['groups', 'projects'] as const)('POST /%s/:id/members', (kind) => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'open', 403],
    ['outsider', 'shut', 404],
    ['developer', 'shut', 403],
    ['maintainer', 'shut', kind === 'groups' ? 403 : 201],
    ['owner', 'shut', 201],
    ['admin', 'shut', 201],
  ] as const)('answers %s of the %s one with %i', async (who, place, status) => {
    const { user } = await world.newUser()
    const body = { user_id: user.id, access_level: 10 }
    const answer = await world.as(who).post(urlOf(kind, place), body)
    expect(answer.statusCode).toBe(status)
    if (status === 403) expect(answer.json()).toEqual(forbidden)
  })

  it('answers the member, who has access from then on', async () => {
    const { user, client } = await world.newUser()
    const body = { user_id: user.id, access_level: 30, expires_at: '2026-04-01' }
    const url = urlOf(kind, 'shut')
    expect((await client.get(url)).statusCode).toBe(404)
    const answer = await world.as('owner').post(url, body)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      avatar_url: null,
      web_url: `http://bloomery.test/${user.username}`,
      access_level: 30,
      created_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-04-01',
    })
    expect((await client.get(url)).statusCode).toBe(200)
  })

  it('refuses what is wrong', async () => {
    const { user } = await world.newUser()
    const user_id = user.id
    const cases: [object, number, object][] = [
      [{}, 400, { error: 'user_id is missing, access_level is missing' }],
      [{ user_id: 'x', access_level: 10 }, 400, { error: 'user_id is invalid' }],
      [{ user_id: '', access_level: 10 }, 400, { error: 'user_id is empty' }],
      [{ user_id, access_level: 'x' }, 400, { error: 'access_level is invalid' }],
      [{ user_id, access_level: 10, expires_at: 'x' }, 400, { error: 'expires_at is invalid' }],
      [{ user_id: 999999, access_level: 10 }, 404, { message: '404 User Not Found' }],
      [
        { user_id, access_level: 15 },
        400,
        { message: { access_level: ['is not included in the list'] } },
      ],
      [
        { user_id, access_level: 5, expires_at: '2026-02-28' },
        400,
        {
          message: {
            access_level: ['is not included in the list'],
            expires_at: ['cannot be a date in the past'],
          },
        },
      ],
      [{ user_id, access_level: 60 }, 403, forbidden],
    ]
    for (const [body, status, expected] of cases) {
      const answer = await world.as('owner').post(urlOf(kind, 'shut'), body)
      expect([answer.statusCode, answer.json()]).toEqual([status, expected])
    }
  })

  it('refuses a second membership', async () => {
    const { user } = await world.newUser()
    const body = { user_id: user.id, access_level: 10 }
    await world.as('owner').post(urlOf(kind, 'shut'), body)
    const answer = await world.as('owner').post(urlOf(kind, 'shut'), body)
    expect([answer.statusCode, answer.json()]).toEqual([409, { message: 'Member already exists' }])
  })

  it('adds several, and tells which could not be', async () => {
    const [one, two, three] = await Promise.all([world.newUser(), world.newUser(), world.newUser()])
    const url = urlOf(kind, 'shut')
    const first = { user_id: `${one.user.id},${two.user.id}`, access_level: 20 }
    const added = await world.as('owner').post(url, first)
    expect([added.statusCode, added.json()]).toEqual([201, { status: 'success' }])
    const second = { user_id: [one.user.id, three.user.id, 999999], access_level: 20 }
    const mixed = await world.as('owner').post(url, second)
    expect([mixed.statusCode, mixed.json()]).toEqual([
      201,
      {
        status: 'error',
        message: {
          [one.user.username]: 'Member already exists',
          999999: '404 User Not Found',
        },
      },
    ])
    expect((await three.client.get(url)).statusCode).toBe(200)
    const invalid = { user_id: [three.user.id, 999999], access_level: 20, expires_at: '2020-01-01' }
    await world.as('owner').delete(`${url}/${three.user.id}`)
    expect((await world.as('owner').post(url, invalid)).json().message).toMatchObject({
      [three.user.username]: 'Expires at cannot be a date in the past',
    })
    const many = { user_id: Array.from({ length: 101 }, (_, i) => i + 1), access_level: 20 }
    expect((await world.as('owner').post(url, many)).json()).toEqual({
      status: 'error',
      message: 'Too many users specified (limit is 100)',
    })
  })
})

describe('changes at the same time', () => {
  it.each(['groups', 'projects'] as const)('add every member of %s once', async (kind) => {
    const group = await world.newGroup()
    const source = kind === 'groups' ? group : await world.newProject({ group })
    const url = `/${kind}/${source.id}/members`
    const people = await Promise.all(Array.from({ length: 8 }, () => world.newUser()))
    const answers = await Promise.all(
      [...people, ...people].map(({ user }) =>
        world.as('admin').post(url, { user_id: user.id, access_level: 10 }),
      ),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([...Array(8).fill(201), ...Array(8).fill(409)])
    for (const { client } of people) expect((await client.get(url)).statusCode).toBe(200)
  })

  it('never leave a group without an Owner', async () => {
    const group = await world.newGroup()
    const url = `/groups/${group.id}/members`
    const owners = await Promise.all(Array.from({ length: 4 }, () => world.newUser()))
    for (const { user } of owners) await addTo(url, user, 50)
    const answers = await Promise.all(
      owners.map(({ user, client }) => client.delete(`${url}/${user.id}`)),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 204, 204, 403])
    expect((await world.as('admin').get(url)).json()).toHaveLength(1)
  })
})

describe('the rules of levels', () => {
  let top: Namespace
  let sub: Namespace
  let project: Project
  beforeEach(async () => {
    top = await world.newGroup()
    sub = await world.newGroup({ parent: top })
    project = await world.newProject({ group: sub })
  })

  it('refuse less than what is inherited', async () => {
    const { user } = await world.newUser()
    await addTo(`/groups/${top.id}/members`, user, 30)
    const problem = `should be greater than or equal to Developer inherited membership from group ${top.name}`
    for (const url of [`/projects/${project.id}/members`, `/groups/${sub.id}/members`]) {
      const low = await world.as('admin').post(url, { user_id: user.id, access_level: 20 })
      expect([low.statusCode, low.json()]).toEqual([400, { message: { access_level: [problem] } }])
      await addTo(url, user, 30)
      const lower = await world.as('admin').put(`${url}/${user.id}`, { access_level: 10 })
      expect(lower.json()).toEqual({ message: { access_level: [problem] } })
    }
  })

  it('let a Maintainer give no more than their own level, nor touch an Owner', async () => {
    const [keeper, chief, other] = await Promise.all([
      world.newUser(),
      world.newUser(),
      world.newUser(),
    ])
    const url = `/projects/${project.id}/members`
    await addTo(url, keeper.user, 40)
    await addTo(url, chief.user, 50)
    const tries = [
      await keeper.client.post(url, { user_id: other.user.id, access_level: 50 }),
      await keeper.client.put(`${url}/${keeper.user.id}`, { access_level: 50 }),
      await keeper.client.put(`${url}/${chief.user.id}`, { access_level: 10 }),
      await keeper.client.delete(`${url}/${chief.user.id}`),
    ]
    for (const answer of tries) {
      expect([answer.statusCode, answer.json()]).toEqual([403, forbidden])
    }
    const given = await keeper.client.post(url, { user_id: other.user.id, access_level: 40 })
    expect(given.statusCode).toBe(201)
  })

  it('keep the last Owner of a group, counting those above', async () => {
    const { user, client } = await world.newUser()
    const url = `/groups/${sub.id}/members`
    await addTo(url, user, 50)
    await addTo(url, (await world.newUser()).user, 40)
    const tries = [
      await client.put(`${url}/${user.id}`, { access_level: 40 }),
      await client.delete(`${url}/${user.id}`),
      await world.as('admin').delete(`${url}/${user.id}`),
    ]
    for (const answer of tries) {
      expect([answer.statusCode, answer.json()]).toEqual([403, forbidden])
    }
    const above = await world.newUser()
    await addTo(`/groups/${top.id}/members`, above.user, 50)
    const lowered = await client.put(`${url}/${user.id}`, { access_level: 40 })
    expect(lowered.statusCode).toBe(200)
    expect((await client.delete(`${url}/${user.id}`)).statusCode).toBe(204)
  })

  it('keep the owner of a personal project', async () => {
    const { user, client } = await world.newUser()
    const own = (await client.post('/projects', { name: 'mine' })).json()
    const url = `/projects/${own.id}/members/${user.id}`
    expect((await client.put(url, { access_level: 10 })).json()).toEqual(forbidden)
    expect((await world.as('admin').delete(url)).json()).toEqual(forbidden)
  })
})

describe.each(['groups', 'projects'] as const)('PUT /%s/:id/members/:user_id', (kind) => {
  it.each([
    ['anonymous', 401],
    ['outsider', 404],
    ['developer', 403],
    ['owner', 200],
    ['admin', 200],
  ] as const)('answers %s with %i', async (who, status) => {
    const { user } = await world.newUser()
    const url = urlOf(kind, 'shut')
    await addTo(url, user, 10)
    const answer = await world.as(who).put(`${url}/${user.id}`, { access_level: 20 })
    expect(answer.statusCode).toBe(status)
  })

  it('answers the member; an expiry stays unless it is given', async () => {
    const { user } = await world.newUser()
    const url = `${urlOf(kind, 'shut')}/${user.id}`
    const body = { user_id: user.id, access_level: 10, expires_at: '2026-05-01' }
    const added = (await world.as('owner').post(urlOf(kind, 'shut'), body)).json()
    const put = async (changes: object) => (await world.as('owner').put(url, changes)).json()
    expect(await put({ access_level: 30 })).toEqual({ ...added, access_level: 30 })
    expect(await put({ access_level: 30, expires_at: '' })).toEqual({
      ...added,
      access_level: 30,
      expires_at: null,
    })
    expect(await put({ access_level: 30, expires_at: '2026-02-01' })).toEqual({
      message: { expires_at: ['cannot be a date in the past'] },
    })
    expect(await put({})).toEqual({ error: 'access_level is missing' })
    const access = await world.as('owner').get(`${urlOf(kind, 'shut')}/all/${user.id}`)
    expect(access.json().access_level).toBe(30)
  })

  it('answers 404 for who is no member of its own', async () => {
    const { outsider } = world.users
    const url = `${urlOf(kind, 'shut')}/${outsider.id}`
    const answer = await world.as('owner').put(url, { access_level: 20 })
    expect([answer.statusCode, answer.json()]).toEqual([404, notFound])
  })
})

describe.each(['groups', 'projects'] as const)('DELETE /%s/:id/members/:user_id', (kind) => {
  it.each([
    ['anonymous', 401],
    ['outsider', 404],
    ['developer', 403],
    ['owner', 204],
    ['admin', 204],
  ] as const)('answers %s with %i', async (who, status) => {
    const { user, client } = await world.newUser()
    const url = urlOf(kind, 'shut')
    await addTo(url, user, 10)
    const answer = await world.as(who).delete(`${url}/${user.id}?unassign_issuables=true`)
    expect(answer.statusCode).toBe(status)
    if (status === 204) expect(answer.body).toBe('')
    expect((await client.get(url)).statusCode).toBe(status === 204 ? 404 : 200)
  })

  it('lets anybody leave', async () => {
    const { user, client } = await world.newUser()
    const url = urlOf(kind, 'shut')
    await addTo(url, user, 10)
    expect((await client.delete(`${url}/${user.id}`)).statusCode).toBe(204)
    const again = await world.as('owner').delete(`${url}/${user.id}`)
    expect([again.statusCode, again.json()]).toEqual([404, notFound])
  })

  it('leaves a membership younger than If-Unmodified-Since', async () => {
    const { user } = await world.newUser()
    await addTo(urlOf(kind, 'shut'), user, 10)
    const headers = { 'if-unmodified-since': 'Sun, 01 Mar 2026 11:00:00 GMT' }
    const url = `${urlOf(kind, 'shut')}/${user.id}`
    const answer = await world.as('owner').delete(url, undefined, { headers })
    expect(answer.statusCode).toBe(412)
  })
})

describe('removal from a group', () => {
  it.each([
    ['', [404, 404]],
    ['?skip_subresources=true', [200, 200]],
  ])('reaches what lies below, and nothing else (%s)', async (query, statuses) => {
    const top = await world.newGroup()
    const sub = await world.newGroup({ parent: top })
    const project = await world.newProject({ group: sub })
    const { user, client } = await world.newUser()
    await addTo(`/groups/${top.id}/members`, user, 10)
    await addTo(`/groups/${sub.id}/members`, user, 20)
    await addTo(`/projects/${project.id}/members`, user, 30)
    const elsewhere = await world.newGroup()
    await addTo(`/groups/${elsewhere.id}/members`, user, 10)
    await addTo(urlOf('projects', 'shut'), user, 10)
    await world.as('admin').delete(`/groups/${top.id}/members/${user.id}${query}`)
    const answers = [
      await client.get(`/groups/${sub.id}`),
      await client.get(`/projects/${project.id}`),
      await client.get(`/groups/${elsewhere.id}`),
      await client.get(`/projects/${world.projects.shut.id}`),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([...statuses, 200, 200])
  })
})

describe('expireMemberships', () => {
  it('ends memberships and invitations on their day, and the access they gave', async () => {
    const later = await newWorld()
    const { app } = later
    const tools = { db: app.db, clock: app.clock.now }
    const { user, client } = await later.newUser()
    const guest = await later.newUser()
    const longer = await later.newUser()
    const guests = await later.newGroup()
    const [others, endless] = [await later.newGroup(), await later.newGroup()]
    const urls = [
      `/groups/${later.groups.shut.id}`,
      `/projects/${(await later.newProject({ group: await later.newGroup() })).id}`,
    ]
    const expires_at = '2026-03-03'
    const admin = later.as('admin')
    const member = { user_id: guest.user.id, access_level: 30 }
    await admin.post(`/groups/${guests.id}/members`, member)
    for (const url of urls) {
      const own = { user_id: user.id, access_level: 20, expires_at }
      expect((await admin.post(`${url}/members`, own)).statusCode).toBe(201)
      const share = { group_id: guests.id, group_access: 20, expires_at }
      expect((await admin.post(`${url}/share`, share)).statusCode).toBe(201)
      // What lasts longer, and what has no end.
      const lasting = { user_id: longer.user.id, access_level: 20, expires_at: '2026-03-04' }
      expect((await admin.post(`${url}/members`, lasting)).statusCode).toBe(201)
      for (const group of [others, endless]) {
        const until = group === others ? { expires_at: '2026-03-04' } : {}
        const more = { group_id: group.id, group_access: 20, ...until }
        expect((await admin.post(`${url}/share`, more)).statusCode).toBe(201)
      }
    }
    const statuses = async () => {
      const answers = await Promise.all(
        urls.flatMap((url) => [client.get(url), guest.client.get(url)]),
      )
      return answers.map(({ statusCode }) => statusCode)
    }
    const day_ms = 24 * 60 * 60_000
    app.clock.advance(day_ms)
    await expireMemberships(tools)
    expect(await statuses()).toEqual([200, 200, 200, 200])
    app.clock.advance(day_ms / 2)
    await expireMemberships(tools)
    expect(await statuses()).toEqual([404, 404, 404, 404])
    for (const url of urls) {
      expect((await admin.get(`${url}/members/${user.id}`)).statusCode).toBe(404)
      expect((await admin.delete(`${url}/share/${guests.id}`)).statusCode).toBe(404)
      expect((await longer.client.get(url)).statusCode).toBe(200)
      for (const group of [others, endless]) {
        expect((await admin.delete(`${url}/share/${group.id}`)).statusCode).toBe(204)
      }
    }
    const counted = await app.count(() => expireMemberships(tools))
    expect(counted).toEqual({ queries: 4, processes: 0 })
    app.clock.advance(-1.5 * day_ms)
  })

  it('are done before anything of that day is answered, by API and git, whoever asks first', async () => {
    const later = await newWorld()
    const { app } = later
    const project = await later.newProject({ files: { a: 'a' } })
    const member = { access_level: 20, expires_at: '2026-03-02' }
    const admin = later.as('admin')
    const day_ms = 24 * 60 * 60_000
    const fetch = (token: string) =>
      app.server.inject({
        url: `/${project.full_path}.git/info/refs?service=git-upload-pack`,
        headers: { authorization: `Basic ${Buffer.from(`any:${token}`).toString('base64')}` },
      })
    for (const way of ['api', 'git']) {
      const { user, token, client } = await later.newUser()
      await admin.post(`/projects/${project.id}/members`, { ...member, user_id: user.id })
      const ask = async () =>
        way === 'api'
          ? (await client.get(`/projects/${project.id}`)).statusCode
          : (await fetch(token)).statusCode
      expect(await ask()).toBe(200)
      app.clock.advance(day_ms / 2)
      expect(await Promise.all([ask(), ask(), ask()])).toEqual([404, 404, 404])
      const counted = await app.count(() => client.get('/version'))
      app.clock.advance(-day_ms / 2)
      expect(counted.queries).toBeLessThan(4)
    }
  })
})
