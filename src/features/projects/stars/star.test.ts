import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('POST /projects/:id/star and unstar', () => {
  it.each([
    ['anonymous', 'open', 401, '401 Unauthorized'],
    ['anonymous', 'shut', 404, '404 Project Not Found'],
    ['outsider', 'shut', 404, '404 Project Not Found'],
  ] as const)('answer %s of the %s project with %i', async (who, place, status, message) => {
    for (const action of ['star', 'unstar']) {
      const answer = await world.as(who).post(`/projects/${world.projects[place].id}/${action}`)
      expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
    }
  })

  it('count, each user once', async () => {
    const { id } = await world.newProject()
    const before = (await world.as('guest').get(`/projects/${id}`)).json()
    const starred = await world.as('guest').post(`/projects/${id}/star`)
    expect([starred.statusCode, starred.json()]).toEqual([201, { ...before, star_count: 1 }])
    const again = await world.as('guest').post(`/projects/${id}/star`)
    expect([again.statusCode, again.body]).toEqual([304, ''])
    await world.as('reporter').post(`/projects/${id}/star`)
    const list = (await world.as('guest').get('/projects?simple=true')).json()
    expect(list.find((item: { id: number }) => item.id === id).star_count).toBe(2)
    const unstarred = await world.as('guest').post(`/projects/${id}/unstar`)
    expect([unstarred.statusCode, unstarred.json()]).toEqual([201, { ...before, star_count: 1 }])
    const gone = await world.as('guest').post(`/projects/${id}/unstar`)
    expect([gone.statusCode, gone.body]).toEqual([304, ''])
  })

  it('are of one user and one project alone', async () => {
    const [one, two] = [await world.newProject(), await world.newProject()]
    for (const { id } of [one, two]) await world.as('guest').post(`/projects/${id}/star`)
    await world.as('guest').post(`/projects/${one.id}/unstar`)
    const isStarred = async (who: 'guest' | 'reporter', { id }: { id: number }) =>
      (await world.as(who).get(`/projects/${id}?with_abilities=true`)).json().starred
    expect([await isStarred('guest', one), await isStarred('guest', two)]).toEqual([false, true])
    expect(await isStarred('reporter', two)).toBe(false)
  })

  it('forget the stars of a user who is removed', async () => {
    const { id } = await world.newProject({ group: world.groups.open })
    const { user, client } = await world.newUser()
    await client.post(`/projects/${id}/star`)
    await world.app.db.deleteFrom('namespaces').where('owner_id', '=', user.id).execute()
    await world.app.db.deleteFrom('users').where('id', '=', user.id).execute()
    expect((await world.as('guest').get(`/projects/${id}`)).json().star_count).toBe(0)
  })
})

describe('GET /projects/:id/starrers', () => {
  it('lists who starred it, the latest first, by pages', async () => {
    const { id } = await world.newProject({ group: world.groups.open })
    for (const who of ['guest', 'owner'] as const) {
      await world.as(who).post(`/projects/${id}/star`)
      world.app.clock.advance(1000)
    }
    const { guest, owner } = world.users
    const page = await world.as('anonymous').get(`/projects/${id}/starrers?per_page=1&page=2`)
    expect(page.headers['x-total']).toBe('2')
    expect(page.json()).toEqual([
      {
        starred_since: expect.stringMatching(/^2026-03-01T12:00:\d\d\.000Z$/),
        user: {
          id: guest.id,
          username: guest.username,
          name: guest.name,
          state: 'active',
          avatar_url: null,
          web_url: `http://bloomery.test/${guest.username}`,
        },
      },
    ])
    const found = await world.as('anonymous').get(`/projects/${id}/starrers?search=The%20OWNER`)
    expect(found.json().map((row: { user: { id: number } }) => row.user.id)).toEqual([owner.id])
    expect(
      (await world.as('anonymous').get(`/projects/${id}/starrers?search=nobody`)).json(),
    ).toEqual([])
  })

  it('shows a private profile to itself and administrators alone', async () => {
    const { id } = await world.newProject({ group: world.groups.open })
    const { client } = await world.newUser({ private_profile: true })
    await client.post(`/projects/${id}/star`)
    const count = async (asker: { get: typeof client.get }) =>
      (await asker.get(`/projects/${id}/starrers`)).json().length
    expect(await count(world.as('owner'))).toBe(0)
    expect(await count(world.as('anonymous'))).toBe(0)
    expect(await count(client)).toBe(1)
    expect(await count(world.as('admin'))).toBe(1)
  })

  it('is hidden with the project', async () => {
    const answer = await world.as('outsider').get(`/projects/${world.projects.shut.id}/starrers`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Project Not Found' }])
  })
})

describe('starred projects', () => {
  it('are listed as far as the asker sees them', async () => {
    const { user, client } = await world.newUser()
    const { user: member, client: memberClient } = await world.newUser()
    const [open, shut] = [world.projects.open.id, world.projects.shut.id]
    await world.as('admin').post(`/projects/${shut}/members`, {
      user_id: member.id,
      access_level: 20,
    })
    for (const id of [open, shut]) await memberClient.post(`/projects/${id}/star`)
    const idsOf = async (asker: { get: typeof client.get }, query = '') =>
      (await asker.get(`/users/${member.username}/starred_projects${query}`))
        .json()
        .map(({ id }: { id: number }) => id)
    expect(await idsOf(memberClient)).toEqual([shut, open])
    expect(await idsOf(memberClient, '?sort=asc&per_page=1')).toEqual([open])
    expect(await idsOf(client)).toEqual([open])
    expect(await idsOf(world.as('anonymous'))).toEqual([open])
    expect((await client.get(`/users/${user.id}/starred_projects`)).json()).toEqual([])
    const own = (await memberClient.get('/projects?starred=true')).json()
    expect(own.map(({ id }: { id: number }) => id)).toEqual([shut, open])
    expect((await client.get('/projects?starred=true')).json()).toEqual([])
  })

  it('of a private profile are nobody else’s matter', async () => {
    const { user, client } = await world.newUser({ private_profile: true })
    await client.post(`/projects/${world.projects.open.id}/star`)
    const url = `/users/${user.id}/starred_projects`
    expect((await world.as('owner').get(url)).json()).toEqual([])
    expect((await client.get(url)).json()).toHaveLength(1)
    expect((await world.as('admin').get(url)).json()).toHaveLength(1)
  })

  it('of nobody are 404', async () => {
    const answer = await world.as('guest').get('/users/nobody-of-that-name/starred_projects')
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 User Not Found' }])
  })
})
