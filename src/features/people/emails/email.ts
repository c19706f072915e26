// The public face of email addresses: finds their owners, and locks them against being taken.
import type { Db } from '../../../db/db.ts'
import { lockUntilCommit, lowerCaseExpression } from '../../../db/dialect.ts'

const addresses_lock = 2

/**
 * Serializes transactions that add addresses: primary and secondary ones are in two tables, so no constraint keeps an
 * address from being in both.
 */
export async function lockEmailAddressTables(db: Db): Promise<void> {
  await lockUntilCommit(db, addresses_lock)
}

/** Whether somebody has the address beside their primary one, confirmed or not. */
export async function isSecondaryAddress(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('emails')
    .select('id')
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether the user may put the address on commits or show it to others: their primary one, or a
 * secondary one that is confirmed. Otherwise the refusal is `is not an email you own`.
 */
export async function isAddressOfUser(
  db: Db,
  user: { id: number; email: string },
  email: string,
): Promise<boolean> {
  if (email.toLowerCase() === user.email.toLowerCase()) return true
  const row = await db
    .selectFrom('emails')
    .select('id')
    .where('user_id', '=', user.id)
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes that the user of a secondary address has shown that they read its mail. */
export async function confirmSecondaryEmail(
  tx: Db,
  id: number,
  confirmed_at: string,
): Promise<void> {
  await tx.updateTable('emails').set({ confirmed_at }).where('id', '=', id).execute()
}
