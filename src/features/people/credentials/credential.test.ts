import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { actorUserFromUser, findUser } from '../../../subjects/user.ts'
import { reloadActor } from './credential.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

/** A user of their own, as an actor without a credential. */
async function newActor() {
  const { user } = await world.newUser()
  const found = await findUser(world.app.db, user.id)
  if (!found) throw new Error(`User ${user.id} was not found.`)
  return { user: actorUserFromUser(found), token: undefined }
}

const uses = () => ({ db: world.app.db, clock: world.app.clock.now })

describe('reloadActor', () => {
  it('reloads the user a task acts for, until they are blocked', async () => {
    const actor = { ...(await newActor()), isTask: true as const }
    expect(await reloadActor(uses(), actor)).toEqual(actor)
    await world.as('admin').post(`/users/${actor.user.id}/block`)
    const text = 'Your account has been blocked.'
    expect(await reloadActor(uses(), actor)).toEqual({ kind: 'barred', text })
  })

  it('finds nobody a task acts for where the user was removed', async () => {
    const { user } = await newActor()
    const actor = { user: { ...user, id: 0 }, token: undefined, isTask: true as const }
    expect(await reloadActor(uses(), actor)).toEqual({ kind: 'gone' })
  })

  it('fails for a user who came by nothing', async () => {
    const actor = await newActor()
    await expect(reloadActor(uses(), actor)).rejects.toThrow('cannot be rechecked')
  })
})
