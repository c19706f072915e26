import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { recomputeNamespaceAccess } from '../../../access/recompute-access.ts'
import type { Group } from '../../../subjects/group.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const transfer = (who: Parameters<World['as']>[0], group: Group, group_id?: number) =>
  world.as(who).post(`/groups/${group.id}/transfer`, { group_id })

/** A group of a new user's, with a subgroup, a project in each, and the user's client. */
async function newTree() {
  const { user, client } = await world.newUser()
  const top = await world.newGroup({ visibility: 'public' })
  const sub = await world.newGroup({ parent: top, visibility: 'public' })
  const member = { user_id: user.id, access_level: 50 }
  await world.as('admin').post(`/groups/${top.id}/members`, member)
  const project = await world.newProject({ group: top, visibility: 'public' })
  const deep = await world.newProject({ group: sub, visibility: 'public' })
  return { user, client, top, sub, project, deep }
}

describe('POST /groups/:id/transfer', () => {
  it.each([
    ['anonymous', 'open', 401, '401 Unauthorized'],
    ['anonymous', 'shut', 404, '404 Group Not Found'],
    ['outsider', 'shut', 404, '404 Group Not Found'],
    ['maintainer', 'shut', 403, '403 Forbidden'],
  ] as const)('answers %s of the %s group with %i', async (who, place, status, message) => {
    const answer = await transfer(who, world.groups[place], world.groups.inside.id)
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  })

  it('moves everything below: paths, names, redirects, git, visibility and access', async () => {
    const { top, sub, project, deep, client, user } = await newTree()
    const parent = await world.newMemberedGroup()
    await world.as('admin').post(`/groups/${parent.id}/members`, {
      user_id: user.id,
      access_level: 40,
    })
    expect((await world.as('guest').get(`/groups/${sub.id}/members/all`)).json()).toHaveLength(1)
    const answer = await client.post(`/groups/${top.id}/transfer`, { group_id: parent.id })
    expect(answer.statusCode).toBe(201)
    const newTop = `${parent.full_path}/${top.path}`
    expect(answer.json()).toMatchObject({
      id: top.id,
      parent_id: parent.id,
      full_path: newTop,
      full_name: `${parent.full_name} / ${top.name}`,
      visibility: 'private',
      web_url: `http://bloomery.test/groups/${newTop}`,
    })
    const guest = world.as('guest')
    const { full_path, full_name } = (await guest.get(`/groups/${sub.id}`)).json()
    expect([full_path, full_name]).toEqual([
      `${newTop}/${sub.path}`,
      `${parent.full_name} / ${top.name} / ${sub.name}`,
    ])
    for (const [{ id, path, full_path: old }, place] of [
      [project, newTop],
      [deep, `${newTop}/${sub.path}`],
    ] as const) {
      const record = (await guest.get(`/projects/${id}`)).json()
      expect(record).toMatchObject({
        path_with_namespace: `${place}/${path}`,
        visibility: 'private',
        permissions: { group_access: { access_level: 10 } },
      })
      const redirect = await guest.get(`/projects/${encodeURIComponent(old)}`)
      expect([redirect.statusCode, redirect.headers.location]).toEqual([
        301,
        `http://bloomery.test/api/v4/projects/${id}`,
      ])
      const basic = Buffer.from(`x:${world.token('reporter')}`).toString('base64')
      const refs = await world.app.server.inject({
        url: `/${old}.git/info/refs?service=git-upload-pack`,
        headers: { authorization: `Basic ${basic}` },
      })
      expect(refs.statusCode).toBe(200)
      expect((await world.as('outsider').get(`/projects/${id}`)).statusCode).toBe(404)
    }
    for (const group of [top, sub]) {
      const redirect = await guest.get(`/groups/${encodeURIComponent(group.full_path)}`)
      expect([redirect.statusCode, redirect.headers.location]).toEqual([
        301,
        `http://bloomery.test/api/v4/groups/${group.id}`,
      ])
    }
    const below = (await guest.get(`/groups/${parent.id}/descendant_groups?order_by=id`)).json()
    expect(below.map(({ id }: { id: number }) => id)).toEqual([top.id, sub.id])
  })

  it('opens nothing that was less open than the new parent', async () => {
    const { client, user, top, sub, project } = await newTree()
    const hiddenGroup = await world.newGroup({ parent: sub, visibility: 'private' })
    const hidden = await world.newProject({ group: sub, visibility: 'private' })
    const parent = await world.newGroup({ visibility: 'internal' })
    const member = { user_id: user.id, access_level: 40 }
    await world.as('admin').post(`/groups/${parent.id}/members`, member)
    const answer = await client.post(`/groups/${top.id}/transfer`, { group_id: parent.id })
    expect(answer.statusCode).toBe(201)
    const visibilityOf = async (path: string) => (await client.get(path)).json().visibility
    expect(await visibilityOf(`/groups/${sub.id}`)).toBe('internal')
    expect(await visibilityOf(`/projects/${project.id}`)).toBe('internal')
    expect(await visibilityOf(`/groups/${hiddenGroup.id}`)).toBe('private')
    expect(await visibilityOf(`/projects/${hidden.id}`)).toBe('private')
    expect((await world.as('outsider').get(`/projects/${hidden.id}`)).statusCode).toBe(404)
    expect(await visibilityOf(`/projects/${world.projects.open.id}`)).toBe('public')
    expect(await visibilityOf(`/groups/${world.groups.open.id}`)).toBe('public')
  })

  it('moves a group to the top, where nobody inherits any more', async () => {
    const parent = await world.newMemberedGroup()
    const group = await world.newGroup({ parent })
    const elsewhere = await world.newGroup()
    const memberOf = ({ id }: Group, who: 'owner' | 'developer', access_level: number) =>
      world
        .as('admin')
        .post(`/groups/${id}/members`, { user_id: world.users[who].id, access_level })
    await memberOf(group, 'owner', 50)
    await memberOf(group, 'developer', 30)
    await memberOf(elsewhere, 'owner', 20)
    // What moves has no Owner of its own, though whoever moves it is a member.
    await world.app.db
      .updateTable('members')
      .set({ access_level: 40 })
      .where('namespace_id', '=', group.id)
      .where('user_id', '=', world.users.owner.id)
      .execute()
    const sub = await world.newGroup({ parent: group })
    const project = await world.newProject({ group: sub })
    await recomputeNamespaceAccess(world.app.db, [parent.id], { today: '2026-03-01' })
    expect((await world.as('guest').get(`/projects/${project.id}`)).statusCode).toBe(200)
    const answer = await transfer('owner', group)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ parent_id: null, full_path: group.path })
    expect((await world.as('guest').get(`/projects/${project.id}`)).statusCode).toBe(404)
    const record = (await world.as('owner').get(`/projects/${project.id}`)).json()
    expect(record.path_with_namespace).toBe(`${group.path}/${sub.path}/${project.path}`)
    // Whoever moved it is its Owner, as it had none of its own; nobody else is, and of nothing else.
    const membersOf = async ({ id }: Group) =>
      (await world.as('admin').get(`/groups/${id}/members`)).json()
    expect(await membersOf(group)).toMatchObject([
      { id: world.users.developer.id, access_level: 30 },
      { id: world.users.owner.id, access_level: 50 },
    ])
    expect(await membersOf(elsewhere)).toMatchObject([
      { id: world.users.owner.id, access_level: 20 },
    ])
    const above = await world.app.db
      .selectFrom('namespace_ancestors')
      .select(['ancestor_id', 'depth'])
      .where('namespace_id', '=', sub.id)
      .orderBy('depth')
      .execute()
    expect(above).toEqual([
      { ancestor_id: sub.id, depth: 0 },
      { ancestor_id: group.id, depth: 1 },
    ])
  })

  it('lets groups invited elsewhere follow', async () => {
    const { top, sub, client } = await newTree()
    const host = await world.newProject()
    await world.as('owner').post(`/projects/${host.id}/share`, {
      group_id: sub.id,
      group_access: 30,
    })
    expect((await client.get(`/projects/${host.id}`)).statusCode).toBe(200)
    const other = await world.newMemberedGroup()
    expect((await transfer('admin', sub, other.id)).statusCode).toBe(201)
    // Only through the old parent was the user in the invited group.
    expect((await client.get(`/projects/${host.id}`)).statusCode).toBe(404)
    expect((await client.get(`/groups/${top.id}`)).statusCode).toBe(200)
  })

  it('refuses, in the words of the real product', async () => {
    const { top, sub, client, user } = await newTree()
    const check = async (group: Group, group_id: number | undefined, text: string) => {
      const answer = await client.post(`/groups/${group.id}/transfer`, { group_id })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { message: `Transfer failed: ${text}` },
      ])
    }
    await check(top, undefined, 'Group is already a root group.')
    await check(sub, top.id, 'Group is already associated to the parent group.')
    await check(top, sub.id, 'Cannot transfer group to one of its subgroup.')
    await check(top, top.id, 'Cannot transfer group to one of its subgroup.')
    await check(top, world.groups.open.id, "You don't have enough permissions.")
    const hidden = await client.post(`/groups/${top.id}/transfer`, {
      group_id: world.groups.shut.id,
    })
    expect([hidden.statusCode, hidden.json()]).toEqual([404, { message: '404 Group Not Found' }])
    const other = await newTree()
    await world.as('admin').post(`/groups/${other.top.id}/members`, {
      user_id: user.id,
      access_level: 50,
    })
    await client.put(`/groups/${sub.id}`, { path: other.project.path })
    const taken = 'The parent group already has a subgroup or a project with the same path.'
    await check(sub, other.top.id, taken)
    await client.put(`/groups/${sub.id}`, { path: 'dashboard' })
    await check(sub, undefined, 'Path is a reserved name')
    await world.app.db
      .updateTable('users')
      .set({ can_create_group: false })
      .where('id', '=', user.id)
      .execute()
    await check(sub, undefined, "You don't have enough permissions.")
  })

  it('refuses a tree that would be too deep', async () => {
    const deep = async (count: number) => {
      const groups: Group[] = []
      for (let n = 0; n < count; n++) groups.push(await world.newGroup({ parent: groups.at(-1) }))
      return groups
    }
    const [high, low] = [await deep(12), await deep(10)]
    const [top] = low as [Group]
    const answer = await transfer('admin', top, high.at(-1)?.id)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'Transfer failed: Parent has too deep level of nesting' },
    ])
    expect((await transfer('admin', top, high.at(-2)?.id)).statusCode).toBe(201)
  })

  it('takes as many statements for a large tree as for a small one', async () => {
    const small = await newTree()
    const large = await newTree()
    for (let n = 0; n < 5; n++) {
      const group = await world.newGroup({ parent: large.sub, visibility: 'public' })
      await world.newProject({ group, visibility: 'public' })
    }
    const target = await world.newMemberedGroup()
    const { queries } = await world.app.count(() => transfer('admin', small.top, target.id))
    const many = await world.app.count(() => transfer('admin', large.top, target.id))
    expect(many.queries).toBe(queries)
  })
})

describe('POST /groups/:id/projects/:project_id', () => {
  it('moves a project for an administrator', async () => {
    const project = await world.newProject()
    const group = await world.newMemberedGroup()
    const url = `/groups/${group.id}/projects/${encodeURIComponent(project.full_path)}`
    const answer = await world.as('admin').post(url)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ id: group.id, projects: [{ id: project.id }] })
    const again = await world.as('admin').post(`/groups/${group.id}/projects/${project.id}`)
    expect([again.statusCode, again.json()]).toEqual([
      400,
      {
        message:
          'Failed to transfer project {:new_namespace=>["Project is already in this namespace."]}',
      },
    ])
    const unknown = await world.as('admin').post(`/groups/${group.id}/projects/0`)
    expect([unknown.statusCode, unknown.json()]).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
  })

  it('is for administrators alone', async () => {
    const project = await world.newProject()
    const url = `/groups/${world.groups.inside.id}/projects/${project.id}`
    const answer = await world.as('owner').post(url)
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
  })
})

describe('GET /groups/:id/transfer_locations', () => {
  it('lists the groups the caller may move it under', async () => {
    const { user, client, top, sub } = await newTree()
    const join = async (access_level: number, subgroup_creation_level: string) => {
      const group = await world.newGroup()
      await world.as('admin').put(`/groups/${group.id}`, { subgroup_creation_level })
      const member = { user_id: user.id, access_level }
      await world.as('admin').post(`/groups/${group.id}/members`, member)
      return group
    }
    const first = await join(40, 'maintainer')
    await join(40, 'owner')
    const second = await join(50, 'owner')
    const answer = await client.get(`/groups/${top.id}/transfer_locations`)
    expect(answer.json()).toEqual(
      [first, second].map(({ id, name, full_name, full_path }) => ({
        id,
        web_url: `http://bloomery.test/groups/${full_path}`,
        name,
        avatar_url: null,
        full_name,
        full_path,
      })),
    )
    // Where the group is already it cannot be moved.
    const ofSub = (await client.get(`/groups/${sub.id}/transfer_locations`)).json()
    expect(ofSub.map(({ id }: { id: number }) => id)).toEqual([first.id, second.id])
    const found = await client.get(`/groups/${sub.id}/transfer_locations?search=${second.path}`)
    expect(found.json().map(({ id }: { id: number }) => id)).toEqual([second.id])
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['outsider', 404, '404 Group Not Found'],
    ['maintainer', 403, '403 Forbidden'],
  ] as const)('answers %s with %i', async (who, status, message) => {
    const answer = await world.as(who).get(`/groups/${world.groups.shut.id}/transfer_locations`)
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  })
})
