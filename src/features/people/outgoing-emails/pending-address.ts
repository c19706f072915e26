// Addresses that wait for confirmation by their user.
import type { Db } from '../../../db/db.ts'
import type { User } from '../../../subjects/user.ts'
import { findUnconfirmedSecondaryAddress } from './address.store.ts'

/** `email` is as it was entered. `primary` is the account's current address, `new` the one that will replace it. */
export type PendingAddress =
  | { kind: 'primary' | 'new'; email: string }
  | { kind: 'secondary'; email: string; id: number }

/** Returns the user's address with that text, regardless of case, if it is waiting to be confirmed. */
export async function findPendingAddress(
  db: Db,
  user: User,
  email: string,
): Promise<PendingAddress | undefined> {
  const given = email.toLowerCase()
  if (user.confirmed_at === null && user.email.toLowerCase() === given) {
    return { kind: 'primary', email: user.email }
  }
  if (user.unconfirmed_email?.toLowerCase() === given) {
    return { kind: 'new', email: user.unconfirmed_email }
  }
  const secondary = await findUnconfirmedSecondaryAddress(db, user.id, given)
  return secondary && { kind: 'secondary', ...secondary }
}
