// Public functions of email addresses: finds their owners, and locks them against being taken.
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

/** Whether the address is a secondary address of a user, confirmed or not. */
export async function isSecondaryAddress(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('emails')
    .select('id')
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether the user may use the address for commits or show it to others: their primary address, or a confirmed secondary
 * one. Otherwise the refusal is `is not an email you own`.
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

/** Marks a secondary address as confirmed. */
export async function confirmSecondaryEmail(
  tx: Db,
  id: number,
  confirmed_at: string,
): Promise<void> {
  await tx.updateTable('emails').set({ confirmed_at }).where('id', '=', id).execute()
}
