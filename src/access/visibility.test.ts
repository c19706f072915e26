import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../test/kit/merge-requests.ts'
import { newWorld, type Who, type World } from '../../test/kit/world.ts'
import { findProject } from '../subjects/project.ts'
import { actorUserFromUser } from '../subjects/user.ts'
import { type Actor, anonymous } from './actor.ts'
import { Level } from './level.ts'
import { canSeeProject, visibleProjectCondition } from './visibility.ts'

type Group = { id: number }

let world: World
const actors: [string, Actor][] = []
beforeAll(async () => {
  world = await newWorld()
  const actorOf = (user: Parameters<typeof actorUserFromUser>[0]): Actor => ({
    user: actorUserFromUser(user),
    token: undefined,
  })
  const { user: external } = await world.newUser({ external: true })
  const { user: admin } = await world.newUser({ is_admin: true })
  const { user: stranger } = await world.newUser()
  const { user: guest } = await world.newUser()
  const { user: minimal } = await world.newUser()
  await world.as('owner').post(`/projects/${world.projects.shut.id}/members`, {
    user_id: guest.id,
    access_level: Level.guest,
  })
  const { id: namespace_id } = world.groups.shut
  await world.app.db
    .insertInto('namespace_access')
    .values({ user_id: minimal.id, namespace_id, access_level: Level.minimal })
    .execute()
  actors.push(
    ['nobody', anonymous],
    ['an external user', actorOf(external)],
    ['a stranger', actorOf(stranger)],
    ['a member with minimal access', actorOf(minimal)],
    ['a guest', actorOf(guest)],
    ['an administrator', actorOf(admin)],
  )
})

describe('who sees a project', () => {
  it('is the same for one at hand and in SQL', async () => {
    const { db } = world.app
    const seen: string[] = []
    for (const visibility of ['private', 'internal', 'public'] as const) {
      const { id } = world.projects.shut
      await db.updateTable('projects').set({ visibility }).where('id', '=', id).execute()
      for (const [who, actor] of actors) {
        const found = await findProject(db, actor, { id })
        if (!found) throw new Error('The project is gone.')
        const isSeen = canSeeProject(actor, found)
        const row = await db
          .selectFrom('projects')
          .select('projects.id')
          .where('projects.id', '=', id)
          .where(visibleProjectCondition(actor))
          .executeTakeFirst()
        expect([who, visibility, row !== undefined]).toEqual([who, visibility, isSeen])
        if (isSeen) seen.push(`${visibility}: ${who}`)
      }
    }
    expect(seen).toEqual([
      'private: a guest',
      'private: an administrator',
      'internal: a stranger',
      'internal: a member with minimal access',
      'internal: a guest',
      'internal: an administrator',
      'public: nobody',
      'public: an external user',
      'public: a stranger',
      'public: a member with minimal access',
      'public: a guest',
      'public: an administrator',
    ])
  })
})

describe('a membership', () => {
  it('counts for its own user, project and level in lists', async () => {
    const group = await world.newGroup({ visibility: 'public' })
    const [one, two] = [await world.newProject({ group }), await world.newProject({ group })]
    for (const { id } of [one, two]) {
      const body = { title: `hidden in ${id}`, confidential: true }
      await world.as('admin').post(`/projects/${id}/issues`, body)
    }
    const seenBy = async (source: string, access_level: number) => {
      const { user, client } = await world.newUser()
      await world.as('admin').post(`${source}/members`, { user_id: user.id, access_level })
      const issues = (await client.get(`/groups/${group.id}/issues`)).json()
      return issues.map(({ project_id }: { project_id: number }) => project_id).toSorted()
    }
    expect(await seenBy(`/projects/${one.id}`, Level.guest)).toEqual([])
    expect(await seenBy(`/projects/${one.id}`, Level.reporter)).toEqual([one.id])
    expect(await seenBy(`/groups/${group.id}`, Level.guest)).toEqual([])
    expect(await seenBy(`/groups/${group.id}`, Level.reporter)).toEqual([one.id, two.id])
    const { client } = await world.newUser()
    expect((await client.get(`/groups/${group.id}/issues`)).json()).toEqual([])
  })

  it('of a project shows the groups above it to its own user alone', async () => {
    const top = await world.newGroup()
    const project = await world.newProject({ group: await world.newGroup({ parent: top }) })
    const member = await world.newUser()
    const body = { user_id: member.user.id, access_level: Level.guest }
    await world.as('admin').post(`/projects/${project.id}/members`, body)
    const found = async (client: typeof member.client) =>
      (await client.get(`/groups?search=${top.path}`)).json().map(({ id }: Group) => id)
    expect(await found(member.client)).toEqual([top.id])
    const other = await world.newProject({ group: await world.newGroup() })
    const seen = async (list: string) =>
      (await member.client.get(`${list}?per_page=100`)).json().map(({ id }: Group) => id)
    expect(await seen('/groups')).not.toContain(other.namespace_id)
    expect(await seen('/projects')).not.toContain(other.id)
    expect(await seen('/projects')).toContain(project.id)
    for (const who of ['outsider', 'anonymous'] as const)
      expect(await found(world.as(who))).toEqual([])
    const statuses = async ({ id }: Group) => {
      const clients = [
        member.client,
        world.as('admin'),
        world.as('outsider'),
        world.as('anonymous'),
      ]
      const asked = clients.map(async (client) => (await client.get(`/groups/${id}`)).statusCode)
      return Promise.all(asked)
    }
    expect(await statuses(top)).toEqual([200, 200, 404, 404])
    expect(await statuses(world.groups.inside)).toEqual([200, 200, 200, 404])
    expect(await statuses(world.groups.open)).toEqual([200, 200, 200, 200])
  })
})

describe('Lists of issues and merge requests', () => {
  type Client = ReturnType<World['as']>
  const isListed = async (client: Client, list: string, { id }: { id: number }) =>
    (await client.get(`${list}?scope=all&per_page=100`))
      .json()
      .some(({ project_id }: { project_id: number }) => project_id === id)
  const callers: readonly Who[] = ['anonymous', 'outsider', 'guest', 'reporter', 'admin']
  const seen = (list: string, project: { id: number }) =>
    Promise.all(callers.map((who) => isListed(world.as(who), list, project)))

  it('show what the access levels of the project open to the caller', async () => {
    const { project, url } = await newBranches(world, { options: { group: world.groups.open } })
    await newRequest(world, { url })
    await world.as('owner').post(`/projects/${project.id}/issues`, { title: 'one' })
    const set = (feature: string, access: string) =>
      world.as('owner').put(`/projects/${project.id}`, { [`${feature}_access_level`]: access })
    for (const feature of ['issues', 'merge_requests']) {
      expect(await seen(`/${feature}`, project)).toEqual([true, true, true, true, true])
      await set(feature, 'private')
      expect(await seen(`/${feature}`, project)).toEqual([false, false, true, true, true])
      await set(feature, 'disabled')
      expect(await seen(`/${feature}`, project)).toEqual([false, false, false, false, false])
      await set(feature, 'enabled')
    }
    await set('repository', 'private')
    expect(await seen('/merge_requests', project)).toEqual([false, false, false, true, true])
    await set('repository', 'disabled')
    expect(await seen('/merge_requests', project)).toEqual([false, false, false, false, false])
    expect(await seen('/issues', project)).toEqual([true, true, true, true, true])
  })

  it('show merge requests of private projects to Reporters, of internal ones to no external user', async () => {
    const hidden = await newBranches(world)
    const inside = await newBranches(world, { options: { group: world.groups.inside } })
    for (const place of [hidden, inside]) await newRequest(world, place)
    expect(await seen('/merge_requests', hidden.project)).toEqual([false, false, false, true, true])
    expect(await seen('/merge_requests', inside.project)).toEqual([false, true, true, true, true])
    const one = await world.as('guest').get(`${hidden.url}/1`)
    expect([one.statusCode, one.json()]).toEqual([404, { message: '404 Merge Request Not Found' }])
    const { client } = await world.newUser({ external: true })
    expect(await isListed(client, '/merge_requests', inside.project)).toBe(false)
  })

  it('show a confidential issue to its assignees and Reporters', async () => {
    const project = await world.newProject()
    const { id: assignee_id } = world.users.guest
    const url = `/projects/${project.id}/issues`
    await world.as('owner').post(url, { title: 'one', assignee_id })
    await world.as('owner').put(`${url}/1`, { confidential: true })
    const other = await world.newUser()
    const member = { user_id: other.user.id, access_level: Level.guest }
    await world.as('owner').post(`/projects/${project.id}/members`, member)
    expect(await seen('/issues', project)).toEqual([false, false, true, true, true])
    expect(await isListed(other.client, '/issues', project)).toBe(false)
    expect((await other.client.get(`${url}/1`)).statusCode).toBe(404)
  })
})
