// Which addresses wait for their user to show that they read its mail.
import type { Db } from '../../../db/db.ts'
import { lower } from '../../../db/dialect.ts'
import type { User } from '../../../subjects/user.ts'

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
  const secondary = await db
    .selectFrom('emails')
    .select(['id', 'email'])
    .where('user_id', '=', user.id)
    .where(lower('email'), '=', given)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return secondary && { kind: 'secondary', ...secondary }
}

/** More than one user may wait for the same new address; the first to confirm it has it. */
const waiting_max = 10

/** The users for whom the address waits. */
export async function listWaitingFor(db: Db, email: string): Promise<number[]> {
  const given = email.toLowerCase()
  // One look-up in an index each; with `or`, PostgreSQL would read every user.
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(lower('email'), '=', given)
    .where('confirmed_at', 'is', null)
    .union(
      db
        .selectFrom('users')
        .select('id')
        .where(lower('unconfirmed_email'), '=', given)
        .where('unconfirmed_email', 'is not', null),
    )
    .union(
      db
        .selectFrom('emails')
        .select('user_id as id')
        .where(lower('email'), '=', given)
        .where('confirmed_at', 'is', null),
    )
    .limit(waiting_max)
    .execute()
  return rows.map(({ id }) => id)
}
