import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'

/** Removes statuses that are no longer shown. Recurring; doing it twice removes nothing more. */
export async function removeClearedStatuses({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): Promise<void> {
  const now = timestamp(clock)
  const cleared = await db
    .selectFrom('user_statuses')
    .select('user_id')
    .where('clear_status_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  // Most of the time there is nothing to clear, and then no writer is held.
  if (!cleared) return
  await db.deleteFrom('user_statuses').where('clear_status_at', '<=', now).execute()
}

export const statusTasks = [
  defineTask({
    name: 'remove-cleared-statuses',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeClearedStatuses,
  }),
]
