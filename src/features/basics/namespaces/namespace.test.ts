import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const idsOf = (answer: { json: () => { id: number }[] }) => answer.json().map(({ id }) => id)

describe('GET /namespaces', () => {
  it('refuses an anonymous caller', async () => {
    const answer = await world.as('anonymous').get('/namespaces')
    expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })

  it('answers the caller’s own and the groups they are in', async () => {
    const { user, client } = await world.newUser()
    const top = (await client.post('/groups', { name: 'Top', path: `${user.username}-g` })).json()
    const sub = (await client.post('/groups', { name: 'Sub', path: 's', parent_id: top.id })).json()
    const member = { user_id: user.id, access_level: 20 }
    const { shut } = world.groups
    await world.as('owner').post(`/groups/${shut.id}/members`, member)
    const answer = await client.get('/namespaces')
    const [own] = answer.json().filter(({ kind }: { kind: string }) => kind === 'user')
    expect(own).toEqual({
      id: expect.any(Number),
      name: user.name,
      path: user.username,
      kind: 'user',
      full_path: user.username,
      parent_id: null,
      avatar_url: null,
      web_url: `http://bloomery.test/${user.username}`,
      billable_members_count: 1,
      plan: 'default',
      trial_ends_on: null,
      trial: false,
    })
    const groups = answer.json().filter(({ kind }: { kind: string }) => kind === 'group')
    expect(groups).toEqual([
      {
        id: shut.id,
        name: shut.name,
        path: shut.path,
        kind: 'group',
        full_path: shut.full_path,
        parent_id: null,
        avatar_url: null,
        web_url: `http://bloomery.test/groups/${shut.path}`,
      },
      {
        id: top.id,
        name: 'Top',
        path: top.path,
        kind: 'group',
        full_path: top.path,
        parent_id: null,
        avatar_url: null,
        web_url: `http://bloomery.test/groups/${top.path}`,
        members_count_with_descendants: 1,
        billable_members_count: 1,
        plan: 'default',
        trial_ends_on: null,
        trial: false,
      },
      {
        id: sub.id,
        name: 'Sub',
        path: 's',
        kind: 'group',
        full_path: `${top.path}/s`,
        parent_id: top.id,
        avatar_url: null,
        web_url: `http://bloomery.test/groups/${top.path}/s`,
        members_count_with_descendants: 1,
        billable_members_count: 1,
        plan: 'default',
        trial_ends_on: null,
        trial: false,
      },
    ])
    const list = async (query: string) => idsOf(await client.get(`/namespaces?${query}`))
    expect(await list('owned_only=true')).toEqual([own.id, top.id, sub.id])
    expect(await list('owned_only=true&top_level_only=true')).toEqual([own.id, top.id])
    expect(await list('search=TOP')).toEqual([top.id])
    expect(await list(`search=${user.username}-G`)).toEqual([top.id])
    expect((await client.get('/namespaces?owned_only=x')).json()).toEqual({
      error: 'owned_only is invalid',
    })
    await client.delete(`/groups/${sub.id}`)
    expect(await list('owned_only=true')).toEqual([own.id, top.id])
    expect((await client.get(`/namespaces/${sub.id}`)).statusCode).toBe(404)
  })

  it('answers an administrator every namespace, page by page', async () => {
    const get = () => world.as('admin').get('/namespaces?per_page=2')
    const answer = await get()
    expect(answer.json()).toHaveLength(2)
    expect(Number(answer.headers['x-total'])).toBeGreaterThan(8)
    expect(await world.app.count(get)).toMatchObject({ processes: 0 })
    const found = await world.as('admin').get(`/namespaces?search=${world.groups.shut.path}`)
    expect(idsOf(found)).toEqual([world.groups.shut.id])
  })

  it('takes three queries and one for the counts', async () => {
    const get = () => world.as('owner').get('/namespaces')
    await get()
    expect(await world.app.count(get)).toEqual({ queries: 4, processes: 0 })
  })
})

describe('GET /namespaces/:id', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'open', 200],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s group with %i', async (who, place, status) => {
    const { id, full_path } = world.groups[place]
    for (const key of [id, full_path.toUpperCase()]) {
      const answer = await world.as(who).get(`/namespaces/${key}`)
      expect(answer.statusCode).toBe(status)
      if (status === 404) expect(answer.json()).toEqual({ message: '404 Namespace Not Found' })
      if (status === 200) expect(answer.json()).toMatchObject({ id, kind: 'group', full_path })
    }
  })

  it('counts members for owners of the group', async () => {
    const { inside } = world.groups
    const owner = (await world.as('owner').get(`/namespaces/${inside.id}`)).json()
    // A Guest takes no seat on the highest tier.
    expect(owner).toMatchObject({ members_count_with_descendants: 5, billable_members_count: 4 })
    const guest = (await world.as('guest').get(`/namespaces/${inside.id}`)).json()
    for (const field of ['members_count_with_descendants', 'billable_members_count', 'plan']) {
      expect(guest).not.toHaveProperty(field)
    }
  })

  it.each([
    ['free', undefined],
    ['premium', 5],
  ])('counts as the %s tier does', async (tier, billable) => {
    const own = await startApp({ BLOOMERY_TIER: tier })
    try {
      const { groups, as } = await newWorld(own)
      const shown = (await as('owner').get(`/namespaces/${groups.shut.id}`)).json()
      expect(shown).toMatchObject({ members_count_with_descendants: 5 })
      expect(shown.billable_members_count).toBe(billable)
      expect('plan' in shown).toBe(tier !== 'free')
    } finally {
      await own.close()
    }
  })

  it('shows a personal namespace to its user alone', async () => {
    const url = `/namespaces/${world.users.guest.username}`
    expect((await world.as('guest').get(url)).json()).toMatchObject({ kind: 'user' })
    expect((await world.as('admin').get(url)).statusCode).toBe(200)
    const other = await world.as('owner').get(url)
    expect([other.statusCode, other.json()]).toEqual([404, { message: '404 Namespace Not Found' }])
  })

  it('finds no project', async () => {
    const path = encodeURIComponent(world.projects.open.full_path)
    expect((await world.as('owner').get(`/namespaces/${path}`)).statusCode).toBe(404)
  })
})

describe('GET /namespaces/:path/exists', () => {
  it('tells what is taken, and suggests what is free', async () => {
    const { open, shut } = world.groups
    const get = async (path: string, query = '') =>
      (await world.as('outsider').get(`/namespaces/${path}/exists${query}`)).json()
    const free = `${open.path}x`
    expect(await get(free)).toEqual({ exists: false, suggests: [] })
    expect(await get(open.path.toUpperCase())).toEqual({
      exists: true,
      suggests: [`${open.path.toUpperCase()}1`],
    })
    // What is hidden is told to those who see it alone.
    expect(await get(shut.path)).toEqual({ exists: false, suggests: [] })
    const member = await world.as('guest').get(`/namespaces/${shut.path}/exists`)
    expect(member.json()).toEqual({ exists: true, suggests: [`${shut.path}1`] })
    const top = await world.newGroup({ visibility: 'public' })
    for (const path of ['a', 'a1', 'a2']) {
      const fields = { name: path, path, parent_id: top.id, visibility: 'public' }
      await world.as('admin').post('/groups', fields)
    }
    expect(await get('a', `?parent_id=${top.id}`)).toEqual({ exists: true, suggests: ['a3'] })
    expect(await get('b', `?parent_id=${top.id}`)).toEqual({ exists: false, suggests: [] })
  })

  it('tells nothing of a hidden project in a group that is seen', async () => {
    const group = await world.newMemberedGroup()
    await world.app.db
      .updateTable('namespaces')
      .set({ visibility: 'public' })
      .where('id', '=', group.id)
      .execute()
    const { path } = await world.newProject({ group, visibility: 'private' })
    const url = `/namespaces/${path}/exists?parent_id=${group.id}`
    expect((await world.as('guest').get(url)).json().exists).toBe(true)
    expect((await world.as('outsider').get(url)).json().exists).toBe(false)
  })

  it('tells nothing of what a hidden group contains', async () => {
    const { shut } = world.groups
    await world.as('owner').post('/groups', { name: 'x', path: 'secret', parent_id: shut.id })
    const url = `/namespaces/secret/exists?parent_id=${shut.id}`
    const owner = await world.as('owner').get(url)
    expect(owner.json()).toEqual({ exists: true, suggests: ['secret1'] })
    const answer = await world.as('outsider').get(url)
    expect(answer.json()).toEqual({ exists: false, suggests: [] })
  })

  it('refuses an anonymous caller and a parent that is no id', async () => {
    expect((await world.as('anonymous').get('/namespaces/a/exists')).statusCode).toBe(401)
    const wrong = await world.as('guest').get('/namespaces/a/exists?parent_id=x')
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'parent_id is invalid' }])
  })
})
