import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteExpiredSessions } from './session.store.ts'

const sessions_max = 1000

/**
 * Deletes expired sessions and those of blocked accounts, so that they stay ended when the account is unblocked. Recurring;
 * safe to repeat.
 */
export async function removeExpiredSessions({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  await deleteExpiredSessions(db, { now: timestamp(clock), limit: sessions_max })
}

export const sessionTasks = [
  defineTask({
    name: 'remove-ended-sessions',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeExpiredSessions,
  }),
]
