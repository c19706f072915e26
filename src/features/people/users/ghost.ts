import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { User } from '../../../subjects/user.ts'
import { createUser } from './create-user.ts'
import { findGhost, giveContributions, isFree } from './ghost.store.ts'

/** How many names are tried before the fault is somewhere else. */
const names_max = 1000

/**
 * The user who has what removed users contributed; made when first needed, under the first free name of
 * `ghost`, `ghost1` and so on. It never signs in: it has no password, and its address is never confirmed,
 * so that standingProblem bars whatever else an administrator may give it. To be called under lockAccess.
 */
export async function getGhost(tx: Db, clock: Clock): Promise<User> {
  const ghost = await findGhost(tx)
  if (ghost) return ghost
  const username = await findFreeName(tx)
  return createUser(tx, clock, {
    username,
    name: 'Ghost User',
    email: `${username}@example.com`,
    user_type: 'ghost',
    bio: 'This is a "Ghost User", created to hold all contributions of users that have since been removed.',
    can_create_group: false,
    projects_limit: 0,
    confirmed_at: null,
  })
}

async function findFreeName(tx: Db): Promise<string> {
  for (let at = 0; at < names_max; at++) {
    const name = at === 0 ? 'ghost' : `ghost${at}`
    if (await isFree(tx, name)) return name
  }
  throw new Error('There is no name left for the ghost user.')
}

/** Gives the ghost whatever names the user and outlives them. */
export async function moveContributions(tx: Db, clock: Clock, userId: number): Promise<void> {
  const { id } = await getGhost(tx, clock)
  await giveContributions(tx, { from: userId, to: id })
}
