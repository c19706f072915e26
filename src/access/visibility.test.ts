import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import { findProject } from '../subjects/project.ts'
import { actorUserOf } from '../subjects/user.ts'
import { type Actor, anonymous } from './actor.ts'
import { Level } from './level.ts'
import { canSeeProject, visibleProject } from './visibility.ts'

type Group = { id: number }

let world: World
const actors: [string, Actor][] = []
beforeAll(async () => {
  world = await newWorld()
  const actorOf = (user: Parameters<typeof actorUserOf>[0]): Actor => ({
    user: actorUserOf(user),
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
          .where(visibleProject(actor))
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
    expect(await found(world.as('outsider'))).toEqual([])
  })
})
