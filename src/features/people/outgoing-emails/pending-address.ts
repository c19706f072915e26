// Addresses that wait for confirmation by their user.
import type { Db } from '../../../db/db.ts'
import type { User } from '../../../subjects/user.ts'
import { findUnconfirmedSecondaryAddress } from './address.store.ts'

/** `email` is as it was given; `primary` is the account's own, `new` the one that will take its place. */
export type PendingAddress =
  | { kind: 'primary' | 'new'; email: string }
  | { kind: 'secondary'; email: string; id: number }

/** The user's address of that text in any case, if it waits. */
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
