import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'

const sessions_max = 1000

/**
 * Removes sessions that have run out, and those of accounts that were blocked, which so stay ended when
 * an account is let in again. Recurring; doing it twice removes nothing more.
 */
export async function removeEndedSessions({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const ended = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where((eb) =>
      eb.or([eb('sessions.expires_at', '<=', timestamp(clock)), eb('users.state', '!=', 'active')]),
    )
    .limit(sessions_max)
    .execute()
  // Most of the time there is nothing to remove, and then no writer is held.
  if (ended.length === 0) return
  await db
    .deleteFrom('sessions')
    .where(
      'id',
      'in',
      ended.map(({ id }) => id),
    )
    .execute()
}

export const sessionTasks = [
  defineTask({
    name: 'remove-ended-sessions',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeEndedSessions,
  }),
]
