// A path that something had is kept for whoever has that something: old clone addresses must not come to
// serve what a stranger puts there.
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

let made = 0
const newPath = () => `kept-${++made}-${Math.random().toString(36).slice(2, 10)}`

/** A group `path` of a user's own with a project in it, by now called otherwise. */
async function leave() {
  const first = await world.newUser()
  const stranger = await world.newUser()
  const path = newPath()
  const group = (await first.client.post('/groups', { name: path, path })).json()
  const fields = { name: 'app', namespace_id: group.id }
  const project = (await first.client.post('/projects', fields)).json()
  await first.client.put(`/groups/${group.id}`, { path: `${path}-new` })
  return { first, stranger, path, group, project }
}

const create = (client: World['as'] extends (who: never) => infer C ? C : never, path: string) =>
  client.post('/groups', { name: path, path })

describe('a path that a group had', () => {
  it('is nobody else’s to take, by whatever way', async () => {
    const { first, stranger, path, project } = await leave()
    const taken = { message: `Failed to save group {:path=>["has already been taken"]}` }
    const answer = await create(stranger.client, path.toUpperCase())
    expect([answer.statusCode, answer.json()]).toEqual([400, taken])
    const own = (await create(stranger.client, newPath())).json()
    const renamed = await stranger.client.put(`/groups/${own.id}`, { path })
    expect([renamed.statusCode, renamed.json()]).toEqual([
      400,
      { message: { path: ['has already been taken'] } },
    ])
    const parent = (await create(stranger.client, newPath())).json()
    const fields = { name: path, path, parent_id: parent.id }
    const below = (await stranger.client.post('/groups', fields)).json()
    expect((await stranger.client.post(`/groups/${below.id}/transfer`)).statusCode).toBe(400)
    const old = await first.client.get(`/projects/${encodeURIComponent(`${path}/app`)}`)
    expect([old.statusCode, old.headers.location]).toEqual([
      301,
      expect.stringContaining(`/projects/${project.id}`),
    ])
  })

  it('is its Owner’s to use again, also by a way back', async () => {
    const { first, path, group } = await leave()
    expect((await first.client.put(`/groups/${group.id}`, { path })).statusCode).toBe(200)
    expect((await first.client.put(`/groups/${group.id}`, { path: `${path}-2` })).statusCode).toBe(
      200,
    )
    expect((await create(first.client, path)).statusCode).toBe(201)
  })

  it('is free once its Owner or an administrator has used it and let it go', async () => {
    for (const who of ['first', 'admin'] as const) {
      const { first, stranger, path } = await leave()
      const client = who === 'admin' ? world.as('admin') : first.client
      const { id } = (await create(client, path)).json()
      await client.delete(`/groups/${id}`)
      await world.app.worker.drain()
      expect((await create(stranger.client, path)).statusCode).toBe(201)
    }
  })

  it('is not the stranger’s below it either', async () => {
    // A project moved out of a group that is deleted then: its old path has no group to keep it.
    const { first, stranger, group, project, path } = await leave()
    const { username } = first.user
    const moved = { namespace: username }
    expect((await first.client.put(`/projects/${project.id}/transfer`, moved)).statusCode).toBe(200)
    await first.client.delete(`/groups/${group.id}`)
    await world.app.worker.drain()
    const taken = (await create(stranger.client, path)).json()
    const fields = { name: 'app', namespace_id: taken.id }
    const answer = await stranger.client.post('/projects', fields)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: { path: ['has already been taken'] } },
    ])
    // Nor of somebody who may make projects where a group was.
    const top = await world.newMemberedGroup()
    const sub = await world.newGroup({ parent: top })
    await world.as('admin').put(`/groups/${sub.id}`, { path: newPath() })
    const inside = { name: sub.path, path: sub.path, namespace_id: top.id }
    const refused = await world.as('developer').post('/projects', inside)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      { path: ['has already been taken'] },
    ])
    // Nor do their own come to lie there by moving all of them.
    const other = (await create(stranger.client, newPath())).json()
    await stranger.client.post('/projects', { name: 'app', namespace_id: other.id })
    await stranger.client.delete(`/groups/${taken.id}`)
    await world.app.worker.drain()
    expect((await stranger.client.put(`/groups/${other.id}`, { path })).statusCode).toBe(400)
  })
})

describe('a path that a project had', () => {
  it('gives way to others of its group', async () => {
    const group = await world.newMemberedGroup()
    const project = await world.newProject({ group })
    const { path } = project
    const renamed = await world.as('owner').put(`/projects/${project.id}`, { path: `${path}-new` })
    expect(renamed.statusCode).toBe(200)
    const fields = { name: 'another', path, namespace_id: group.id }
    const made = await world.as('developer').post('/projects', fields)
    expect([made.statusCode, made.json().message]).toEqual([201, undefined])
  })

  it('is for its Maintainers to use where it was, by the new group or by the project', async () => {
    const [from, to] = [await world.newMemberedGroup(), await world.newMemberedGroup()]
    for (const [place, access_level, status] of [
      ['group', 40, 201],
      ['project', 40, 201],
      ['group', 30, 400],
    ] as const) {
      const project = await world.newProject({ group: from })
      const { user, client } = await world.newUser()
      const owner = world.as('owner')
      const moved = { namespace: to.full_path }
      expect((await owner.put(`/projects/${project.id}/transfer`, moved)).statusCode).toBe(200)
      const member = { user_id: user.id }
      const where = place === 'group' ? `/groups/${to.id}` : `/projects/${project.id}`
      await owner.post(`/groups/${from.id}/members`, { ...member, access_level: 30 })
      await owner.post(`${where}/members`, { ...member, access_level })
      const { path } = project
      const fields = { name: path, path, namespace_id: from.id }
      const made = await client.post('/projects', fields)
      expect([place, access_level, made.statusCode]).toEqual([place, access_level, status])
    }
  })
})
