import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteExpiredOauthDevices } from './oauth-code.store.ts'
import { deleteExpiredTokensAndCodes } from './oauth-token.store.ts'

/** Deletes rows that expired long ago. Recurring; safe to repeat. */
export async function removeExpiredOauthRows({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  const { kept_ms, kept_device_ms, removed_max } = limits.oauth
  const ago = (span_ms: number) => new Date(clock().getTime() - span_ms).toISOString()
  await deleteExpiredTokensAndCodes(db, { before: ago(kept_ms), limit: removed_max })
  // Anyone who knows an application's id can create these rows, so they are deleted early.
  await deleteExpiredOauthDevices(db, { before: ago(kept_device_ms), limit: removed_max })
}

export const oauthTasks = [
  defineTask({
    name: 'remove-ended-grants',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeExpiredOauthRows,
  }),
]
