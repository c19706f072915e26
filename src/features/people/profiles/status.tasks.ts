import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteExpiredUserStatuses } from './status.store.ts'

/** Deletes expired statuses. Recurring; safe to repeat. */
export async function removeExpiredUserStatuses({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  await deleteExpiredUserStatuses(db, timestamp(clock))
}

export const statusTasks = [
  defineTask({
    name: 'remove-cleared-statuses',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeExpiredUserStatuses,
  }),
]
