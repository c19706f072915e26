import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const url = '/security/projects'

/** A Developer of the group with these many projects, all of which are on their dashboard. */
async function newDashboard(count: number) {
  const group = await world.newMemberedGroup()
  const { user, client } = await world.newUser()
  await world.as('owner').post(`/groups/${group.id}/members`, {
    user_id: user.id,
    access_level: 30,
  })
  const projects: Project[] = []
  for (let made = 0; made < count; made++) projects.push(await world.newProject({ group }))
  for (const { id } of projects) await client.post(url, { project_id: id })
  const ids = async (query = '') =>
    (await client.get(`${url}${query}`)).json().map(({ id }: { id: number }) => id)
  return { group, user, client, projects, ids }
}

describe('The security dashboard', () => {
  it('has the projects its user chose, as the simple records of lists', async () => {
    const { client, projects } = await newDashboard(0)
    expect(projects).toEqual([])
    const { id } = world.projects.shut
    const added = await world.as('developer').post(url, { project_id: id })
    const [simple] = (await world.as('developer').get('/projects?simple=true')).json()
    expect([added.statusCode, added.json()]).toEqual([201, simple])
    const listed = await world.as('developer').get(url)
    expect([listed.statusCode, listed.json()]).toEqual([200, [simple]])
    expect((await client.get(url)).json()).toEqual([])
    const removed = await world.as('developer').delete(`${url}/${id}`)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expect((await world.as('developer').get(url)).json()).toEqual([])
  })

  it('is listed in pages, in the order in which projects were chosen', async () => {
    const { client, group, projects, ids } = await newDashboard(3)
    const [first, second, third] = projects.map(({ id }) => id)
    // Somebody else who chose another project of the group.
    const { id: project_id } = await world.newProject({ group })
    expect((await world.as('owner').post(url, { project_id })).statusCode).toBe(201)
    await client.delete(`${url}/${first}`)
    await client.post(url, { project_id: first })
    expect(await ids()).toEqual([second, third, first])
    const page = await client.get(`${url}?per_page=1&page=2`)
    expect(page.json()).toMatchObject([{ id: third }])
    expect(page.headers).toMatchObject({ 'x-total': '3', 'x-page': '2', 'x-total-pages': '3' })
  })

  it('takes as many queries for many projects as for one', async () => {
    const one = await newDashboard(1)
    const many = await newDashboard(6)
    const count = async ({ client }: typeof one) => {
      await client.get(url)
      return (await world.app.count(() => client.get(url))).queries
    }
    expect(await count(many)).toBe(await count(one))
  })

  it('takes a project by its full path', async () => {
    const { client, projects, ids } = await newDashboard(1)
    const [project] = projects
    await client.delete(`${url}/${project?.id}`)
    const added = await client.post(url, { project_id: project?.full_path })
    expect([added.statusCode, await ids()]).toEqual([201, [project?.id]])
  })

  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 401],
    ['outsider', 'open', 403],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 403],
    ['developer', 'open', 201],
    ['maintainer', 'shut', 201],
    ['admin', 'shut', 201],
  ] as const)('is added to by %s of the %s project with %i', async (who: Who, place, status) => {
    const project_id = world.projects[place].id
    const answer = await world.as(who).post(url, { project_id })
    expect(answer.statusCode).toBe(status)
    if (who === 'anonymous') return
    const listed = (await world.as(who).get(url)).json()
    const has = listed.some(({ id }: { id: number }) => id === project_id)
    expect(has).toBe(status === 201)
  })

  it.each([
    [{}, 400, { error: 'project_id is missing' }],
    [{ project_id: 99_999_999 }, 404, { message: '404 Project Not Found' }],
    [{ project_id: 'no/where' }, 404, { message: '404 Project Not Found' }],
  ])('is not added to with %j', async (body, status, problem) => {
    const { client } = await newDashboard(0)
    const answer = await client.post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([status, problem])
  })

  it('has a project once', async () => {
    const { client, projects, ids } = await newDashboard(1)
    const again = await client.post(url, { project_id: projects[0]?.id })
    const problem = { message: { project: ['has already been added'] } }
    expect([again.statusCode, again.json()]).toEqual([400, problem])
    expect(await ids()).toEqual([projects[0]?.id])
  })

  it('has as many projects as there may be, and no more', async () => {
    const { client, user, group, projects } = await newDashboard(1)
    const others = Array.from({ length: 999 }, (_, at) => 10_000_000 + at)
    const like = await world.app.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', projects[0]?.id ?? 0)
      .executeTakeFirstOrThrow()
    const tokens = { runners_token: null, runners_token_digest: null }
    const chosen = { user_id: user.id, created_at: like.created_at }
    for (let start = 0; start < others.length; start += 100) {
      const some = others.slice(start, start + 100)
      const rows = some.map((id) => ({ ...like, ...tokens, id, name: `p${id}`, path: `p${id}` }))
      await world.app.db.insertInto('projects').values(rows).execute()
      await world.app.db
        .insertInto('security_dashboard_projects')
        .values(some.map((project_id) => ({ ...chosen, project_id })))
        .execute()
    }
    const project_id = (await world.newProject({ group })).id
    const refused = await client.post(url, { project_id })
    const problem = { message: { base: ['Maximum number of projects (1000) exceeded'] } }
    expect([refused.statusCode, refused.json()]).toEqual([400, problem])
    expect((await world.as('owner').post(url, { project_id })).statusCode).toBe(201)
    await client.delete(`${url}/${others[0]}`)
    expect((await client.post(url, { project_id })).statusCode).toBe(201)
  })

  it('leaves out what its user may no longer read, and shows it again once they may', async () => {
    const { user, client, group, projects, ids } = await newDashboard(2)
    const [first, second] = projects.map(({ id }) => id)
    const owner = world.as('owner')
    const disabled = { security_and_compliance_access_level: 'disabled' }
    await owner.put(`/projects/${first}`, disabled)
    expect(await ids()).toEqual([second])
    const member = `/groups/${group.id}/members/${user.id}`
    await owner.put(member, { access_level: 20 })
    const listed = await client.get(url)
    expect([listed.json(), listed.headers['x-total']]).toEqual([[], '0'])
    await owner.put(member, { access_level: 30 })
    expect(await ids()).toEqual([second])
  })

  it.each([
    ['99999999', 404, { message: '404 Project Not Found' }],
    ['x%2Fy', 400, { error: 'project_id is invalid' }],
  ])('has no project %s to remove', async (id, status, problem) => {
    const { client, projects, ids } = await newDashboard(1)
    const answer = await client.delete(`${url}/${id}`)
    expect([answer.statusCode, answer.json()]).toEqual([status, problem])
    expect(await ids()).toEqual([projects[0]?.id])
  })

  it("is nobody else's to remove from", async () => {
    const { projects, ids } = await newDashboard(1)
    const answer = await world.as('admin').delete(`${url}/${projects[0]?.id}`)
    expect(answer.statusCode).toBe(404)
    const anonymous = await world.as('anonymous').delete(`${url}/${projects[0]?.id}`)
    expect(anonymous.statusCode).toBe(401)
    expect(await ids()).toEqual([projects[0]?.id])
  })

  it('may still be cleared of a project its user no longer sees', async () => {
    const { client, user, group, projects } = await newDashboard(1)
    await world.as('owner').delete(`/groups/${group.id}/members/${user.id}`)
    expect((await client.delete(`${url}/${projects[0]?.id}`)).statusCode).toBe(204)
    expect((await client.delete(`${url}/${projects[0]?.id}`)).statusCode).toBe(404)
  })

  it('is listed for whoever signed in', async () => {
    const answer = await world.as('anonymous').get(url)
    expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })

  it('is an unknown route below ultimate', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'premium' })
    const answer = await app.client(rootToken).get(url)
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
    await app.close()
  })
})
