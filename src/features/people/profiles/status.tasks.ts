import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteClearedStatuses } from './status.store.ts'

/** Removes statuses that are no longer shown. Recurring; doing it twice removes nothing more. */
export async function removeClearedStatuses({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): Promise<void> {
  await deleteClearedStatuses(db, timestamp(clock))
}

export const statusTasks = [
  defineTask({
    name: 'remove-cleared-statuses',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeClearedStatuses,
  }),
]
