import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('GET /users/:user_id/memberships', () => {
  it.each([
    ['anonymous', 401],
    ['owner', 403],
  ] as const)('answers %s with %i', async (who, status) => {
    const url = `/users/${world.users.guest.id}/memberships`
    expect((await world.as(who).get(url)).statusCode).toBe(status)
  })

  it('lists what a user is a direct member of, by type', async () => {
    const { user } = await world.newUser()
    const { groups, projects } = world
    const admin = world.as('admin')
    const join = (path: string, access_level: number) =>
      admin.post(`${path}/members`, { user_id: user.id, access_level })
    await join(`/groups/${groups.open.id}`, 20)
    await join(`/projects/${projects.shut.id}`, 30)
    const gone = await world.newProject()
    await join(`/projects/${gone.id}`, 30)
    await admin.delete(`/projects/${gone.id}`)
    const group = {
      source_id: groups.open.id,
      source_name: groups.open.name,
      source_type: 'Namespace',
      access_level: 20,
    }
    const project = {
      source_id: projects.shut.id,
      source_name: projects.shut.name,
      source_type: 'Project',
      access_level: 30,
    }
    const url = `/users/${user.id}/memberships`
    const listed = await admin.get(url)
    expect(listed.json()).toEqual([group, project])
    expect(listed.headers['x-total']).toBe('2')
    expect((await admin.get(`${url}?type=Namespace`)).json()).toEqual([group])
    expect((await admin.get(`${url}?type=Project`)).json()).toEqual([project])
    expect((await admin.get(`${url}?type=x`)).json()).toEqual({
      error: 'type does not have a valid value',
    })
    const unknown = await admin.get('/users/999999/memberships')
    expect(unknown.json()).toEqual({ message: '404 User Not Found' })
  })
})

describe('GET /users/:id/associations_count', () => {
  it('counts direct memberships, issues and merge requests for the user and administrators', async () => {
    const { user, client } = await world.newUser()
    const { groups, projects } = world
    const admin = world.as('admin')
    const gone = await world.newProject()
    for (const path of [
      `/groups/${groups.open.id}`,
      `/groups/${groups.shut.id}`,
      `/projects/${projects.shut.id}`,
      `/projects/${gone.id}`,
    ]) {
      await admin.post(`${path}/members`, { user_id: user.id, access_level: 20 })
    }
    await admin.delete(`/projects/${gone.id}`)
    const { project, url } = await newBranches(world)
    await admin.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
    const request = { source_branch: 'topic', target_branch: 'main', title: 'A topic' }
    expect((await client.post(url, request)).statusCode).toBe(201)
    for (const title of ['First', 'Second']) {
      await client.post(`/projects/${projects.shut.id}/issues`, { title })
    }
    await client.put(`/projects/${projects.shut.id}/issues/1`, { state_event: 'close' })
    const counts = {
      groups_count: 2,
      projects_count: 2,
      issues_count: 2,
      merge_requests_count: 1,
    }
    for (const asker of [client, admin]) {
      const answer = await asker.get(`/users/${user.id}/associations_count`)
      expect([answer.statusCode, answer.json()]).toEqual([200, counts])
    }
    const { client: newcomer, user: nobody } = await world.newUser()
    expect((await newcomer.get(`/users/${nobody.id}/associations_count`)).json()).toEqual({
      ...counts,
      groups_count: 0,
      projects_count: 0,
      issues_count: 0,
      merge_requests_count: 0,
    })
  })

  it.each([
    ['anonymous', 'guest', 401, { message: '401 Unauthorized' }],
    ['owner', 'guest', 403, { message: '403 Forbidden' }],
    ['owner', 'nobody', 404, { message: '404 User Not Found' }],
    ['admin', 'nobody', 404, { message: '404 User Not Found' }],
  ] as const)('answers %s about %s with %i', async (who, whom, status, body) => {
    const id = whom === 'guest' ? world.users.guest.id : 999999
    const answer = await world.as(who).get(`/users/${id}/associations_count`)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })
})
