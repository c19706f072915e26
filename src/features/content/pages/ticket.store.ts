import type { Db } from '../../../db/db.ts'

/** Records that a ticket was used. Returns false if it was used before. */
export async function insertUsedVisitTicket(
  db: Db,
  ticket: { digest: string; expires_at: string },
): Promise<boolean> {
  const noted = await db
    .insertInto('pages_tickets')
    .values(ticket)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  return noted !== undefined
}

/** Deletes expired tickets. */
export async function deleteExpiredVisitTickets(db: Db, now: string): Promise<void> {
  await db.deleteFrom('pages_tickets').where('expires_at', '<', now).execute()
}
