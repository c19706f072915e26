import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteExpiredSessions } from './session.store.ts'

const sessions_max = 1000

/**
 * Removes sessions that have run out, and those of accounts that were blocked, which so stay ended when
 * an account is let in again. Recurring; doing it twice removes nothing more.
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
