import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Namespace } from '../../../subjects/namespace.ts'

let world: World
let guests: Namespace
beforeAll(async () => {
  world = await newWorld()
})
beforeEach(async () => {
  guests = await world.newGroup({ visibility: 'public' })
})

const forbidden = { message: '403 Forbidden' }

describe.each(['groups', 'projects'] as const)('POST and DELETE /%s/:id/share', (kind) => {
  const urlOf = (place: 'open' | 'shut') => `/${kind}/${world[kind][place].id}/share`

  it.each([
    ['anonymous', 'open', 401, 401],
    ['anonymous', 'shut', 404, 404],
    ['outsider', 'open', 403, 403],
    ['outsider', 'shut', 404, 404],
    ['developer', 'shut', 403, 403],
    ['maintainer', 'shut', kind === 'groups' ? 403 : 201, kind === 'groups' ? 403 : 204],
    ['owner', 'shut', 201, 204],
    ['admin', 'shut', 201, 204],
  ] as const)('answer %s of the %s one with %i and %i', async (who, place, made, ended) => {
    const body = { group_id: guests.id, group_access: 10 }
    const post = await world.as(who).post(urlOf(place), body)
    expect(post.statusCode).toBe(made)
    if (made === 403) expect(post.json()).toEqual(forbidden)
    if (made !== 201) await world.as('admin').post(urlOf(place), body)
    const end = await world.as(who).delete(`${urlOf(place)}/${guests.id}`)
    expect(end.statusCode).toBe(ended)
    if (ended === 204) expect(end.body).toBe('')
  })

  it('gives the group’s members the lower of both levels, until it ends', async () => {
    const { user, client } = await world.newUser()
    const member = { user_id: user.id, access_level: 40 }
    await world.as('admin').post(`/groups/${guests.id}/members`, member)
    const url = `/${kind}/${world[kind].shut.id}`
    const inside = `/${kind}/${world[kind].inside.id}`
    expect((await client.get(url)).statusCode).toBe(404)
    const body = { group_id: guests.id, group_access: 20 }
    await world.as('owner').post(`${inside}/share`, body)
    await world.as('owner').post(`${url}/share`, body)
    const row = await client.get(`${url}/members/all/${user.id}`)
    expect(row.json()).toMatchObject({ id: user.id, access_level: 20 })
    await world.as('owner').delete(`${url}/share/${guests.id}`)
    expect((await client.get(url)).statusCode).toBe(404)
    const again = await world.as('owner').delete(`${url}/share/${guests.id}`)
    expect([again.statusCode, again.json()]).toEqual([404, { message: '404 Group Link Not Found' }])
    // The invitation into another one stays.
    expect((await client.get(`${inside}/members/all/${user.id}`)).statusCode).toBe(200)
    expect((await world.as('owner').delete(`${inside}/share/${guests.id}`)).statusCode).toBe(204)
  })

  it('refuses what is wrong', async () => {
    const hidden = await world.newGroup()
    const cases: [object, number, object][] = [
      [{}, 400, { error: 'group_id is missing, group_access is missing' }],
      [{ group_id: 'x', group_access: 10 }, 400, { error: 'group_id is invalid' }],
      [
        { group_id: guests.id, group_access: 15 },
        400,
        { error: 'group_access does not have a valid value' },
      ],
      [
        { group_id: guests.id, group_access: 10, expires_at: '2026-02-28' },
        400,
        { message: { expires_at: ['cannot be a date in the past'] } },
      ],
      [{ group_id: hidden.id, group_access: 10 }, 404, { message: 'Not Found' }],
      [{ group_id: 999999, group_access: 10 }, 404, { message: 'Not Found' }],
    ]
    for (const [body, status, expected] of cases) {
      const answer = await world.as('owner').post(urlOf('shut'), body)
      expect([answer.statusCode, answer.json()]).toEqual([status, expected])
    }
    const wrong = await world.as('owner').delete(`${urlOf('shut')}/x`)
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'group_id is invalid' }])
  })

  it('leaves an invitation younger than If-Unmodified-Since', async () => {
    const body = { group_id: guests.id, group_access: 10 }
    await world.as('owner').post(urlOf('shut'), body)
    const headers = { 'if-unmodified-since': 'Sun, 01 Mar 2026 11:00:00 GMT' }
    const url = `${urlOf('shut')}/${guests.id}`
    expect((await world.as('owner').delete(url, undefined, { headers })).statusCode).toBe(412)
  })

  it('stays within the hierarchy where the top group says so', async () => {
    const top = await world.newGroup()
    const sub = await world.newGroup({ parent: top })
    const sibling = await world.newGroup({ parent: top })
    const project = await world.newProject({ group: sub })
    const settings = { prevent_sharing_groups_outside_hierarchy: true }
    await world.as('admin').put(`/groups/${top.id}`, settings)
    const url = kind === 'groups' ? `/groups/${sub.id}/share` : `/projects/${project.id}/share`
    const outside = { group_id: guests.id, group_access: 10 }
    const answer = await world.as('admin').post(url, outside)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not Found' }])
    const within = { group_id: sibling.id, group_access: 10 }
    expect((await world.as('admin').post(url, within)).statusCode).toBe(201)
  })
})

describe('POST /groups/:id/share', () => {
  it('answers the group, and the caller sees whom they may', async () => {
    const made = { name: 'x', path: `host-of-${guests.path}`, visibility: 'public' }
    const url = `/groups/${(await world.as('owner').post('/groups', made)).json().id}`
    const body = { group_id: guests.id, group_access: 30, expires_at: '2026-06-01' }
    const answer = await world.as('owner').post(`${url}/share`, body)
    expect(answer.statusCode).toBe(201)
    const shares = [
      {
        group_id: guests.id,
        group_name: guests.name,
        group_full_path: guests.full_path,
        group_access_level: 30,
        expires_at: '2026-06-01',
      },
    ]
    const group = (await world.as('owner').get(`${url}?with_projects=false`)).json()
    expect(answer.json()).toEqual(group)
    expect(group.shared_with_groups).toEqual(shares)
    const hidden = await world.newGroup()
    await world.as('admin').post(`${url}/share`, { group_id: hidden.id, group_access: 10 })
    const seen = (await world.as('anonymous').get(url)).json()
    expect(seen.shared_with_groups).toEqual(shares)
  })

  it('refuses a second time, and the group itself', async () => {
    const url = `/groups/${world.groups.shut.id}/share`
    const body = { group_id: guests.id, group_access: 30 }
    await world.as('owner').post(url, body)
    const again = await world.as('owner').post(url, body)
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { message: 'Shared group The group has already been shared with this group' },
    ])
    const itself = { group_id: world.groups.shut.id, group_access: 30 }
    expect((await world.as('owner').post(url, itself)).json()).toEqual({
      message: { shared_with_group_id: ['cannot be the group itself'] },
    })
  })
})

describe('POST /projects/:id/share', () => {
  it('answers the invitation, which the project shows', async () => {
    const project = await world.newProject()
    const body = { group_id: guests.id, group_access: 30, expires_at: '2026-06-01' }
    const answer = await world.as('maintainer').post(`/projects/${project.id}/share`, body)
    const hidden = { group_id: (await world.newGroup()).id, group_access: 10 }
    const second = await world.as('admin').post(`/projects/${project.id}/share`, hidden)
    expect(second.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      project_id: project.id,
      group_id: guests.id,
      group_access: 30,
      expires_at: '2026-06-01',
    })
    const shown = (await world.as('guest').get(`/projects/${project.id}`)).json()
    expect(shown.shared_with_groups).toEqual([
      {
        group_id: guests.id,
        group_name: guests.name,
        group_full_path: guests.full_path,
        group_access_level: 30,
        expires_at: '2026-06-01',
      },
    ])
    const again = await world.as('maintainer').post(`/projects/${project.id}/share`, body)
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { message: 'Group already shared with this group' },
    ])
  })

  it('lets a Maintainer neither give nor take more than their own level', async () => {
    const url = `/projects/${world.projects.shut.id}/share`
    const body = { group_id: guests.id, group_access: 50 }
    expect((await world.as('maintainer').post(url, body)).json()).toEqual(forbidden)
    expect((await world.as('owner').post(url, body)).statusCode).toBe(201)
    const end = await world.as('maintainer').delete(`${url}/${guests.id}`)
    expect(end.json()).toEqual(forbidden)
  })

  it('refuses in a group that is locked, there or above', async () => {
    const top = await world.newGroup()
    const sub = await world.newGroup({ parent: top })
    const project = await world.newProject({ group: sub })
    await world.as('admin').put(`/groups/${top.id}`, { share_with_group_lock: true })
    const body = { group_id: guests.id, group_access: 10 }
    const answer = await world.as('admin').post(`/projects/${project.id}/share`, body)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'The project sharing with group is disabled' },
    ])
  })

  it('refuses the group the project lies in', async () => {
    const url = `/projects/${world.projects.shut.id}/share`
    const body = { group_id: world.groups.shut.id, group_access: 10 }
    const answer = await world.as('owner').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { message: 'Project cannot be shared with the group it is in or one of its ancestors.' },
    ])
  })
})
