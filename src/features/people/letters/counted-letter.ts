// Letters to addresses that nobody has proved to be theirs, which may be strangers': counted in the
// database, for any node may be asked to send the next one.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'

const hour_ms = 60 * 60_000
const day_ms = 24 * hour_ms

/** How many rows one run of the recurring task removes. */
const rows_a_run = 1000

/**
 * Picks the letters that may be sent now, in the order given, and counts them: letters that users want sent
 * to addresses nobody has proved to be theirs. Called in the transaction that asks for the letters. It
 * takes as many statements for many letters as for one.
 */
export async function admitLetters<Wanted extends { sender_id: number; email: string }>(
  tx: Db,
  clock: Clock,
  wanted: readonly Wanted[],
): Promise<Wanted[]> {
  if (wanted.length === 0) return []
  const { mail } = limits
  const toAddress = await countToAddresses(tx, clock, wanted)
  const ofSender = await countOfSenders(tx, clock, wanted)
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
  const created_at = timestamp(clock)
  const rows = admitted.map(({ sender_id, email }) => ({ sender_id, email: email.toLowerCase() }))
  await tx
    .insertInto('counted_letters')
    .values(rows.map((row) => ({ ...row, created_at })))
    .execute()
  return admitted
}

/** How many each address was sent within the last hour; nothing for those that were sent none. */
async function countToAddresses(
  tx: Db,
  clock: Clock,
  wanted: readonly { email: string }[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('counted_letters')
    .select(({ fn }) => ['email', fn.countAll<number>().as('letters')])
    .where('email', 'in', [...new Set(wanted.map(({ email }) => email.toLowerCase()))])
    .where('created_at', '>', ago(clock, hour_ms))
    .groupBy('email')
    .execute()
  return new Map(rows.map(({ email, letters }) => [email, letters]))
}

async function countOfSenders(
  tx: Db,
  clock: Clock,
  wanted: readonly { sender_id: number }[],
): Promise<Map<number, { within_hour: number; within_day: number }>> {
  const rows = await tx
    .selectFrom('counted_letters')
    .select(({ eb, fn }) => [
      'sender_id',
      fn
        .count<number>(eb.case().when('created_at', '>', ago(clock, hour_ms)).then(1).end())
        .as('within_hour'),
      fn.countAll<number>().as('within_day'),
    ])
    .where('sender_id', 'in', [...new Set(wanted.map(({ sender_id }) => sender_id))])
    .where('created_at', '>', ago(clock, day_ms))
    .groupBy('sender_id')
    .execute()
  return new Map(rows.map(({ sender_id, ...counts }) => [sender_id, counts]))
}

function ago(clock: Clock, duration_ms: number): string {
  return new Date(clock().getTime() - duration_ms).toISOString()
}

/** Removes what counts no more. Recurring; doing it twice removes nothing more. */
export async function removeCountedLetters({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const ended = await db
    .selectFrom('counted_letters')
    .select('id')
    .where('created_at', '<=', ago(clock, day_ms))
    .limit(rows_a_run)
    .execute()
  // Most of the time there is nothing to remove, and then no writer is held.
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  await db.deleteFrom('counted_letters').where('id', 'in', ids).execute()
}

export const letterTasks = [
  defineTask({
    name: 'remove-counted-letters',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeCountedLetters,
  }),
]
