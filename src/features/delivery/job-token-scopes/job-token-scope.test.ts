import { beforeAll, describe, expect, it } from 'vitest'
import { takeFirstJob } from '../../../../test/kit/fake-runner.ts'
import { type GitWorld, newGitWorld, runRealGit } from '../../../../test/kit/git.ts'
import { newCiProject } from '../../../../test/kit/pipelines.ts'
import type { Who } from '../../../../test/kit/world.ts'

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

async function newScope() {
  const project = await world.newProject({ files: { a: 'a' } })
  return { project, url: `/projects/${project.id}/job_token_scope` }
}

describe('The job token scope of a project', () => {
  it('is shown and changed, with its lists', async () => {
    const { project, url } = await newScope()
    const client = world.as('maintainer')
    const scope = async () => (await client.get(url)).json()
    expect(await scope()).toEqual({ inbound_enabled: false, outbound_enabled: false })
    const enabled = await client.patch(url, { enabled: true })
    expect([enabled.statusCode, enabled.body]).toEqual([204, ''])
    expect(await scope()).toEqual({ inbound_enabled: true, outbound_enabled: false })
    expect((await client.patch(url, {})).json()).toEqual({ error: 'enabled is missing' })

    const other = await world.newProject()
    const target = { target_project_id: other.id }
    const added = await client.post(`${url}/allowlist`, target)
    const link = { source_project_id: project.id, ...target }
    expect([added.statusCode, added.json()]).toEqual([201, link])
    const again = await client.post(`${url}/allowlist`, target)
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { message: '400 Bad request - Target is already in the job token scope' },
    ])
    const listed = await client.get(`${url}/allowlist?per_page=5`)
    expect([listed.headers['x-total'], listed.json()]).toEqual([
      '2',
      [
        expect.objectContaining({ id: project.id, path_with_namespace: project.full_path }),
        expect.objectContaining({ id: other.id }),
      ],
    ])
    const one = `${url}/allowlist/${other.id}`
    expect((await client.delete(one)).statusCode).toBe(204)
    const gone = await client.delete(one)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Not Found' }])

    const group = await world.newMemberedGroup()
    const groups = `${url}/groups_allowlist`
    const addedGroup = await client.post(groups, { target_group_id: group.id })
    expect([addedGroup.statusCode, addedGroup.json()]).toEqual([
      201,
      { source_project_id: project.id, target_group_id: group.id },
    ])
    expect((await client.get(groups)).json()).toEqual([
      { id: group.id, web_url: `http://bloomery.test/groups/${group.full_path}`, name: group.name },
    ])
    expect((await client.delete(`${groups}/${group.id}`)).statusCode).toBe(204)
    expect((await client.get(groups)).json()).toEqual([])
  })

  it('lists nothing that the caller does not see', async () => {
    const { url } = await newScope()
    const hidden = await world.newGroup()
    const project = await world.newProject({ group: hidden })
    const client = world.as('maintainer')
    const refused = await client.post(`${url}/allowlist`, { target_project_id: project.id })
    expect([refused.statusCode, refused.json()]).toEqual([
      404,
      { message: '404 target_project_id not found Not Found' },
    ])
    const group = await client.post(`${url}/groups_allowlist`, { target_group_id: hidden.id })
    expect([group.statusCode, group.json()]).toEqual([
      404,
      { message: '404 target_group_id not found Not Found' },
    ])
  })

  it('is of one project, and its lists show what still exists and the caller may see', async () => {
    const [{ project, url }, other] = [await newScope(), await newScope()]
    const [owner, admin] = [world.as('owner'), world.as('admin')]
    const [group, leavingGroup] = [await world.newMemberedGroup(), await world.newMemberedGroup()]
    const hiddenGroup = await world.newGroup()
    const [seen, leaving] = [await world.newProject(), await world.newProject()]
    const hidden = await world.newProject({ group: hiddenGroup })
    for (const { id } of [seen, leaving, hidden]) {
      const added = await admin.post(`${url}/allowlist`, { target_project_id: id })
      expect(added.statusCode).toBe(201)
    }
    for (const { id } of [group, leavingGroup, hiddenGroup]) {
      const added = await admin.post(`${url}/groups_allowlist`, { target_group_id: id })
      expect(added.statusCode).toBe(201)
    }
    await owner.delete(`/projects/${leaving.id}`)
    await owner.delete(`/groups/${leavingGroup.id}`)
    const ids = async (path: string) =>
      (await owner.get(path)).json().map(({ id }: { id: number }) => id)
    expect(await ids(`${url}/allowlist`)).toEqual([project.id, seen.id])
    expect(await ids(`${url}/groups_allowlist`)).toEqual([group.id])
    expect((await admin.get(`${url}/groups_allowlist`)).json()).toMatchObject([
      { id: group.id },
      { id: hiddenGroup.id },
    ])
    expect(await ids(`${other.url}/allowlist`)).toEqual([other.project.id])
    expect(await ids(`${other.url}/groups_allowlist`)).toEqual([])

    expect((await owner.patch(url, { enabled: true })).statusCode).toBe(204)
    expect((await owner.get(other.url)).json().inbound_enabled).toBe(false)
    expect((await owner.delete(`${other.url}/allowlist/${seen.id}`)).statusCode).toBe(404)
    expect((await owner.delete(`${other.url}/groups_allowlist/${group.id}`)).statusCode).toBe(404)
    expect((await owner.delete(`${url}/allowlist/${seen.id}`)).statusCode).toBe(204)
    expect((await admin.get(`${url}/allowlist`)).json()).toMatchObject([
      { id: project.id },
      { id: hidden.id },
    ])
    expect(await ids(`${url}/groups_allowlist`)).toEqual([group.id])
    expect((await owner.delete(`${url}/groups_allowlist/${group.id}`)).statusCode).toBe(204)
    expect((await admin.get(`${url}/groups_allowlist`)).json()).toMatchObject([
      { id: hiddenGroup.id },
    ])
    expect(await ids(`${url}/allowlist`)).toEqual([project.id])
    expect((await admin.get(`${url}/allowlist`)).json()).toHaveLength(2)
  })

  it('lists 200 projects and groups at most', async () => {
    const [full, other] = [await newScope(), await newScope()]
    const target = { target_project_id: (await world.newProject()).id }
    const entry = { project_id: full.project.id, created_at: '2026-03-01T12:00:00.000Z' }
    const entries = Array.from({ length: 200 }, () => entry)
    await world.app.db.insertInto('job_token_allowlist').values(entries).execute()
    const refused = await world.as('owner').post(`${full.url}/allowlist`, target)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { message: '400 Bad request - Allowlist is limited to 200 entries' },
    ])
    const added = await world.as('owner').post(`${other.url}/allowlist`, target)
    expect(added.statusCode).toBe(201)
  })

  it.each([
    ['anonymous', 401],
    ['outsider', 404],
    ['developer', 403],
    ['maintainer', 200],
  ] as const)('answers %s with %i', async (who: Who, status) => {
    const { url } = await newScope()
    expect((await world.as(who).get(url)).statusCode).toBe(status)
    const changed = await world.as(who).patch(url, { enabled: true })
    expect(changed.statusCode).toBe(status === 200 ? 204 : status)
  })
})

describe('A job of another project', () => {
  async function open(group = world.groups.shut) {
    const target = await world.newProject({ group, files: { a: 'a' } })
    const caller = await newCiProject(world, { job: { script: 'true' } })
    const { job } = await takeFirstJob(world, caller)
    const url = `/projects/${target.id}/job_token_scope`
    const readsApi = async () => {
      const headers = { 'job-token': job.token }
      const path = `/projects/${target.id}/environments`
      return (await world.as('anonymous').get(path, { headers })).statusCode
    }
    const readsGit = async () => {
      const as = { username: 'gitlab-ci-token', password: job.token }
      return (await runRealGit(['ls-remote', world.remote(target, as)])).status === 0
    }
    await world.as('owner').patch(url, { enabled: true })
    return { caller, url, reads: async () => [await readsApi(), await readsGit()] }
  }

  it('reads the project by API and git as far as its allowlist says', async () => {
    const { caller, url, reads } = await open()
    const owner = world.as('owner')
    expect(await reads()).toEqual([404, false])
    // Nor does it when others are on the list, or when it is on the list of another project.
    const [another, group] = [await newScope(), await world.newMemberedGroup()]
    await world.newProject({ group })
    const mine = { target_project_id: caller.id }
    const ours = { target_group_id: caller.namespace_id }
    for (const [path, entry] of [
      [`${url}/allowlist`, { target_project_id: another.project.id }],
      [`${url}/groups_allowlist`, { target_group_id: group.id }],
      [`${another.url}/allowlist`, mine],
      [`${another.url}/groups_allowlist`, ours],
    ] as const)
      expect((await owner.post(path, entry)).statusCode).toBe(201)
    expect(await reads()).toEqual([404, false])
    await owner.post(`${url}/allowlist`, mine)
    expect(await reads()).toEqual([200, true])
    await owner.delete(`${url}/allowlist/${caller.id}`)
    expect(await reads()).toEqual([404, false])
    await owner.post(`${url}/groups_allowlist`, ours)
    expect(await reads()).toEqual([200, true])
    await owner.delete(`${url}/groups_allowlist/${caller.namespace_id}`)
    await owner.patch(url, { enabled: false })
    expect(await reads()).toEqual([200, true])
  })

  it('reads of a public project what strangers read', async () => {
    const { reads } = await open(world.groups.open)
    expect(await reads()).toEqual([200, true])
  })
})
