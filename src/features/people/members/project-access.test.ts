import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const ids = (answer: { json: () => { id: number }[] }) => answer.json().map(({ id }) => id)

describe('GET /projects/:id/users', () => {
  it('lists whoever has a level, inherited or not, as basic users', async () => {
    const { id } = await world.newProject()
    const { user } = await world.newUser()
    const member = { user_id: user.id, access_level: 20 }
    await world.as('owner').post(`/projects/${id}/members`, member)
    const { guest, reporter, developer, maintainer, owner } = world.users
    const all = await world.as('guest').get(`/projects/${id}/users`)
    const everyone = [guest, reporter, developer, maintainer, owner, user].map((one) => one.id)
    expect(ids(all)).toEqual(everyone)
    expect(all.headers['x-total']).toBe('6')
    const found = await world.as('guest').get(`/projects/${id}/users?search=${user.username}`)
    expect(found.json()).toEqual([
      {
        id: user.id,
        username: user.username,
        name: user.name,
        state: 'active',
        avatar_url: null,
        web_url: `http://bloomery.test/${user.username}`,
      },
    ])
    const skipped = await world
      .as('guest')
      .get(`/projects/${id}/users?skip_users=${guest.id},${owner.id}&per_page=2`)
    expect(ids(skipped)).toEqual([reporter.id, developer.id])
  })

  it('is hidden with the project', async () => {
    const answer = await world.as('outsider').get(`/projects/${world.projects.shut.id}/users`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Project Not Found' }])
  })
})

describe('GET /projects/:id/groups', () => {
  it('lists the groups above, with names and paths', async () => {
    const parent = await world.newGroup({ visibility: 'public' })
    const group = await world.newGroup({ parent, visibility: 'public' })
    const { id } = await world.newProject({ group })
    const answer = await world.as('anonymous').get(`/projects/${id}/groups`)
    expect(answer.json()).toEqual(
      [parent, group].map((above) => ({
        id: above.id,
        web_url: `http://bloomery.test/groups/${above.full_path}`,
        name: above.name,
        avatar_url: null,
        full_name: above.full_name,
        full_path: above.full_path,
      })),
    )
    const skipped = await world
      .as('anonymous')
      .get(`/projects/${id}/groups?skip_groups=${parent.id}`)
    expect(ids(skipped)).toEqual([group.id])
    const found = await world.as('anonymous').get(`/projects/${id}/groups?search=${parent.path}`)
    expect(ids(found)).toEqual([parent.id])
  })

  it('adds invited groups when asked, hidden ones for Maintainers alone', async () => {
    const { id } = await world.newProject({ group: world.groups.open })
    const hidden = await world.newGroup()
    const seen = await world.newGroup({ visibility: 'public' })
    for (const [group, group_access] of [
      [hidden, 30],
      [seen, 10],
    ] as const) {
      await world.as('admin').post(`/projects/${id}/share`, { group_id: group.id, group_access })
    }
    const elsewhere = { group_id: (await world.newGroup()).id, group_access: 30 }
    await world.as('admin').post(`/projects/${world.projects.shut.id}/share`, elsewhere)
    const url = `/projects/${id}/groups`
    const own = world.groups.open.id
    const idsFor = async (who: 'guest' | 'maintainer', query: string) =>
      ids(await world.as(who).get(`${url}?${query}`))
    expect(await idsFor('maintainer', '')).toEqual([own])
    expect(await idsFor('guest', 'with_shared=true')).toEqual([own, seen.id])
    expect(await idsFor('maintainer', 'with_shared=true')).toEqual([own, hidden.id, seen.id])
    expect(await idsFor('maintainer', 'with_shared=true&shared_min_access_level=20')).toEqual([
      own,
      hidden.id,
    ])
    expect(await idsFor('maintainer', 'with_shared=true&shared_visible_only=true')).toEqual([
      own,
      seen.id,
    ])
    // One that is being deleted is gone for everybody.
    expect((await world.as('admin').delete(`/groups/${seen.id}`)).statusCode).toBe(202)
    expect(await idsFor('maintainer', 'with_shared=true')).toEqual([own, hidden.id])
  })

  it('is hidden with the project', async () => {
    const answer = await world.as('outsider').get(`/projects/${world.projects.shut.id}/groups`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Project Not Found' }])
  })
})
