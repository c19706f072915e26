import type { Db } from '../../../db/db.ts'
import { lower } from '../../../db/dialect.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { User } from '../../../subjects/user.ts'
import { createUser } from './create-user.ts'

/** How many names are tried before the fault is somewhere else. */
const names_max = 1000

/**
 * The user who has what removed users contributed; made when first needed, under the first free name of
 * `ghost`, `ghost1` and so on. It never signs in: it has no password, and its address is never confirmed,
 * so that standingProblem bars whatever else an administrator may give it. To be called under lockAccess.
 */
export async function getGhost(tx: Db, clock: Clock): Promise<User> {
  const ghost = await tx
    .selectFrom('users')
    .selectAll()
    .where('user_type', '=', 'ghost')
    .executeTakeFirst()
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
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where((eb) =>
        eb.or([eb(lower('username'), '=', name), eb(lower('email'), '=', `${name}@example.com`)]),
      )
      .executeTakeFirst()
    const route = await tx
      .selectFrom('routes')
      .select('path')
      .where(lower('path'), '=', name)
      .executeTakeFirst()
    if (!user && !route) return name
  }
  throw new Error('There is no name left for the ghost user.')
}

/** Gives the ghost whatever names the user and outlives them. */
export async function moveContributions(tx: Db, clock: Clock, userId: number): Promise<void> {
  const { id } = await getGhost(tx, clock)
  await tx
    .updateTable('commit_comments')
    .set({ author_id: id })
    .where('author_id', '=', userId)
    .execute()
  await tx
    .updateTable('projects')
    .set({ creator_id: id })
    .where('creator_id', '=', userId)
    .execute()
  for (const table of ['pipelines', 'jobs'] as const) {
    await tx.updateTable(table).set({ user_id: id }).where('user_id', '=', userId).execute()
  }
}
