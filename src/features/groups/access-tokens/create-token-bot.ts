// Creates the bot user of a project or group access token (docs/api/access-tokens.md, "Bots").
import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { timestamp } from '../../../kernel/clock.ts'
import type { User } from '../../../subjects/user.ts'
import type { AuditSource } from '../../basics/audit-events/audit-event.ts'
import { createUser } from '../../people/users/create-user.ts'
import { type AccessTokenOwner, findTakenUsernames } from './access-token.store.ts'

/** The number of usernames that one query checks. */
const names_at_once = 50

/** Creates a bot in the caller's transaction. Other transactions wait with creating one until it ends. */
export async function createTokenBot(
  { db, clock }: AuditSource,
  owner: AccessTokenOwner,
  { name, host, external }: { name: string; host: string; external: boolean },
): Promise<User> {
  await lockAccessRecomputation(db)
  const username = await findFreeName(db, `${owner.kind}_${owner.id}_bot`)
  return createUser(db, clock, {
    username,
    name,
    email: `${username}@noreply.${host}`,
    user_type: 'bot',
    external,
    can_create_group: false,
    projects_limit: 0,
    confirmed_at: timestamp(clock),
  })
}

/** Returns the first free username of `project_7_bot`, `project_7_bot1` and so on. */
async function findFreeName(db: Db, base: string): Promise<string> {
  for (let from = 0; ; from += names_at_once) {
    const names = Array.from({ length: names_at_once }, (_, at) => `${base}${from + at || ''}`)
    const taken = await findTakenUsernames(db, names)
    const free = names.find((name) => !taken.has(name))
    if (free) return free
  }
}
