import type { Db } from '../../../db/db.ts'

/** Returns how many emails were sent to each address since then. Addresses without any are left out. */
export async function countEmailsByAddress(
  tx: Db,
  wanted: readonly { email: string }[],
  since: string,
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('counted_letters')
    .select(({ fn }) => ['email', fn.countAll<number>().as('emails')])
    .where('email', 'in', [...new Set(wanted.map(({ email }) => email.toLowerCase()))])
    .where('created_at', '>', since)
    .groupBy('email')
    .execute()
  return new Map(rows.map(({ email, emails }) => [email, emails]))
}

/** Returns how many emails each sender caused since then. Senders without any are left out. */
export async function countEmailsBySender(
  tx: Db,
  wanted: readonly { sender_id: number }[],
  since: { hour: string; day: string },
): Promise<Map<number, { within_hour: number; within_day: number }>> {
  const rows = await tx
    .selectFrom('counted_letters')
    .select(({ eb, fn }) => [
      'sender_id',
      fn
        .count<number>(eb.case().when('created_at', '>', since.hour).then(1).end())
        .as('within_hour'),
      fn.countAll<number>().as('within_day'),
    ])
    .where('sender_id', 'in', [...new Set(wanted.map(({ sender_id }) => sender_id))])
    .where('created_at', '>', since.day)
    .groupBy('sender_id')
    .execute()
  return new Map(rows.map(({ sender_id, ...counts }) => [sender_id, counts]))
}

export async function insertCountedEmails(
  tx: Db,
  emails: readonly { sender_id: number; email: string }[],
  created_at: string,
): Promise<void> {
  const rows = emails.map(({ sender_id, email }) => ({ sender_id, email: email.toLowerCase() }))
  await tx
    .insertInto('counted_letters')
    .values(rows.map((row) => ({ ...row, created_at })))
    .execute()
}

/** Deletes at most `limit` of the emails that were requested up to `until`. */
export async function deleteCountedEmails(
  db: Db,
  { until, limit }: { until: string; limit: number },
): Promise<void> {
  const ended = await db
    .selectFrom('counted_letters')
    .select('id')
    .where('created_at', '<=', until)
    .limit(limit)
    .execute()
  // Usually there is nothing to delete. Then no write transaction is opened.
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  await db.deleteFrom('counted_letters').where('id', 'in', ids).execute()
}
