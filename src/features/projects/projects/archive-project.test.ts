import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('POST /projects/:id/archive and unarchive', () => {
  it.each([
    ['anonymous', 'open', 401, '401 Unauthorized'],
    ['anonymous', 'shut', 404, '404 Project Not Found'],
    ['outsider', 'shut', 404, '404 Project Not Found'],
    ['developer', 'shut', 403, '403 Forbidden'],
    ['maintainer', 'shut', 403, '403 Forbidden'],
  ] as const)('answer %s of the %s project with %i', async (who, place, status, message) => {
    for (const action of ['archive', 'unarchive']) {
      const answer = await world.as(who).post(`/projects/${world.projects[place].id}/${action}`)
      expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
    }
  })

  it('answer the record, as often as they are asked', async () => {
    const { id } = await world.newProject()
    const before = (await world.as('owner').get(`/projects/${id}`)).json()
    for (const _ of [1, 2]) {
      const archived = await world.as('owner').post(`/projects/${id}/archive`)
      expect(archived.statusCode).toBe(201)
      expect(archived.json()).toEqual({
        ...before,
        archived: true,
        can_create_merge_request_in: false,
      })
    }
    const listed = (await world.as('owner').get('/projects?archived=true&simple=true')).json()
    expect(listed.map((item: { id: number }) => item.id)).toContain(id)
    const unarchived = await world.as('owner').post(`/projects/${id}/unarchive`)
    expect([unarchived.statusCode, unarchived.json()]).toEqual([201, before])
  })
})

describe('An archived project', () => {
  const write = { branch: 'main', commit_message: 'm' }
  it.each([
    ['post', 'repository/commits', { ...write, actions: [{ action: 'create', file_path: 'b' }] }],
    ['post', 'repository/commits/main/cherry_pick', { branch: 'main' }],
    ['post', 'repository/commits/main/revert', { branch: 'main' }],
    ['post', 'repository/commits/main/comments', { note: 'n' }],
    ['post', 'statuses/main', { state: 'success' }],
    ['post', 'repository/files/b', { ...write, content: 'b' }],
    ['put', 'repository/files/a', { ...write, content: 'b' }],
    ['delete', 'repository/files/a', write],
    ['post', 'repository/branches', { branch: 'new', ref: 'main' }],
    ['delete', 'repository/branches/topic', {}],
    ['delete', 'repository/merged_branches', {}],
    ['put', 'repository/branches/main/protect', {}],
    ['put', 'repository/branches/main/unprotect', {}],
    ['post', 'repository/tags', { tag_name: 'v1', ref: 'main' }],
    ['delete', 'repository/tags/v0', {}],
    ['post', 'protected_branches', { name: 'topic' }],
    ['patch', 'protected_branches/main', { code_owner_approval_required: true }],
    ['delete', 'protected_branches/main', {}],
    ['post', 'labels', { name: 'bug', color: '#abc' }],
    ['post', 'boards', { name: 'Plan' }],
    ['post', 'milestones', { title: '1.0' }],
    ['post', 'protected_environments', { name: 'e', deploy_access_levels: [{ access_level: 40 }] }],
    ['delete', 'artifacts', {}],
  ] as const)('refuses %s %s to its owner and to administrators', async (method, path, body) => {
    const { id } = await archived()
    for (const who of ['owner', 'admin'] as const) {
      const answer = await world.as(who)[method](`/projects/${id}/${path}`, body)
      expect([answer.statusCode, answer.json().message]).toEqual([
        403,
        expect.stringMatching(/^(403 Forbidden|You are not allowed to push into this branch)/),
      ])
    }
  })

  it('is read, starred, renamed, and given members as ever', async () => {
    const { id } = await archived()
    const owner = world.as('owner')
    expect((await owner.get(`/projects/${id}/repository/tree`)).statusCode).toBe(200)
    expect((await owner.get(`/projects/${id}/protected_branches`)).statusCode).toBe(200)
    expect((await owner.post(`/projects/${id}/star`)).statusCode).toBe(201)
    expect((await owner.put(`/projects/${id}`, { description: 'done' })).statusCode).toBe(200)
    const member = { user_id: world.users.outsider.id, access_level: 20 }
    expect((await owner.post(`/projects/${id}/members`, member)).statusCode).toBe(201)
  })

  it('refuses large files', async () => {
    const project = await archived()
    const basic = Buffer.from(`x:${world.token('owner')}`).toString('base64')
    const send = (operation: string) =>
      world.app.server.inject({
        method: 'POST',
        url: `/${project.full_path}.git/info/lfs/objects/batch`,
        headers: {
          authorization: `Basic ${basic}`,
          'content-type': 'application/vnd.git-lfs+json',
        },
        payload: JSON.stringify({ operation, objects: [{ oid: 'a'.repeat(64), size: 1 }] }),
      })
    expect((await send('upload')).statusCode).toBe(403)
    expect((await send('download')).statusCode).toBe(200)
  })

  it('takes commits again once it is unarchived', async () => {
    const { id } = await archived()
    await world.as('owner').post(`/projects/${id}/unarchive`)
    const body = { branch: 'new', ref: 'main' }
    const answer = await world.as('owner').post(`/projects/${id}/repository/branches`, body)
    expect(answer.statusCode).toBe(201)
  })
})

/** A project with files, a branch and a tag that are of no more use. */
async function archived() {
  const project = await world.newProject({ files: { a: 'a' } })
  await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
  const tag = { tag_name: 'v0', ref: 'main' }
  await world.as('owner').post(`/projects/${project.id}/repository/tags`, tag)
  const answer = await world.as('owner').post(`/projects/${project.id}/archive`)
  expect(answer.statusCode).toBe(201)
  return project
}
