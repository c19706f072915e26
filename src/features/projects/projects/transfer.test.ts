import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const failed = (text: string) => ({
  message: `Failed to transfer project {:new_namespace=>["${text}"]}`,
})
const transfer = (who: Parameters<World['as']>[0], project: Project, namespace: string | number) =>
  world.as(who).put(`/projects/${project.id}/transfer`, { namespace })

describe('PUT /projects/:id/transfer', () => {
  it.each([
    ['anonymous', 'open', 401, '401 Unauthorized'],
    ['anonymous', 'shut', 404, '404 Project Not Found'],
    ['outsider', 'shut', 404, '404 Project Not Found'],
    ['maintainer', 'shut', 403, '403 Forbidden'],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, message) => {
    const answer = await transfer(who, world.projects[place], world.groups.inside.id)
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  })

  it('moves the project; its old path goes on leading to it, for git too', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const group = await world.newMemberedGroup()
    const before = (await world.as('owner').get(`/projects/${project.id}`)).json()
    const answer = await transfer('owner', project, group.full_path)
    expect(answer.statusCode).toBe(200)
    const full_path = `${group.full_path}/${project.path}`
    const moved = answer.json()
    expect(moved).toMatchObject({
      id: project.id,
      path_with_namespace: full_path,
      name_with_namespace: `${group.full_name} / ${project.name}`,
      namespace: { id: group.id, full_path: group.full_path },
      web_url: `http://bloomery.test/${full_path}`,
    })
    expect(Object.keys(moved)).toEqual(Object.keys(before))
    const old = `/projects/${encodeURIComponent(project.full_path)}`
    const redirect = await world.as('owner').get(old)
    expect([redirect.statusCode, redirect.headers.location]).toEqual([
      301,
      `http://bloomery.test/api/v4/projects/${project.id}`,
    ])
    expect((await world.as('outsider').get(old)).statusCode).toBe(404)
    const basic = Buffer.from(`x:${world.token('owner')}`).toString('base64')
    for (const path of [project.full_path, full_path]) {
      const refs = await world.app.server.inject({
        url: `/${path}.git/info/refs?service=git-upload-pack`,
        headers: { authorization: `Basic ${basic}` },
      })
      expect([path, refs.statusCode]).toEqual([path, 200])
    }
    const tree = await world.as('owner').get(`/projects/${project.id}/repository/tree`)
    expect(tree.json()).toHaveLength(1)
  })

  it('takes access from those of the old group and gives it to those of the new one', async () => {
    const group = await world.newGroup()
    const { user, client } = await world.newUser()
    await world.as('admin').post(`/groups/${group.id}/members`, {
      user_id: user.id,
      access_level: 50,
    })
    const project = await world.newProject({ group })
    expect((await world.as('guest').get(`/projects/${project.id}`)).statusCode).toBe(404)
    expect((await transfer('admin', project, world.groups.shut.id)).statusCode).toBe(200)
    expect((await world.as('guest').get(`/projects/${project.id}`)).statusCode).toBe(200)
    expect((await client.get(`/projects/${project.id}`)).statusCode).toBe(404)
  })

  it('hides the project as far as its new group is, and leaves its forks alone', async () => {
    const project = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
    const { client } = await world.newUser()
    const fork = (
      await client.post(`/projects/${project.id}/fork`, { visibility: 'public' })
    ).json()
    const answer = await transfer('owner', project, world.groups.inside.id)
    expect(answer.json()).toMatchObject({ visibility: 'internal', forks_count: 1 })
    const after = (await client.get(`/projects/${fork.id}`)).json()
    expect([after.visibility, after.forked_from_project.id]).toEqual(['public', project.id])
  })

  it('makes the owner of a personal namespace an Owner of the project', async () => {
    const group = await world.newGroup()
    const { user, client } = await world.newUser()
    await world.as('admin').post(`/groups/${group.id}/members`, {
      user_id: user.id,
      access_level: 50,
    })
    const project = await world.newProject({ group })
    await world.as('admin').post(`/projects/${project.id}/members`, {
      user_id: user.id,
      access_level: 50,
      expires_at: '2026-04-01',
    })
    const answer = await client.put(`/projects/${project.id}/transfer`, {
      namespace: user.username,
    })
    expect(answer.json()).toMatchObject({ owner: { id: user.id }, namespace: { kind: 'user' } })
    const members = (await client.get(`/projects/${project.id}/members`)).json()
    expect(members).toMatchObject([{ id: user.id, access_level: 50, expires_at: null }])
  })

  it('gives a path that a former project left to the newest owner of it', async () => {
    const project = await world.newProject()
    await transfer('owner', project, world.groups.inside.id)
    await transfer('owner', project, world.groups.shut.id)
    const back = await world.as('owner').get(`/projects/${encodeURIComponent(project.full_path)}`)
    expect([back.statusCode, back.json().id]).toEqual([200, project.id])
  })

  it('refuses what the target does not admit', async () => {
    const project = await world.newProject()
    const { shut, open } = world.groups
    const check = async (namespace: string | number, status: number, body: object) => {
      const answer = await transfer('owner', project, namespace)
      expect([answer.statusCode, answer.json()]).toEqual([status, body])
    }
    await check(shut.id, 400, failed('Project is already in this namespace.'))
    await check('no-such/group', 404, { message: '404 Namespace Not Found' })
    await check((await world.newGroup()).id, 404, { message: '404 Namespace Not Found' })
    await check(world.users.outsider.username, 404, { message: '404 Namespace Not Found' })
    const foreign = await world.newGroup({ visibility: 'public' })
    const noPermission = "You don't have permission to transfer projects into that namespace."
    await check(foreign.id, 400, failed(noPermission))
    const closed = await world.newMemberedGroup()
    await world.as('owner').put(`/groups/${closed.id}`, { project_creation_level: 'noone' })
    await check(closed.id, 400, failed(noPermission))
    const other = await world.newProject({ group: open })
    await world.as('owner').put(`/projects/${other.id}`, { path: project.path.toUpperCase() })
    const taken = 'Project with same name or path in target namespace already exists'
    await check(open.id, 400, failed(taken))
    const group = await world.newMemberedGroup()
    const sub = { name: 'Sub', path: project.path, parent_id: group.id }
    expect((await world.as('owner').post('/groups', sub)).statusCode).toBe(201)
    await check(group.id, 400, failed(taken))
    const missing = await world.as('owner').put(`/projects/${project.id}/transfer`, {})
    expect([missing.statusCode, missing.json()]).toEqual([400, { error: 'namespace is missing' }])
    const after = (await world.as('owner').get(`/projects/${project.id}`)).json()
    expect(after.path_with_namespace).toBe(project.full_path)
  })

  it('refuses a full personal namespace', async () => {
    const { user, client } = await world.newUser({ projects_limit: 0 })
    const group = await world.newGroup()
    await world.as('admin').post(`/groups/${group.id}/members`, {
      user_id: user.id,
      access_level: 50,
    })
    const project = await world.newProject({ group })
    const answer = await client.put(`/projects/${project.id}/transfer`, {
      namespace: user.username,
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      failed("You don't have permission to transfer projects into that namespace."),
    ])
  })
})

describe('GET /projects/:id/transfer_locations', () => {
  it('lists the groups the caller may move it into', async () => {
    const project = await world.newProject()
    const { user, client } = await world.newUser()
    await world.as('admin').post(`/projects/${project.id}/members`, {
      user_id: user.id,
      access_level: 50,
    })
    const join = async (access_level: number, project_creation_level: string) => {
      const group = await world.newGroup()
      await world.as('admin').put(`/groups/${group.id}`, { project_creation_level })
      const member = { user_id: user.id, access_level }
      await world.as('admin').post(`/groups/${group.id}/members`, member)
      return group
    }
    const first = await join(40, 'developer')
    await join(30, 'developer')
    await join(40, 'owner')
    await join(50, 'noone')
    const second = await join(50, 'owner')
    // Where the project is already it cannot be moved.
    await world.as('admin').post(`/groups/${project.namespace_id}/members`, {
      user_id: user.id,
      access_level: 50,
    })
    const url = `/projects/${project.id}/transfer_locations`
    const answer = await client.get(url)
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
    expect(answer.headers['x-total']).toBe('2')
    const found = (await client.get(`${url}?search=${second.path}`)).json()
    expect(found.map(({ id }: { id: number }) => id)).toEqual([second.id])
    for (const { id } of [first, second]) {
      const body = { namespace: id }
      expect((await client.put(`/projects/${project.id}/transfer`, body)).statusCode).toBe(200)
    }
  })

  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['outsider', 404, '404 Project Not Found'],
    ['maintainer', 403, '403 Forbidden'],
  ] as const)('answers %s with %i', async (who, status, message) => {
    const url = `/projects/${world.projects.shut.id}/transfer_locations`
    const answer = await world.as(who).get(url)
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
  })
})
