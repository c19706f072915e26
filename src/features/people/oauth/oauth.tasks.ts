import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteEnded } from './oauth-token.store.ts'

/** Forgets what ended long ago. Recurring; doing it twice removes nothing more. */
export async function removeEndedGrants({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const { kept_ms, removed_max } = limits.oauth
  const before = new Date(clock().getTime() - kept_ms).toISOString()
  await deleteEnded(db, { before, limit: removed_max })
}

export const oauthTasks = [
  defineTask({
    name: 'remove-ended-grants',
    lane: 'expiry',
    every_ms: 10 * 60_000,
    run: removeEndedGrants,
  }),
]
