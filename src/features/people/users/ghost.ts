// The ghost user, who owns the contributions of deleted users.
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { reassignContributions } from './ghost.store.ts'
import { ensureInternalUser } from './internal-user.ts'

/** Reassigns the contributions of a user that outlive them to the ghost user. */
export async function reassignContributionsToGhost(
  tx: Db,
  clock: Clock,
  userId: number,
): Promise<void> {
  const { id } = await ensureInternalUser(tx, clock, 'ghost')
  await reassignContributions(tx, { from: userId, to: id })
}
