import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../test/kit/world.ts'
import { findProject } from '../subjects/project.ts'
import { actorUserOf } from '../subjects/user.ts'
import { type Actor, anonymous } from './actor.ts'
import { canSeeProject, visibleProject } from './visibility.ts'

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
  await world.as('owner').post(`/projects/${world.projects.shut.id}/members`, {
    user_id: guest.id,
    access_level: 10,
  })
  actors.push(
    ['nobody', anonymous],
    ['an external user', actorOf(external)],
    ['a stranger', actorOf(stranger)],
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
      'internal: a guest',
      'internal: an administrator',
      'public: nobody',
      'public: an external user',
      'public: a stranger',
      'public: a guest',
      'public: an administrator',
    ])
  })
})
