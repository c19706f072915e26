// Limits emails to unconfirmed addresses, which may belong to strangers. They are counted in the database, since any
// node may send the next one.

import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'
import {
  countEmailsByAddress,
  countEmailsBySender,
  deleteCountedEmails,
  insertCountedEmails,
} from './counted-email.store.ts'

const hour_ms = 60 * 60_000
const day_ms = 24 * hour_ms

/** How many rows one run of the recurring task deletes. */
const rows_a_run = 1000

/**
 * Returns the emails that may be sent now, in the order given, and counts them: emails that users cause to addresses
 * nobody has confirmed. Called in the transaction that enqueues them. Takes as many statements for many as for one.
 */
export async function filterRecipientsWithinEmailLimits<
  Wanted extends { sender_id: number; email: string },
>(tx: Db, clock: Clock, wanted: readonly Wanted[]): Promise<Wanted[]> {
  if (wanted.length === 0) return []
  const { mail } = limits
  const since = { hour: ago(clock, hour_ms), day: ago(clock, day_ms) }
  const toAddress = await countEmailsByAddress(tx, wanted, since.hour)
  const ofSender = await countEmailsBySender(tx, wanted, since)
  const admitted = wanted.filter(({ sender_id, email }) => {
    const address = email.toLowerCase()
    const received = toAddress.get(address) ?? 0
    const { within_hour = 0, within_day = 0 } = ofSender.get(sender_id) ?? {}
    if (received >= mail.to_stranger_max_per_hour) return false
    if (within_hour >= mail.to_strangers_max_per_hour) return false
    if (within_day >= mail.to_strangers_max_per_day) return false
    toAddress.set(address, received + 1)
    ofSender.set(sender_id, { within_hour: within_hour + 1, within_day: within_day + 1 })
    return true
  })
  if (admitted.length === 0) return []
  await insertCountedEmails(tx, admitted, timestamp(clock))
  return admitted
}

function ago(clock: Clock, duration_ms: number): string {
  return new Date(clock().getTime() - duration_ms).toISOString()
}

/** Deletes rows that no longer count. Recurring; safe to repeat. */
export async function removeOldCountedEmails({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  await deleteCountedEmails(db, { until: ago(clock, day_ms), limit: rows_a_run })
}

export const countedEmailTasks = [
  defineTask({
    name: 'remove-counted-letters',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeOldCountedEmails,
  }),
]
