// Users of the server itself: nobody signs in as them, deletes or deactivates them.
import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InternalUserType, User } from '../../../subjects/user.ts'
import { createUser } from './create-user.ts'
import { findInternalUser, isUsernameFree } from './internal-user.store.ts'

/** How many names are tried before giving up. */
const names_max = 1000

const whoTheyAre: Record<InternalUserType, { username: string; name: string; bio: string }> = {
  ghost: {
    username: 'ghost',
    name: 'Ghost User',
    bio: 'This is a "Ghost User", created to hold all contributions of users that have since been removed.',
  },
  alert_bot: {
    username: 'alert-bot',
    name: 'Alert Bot',
    bio: 'Opens and closes incidents of alerts.',
  },
}

/**
 * Returns the internal user of that type, which is created at first use, with the first free name of `ghost`, `ghost1` and
 * so on. It can never sign in: it has no password, and its email address is never confirmed, so findAccountProblem refuses
 * it whatever an administrator sets. Runs in the caller's transaction.
 */
export async function ensureInternalUser(
  tx: Db,
  clock: Clock,
  user_type: InternalUserType,
): Promise<User> {
  const known = await findInternalUser(tx, user_type)
  if (known) return known
  // The lock prevents concurrent creation of the user and use of its name until the transaction ends.
  await lockAccessRecomputation(tx)
  const made = await findInternalUser(tx, user_type)
  if (made) return made
  const { username: wanted, name, bio } = whoTheyAre[user_type]
  const username = await findFreeName(tx, wanted)
  return createUser(tx, clock, {
    username,
    name,
    email: `${username}@example.com`,
    user_type,
    bio,
    can_create_group: false,
    projects_limit: 0,
    confirmed_at: null,
  })
}

async function findFreeName(tx: Db, wanted: string): Promise<string> {
  for (let at = 0; at < names_max; at++) {
    const name = at === 0 ? wanted : `${wanted}${at}`
    if (await isUsernameFree(tx, name)) return name
  }
  throw new Error(`All user names derived from ${wanted} are taken.`)
}
