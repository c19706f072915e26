// Finds the owner of an address, also of one that waits for confirmation.
import type { Db } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'

/** Returns the user's secondary address with that text in lower case, if it is not confirmed. */
export function findUnconfirmedSecondaryAddress(
  db: Db,
  user_id: number,
  given: string,
): Promise<{ id: number; email: string } | undefined> {
  return db
    .selectFrom('emails')
    .select(['id', 'email'])
    .where('user_id', '=', user_id)
    .where(lowerCaseExpression('email'), '=', given)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the id of the user whose primary address it is, or nothing. */
export async function listUserIdsByAddress(db: Db, email: string): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
    .execute()
  return rows.map(({ id }) => id)
}

/** Several users may wait for confirmation of the same address. The first to confirm gets it. */
const waiting_max = 10

/** Returns the ids of the users for whom the address is waiting to be confirmed. */
export async function listUserIdsAwaitingAddress(db: Db, email: string): Promise<number[]> {
  const given = email.toLowerCase()
  // Each query uses its own index. With `or`, PostgreSQL would read all users.
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(lowerCaseExpression('email'), '=', given)
    .where('confirmed_at', 'is', null)
    .union(
      db
        .selectFrom('users')
        .select('id')
        .where(lowerCaseExpression('unconfirmed_email'), '=', given)
        .where('unconfirmed_email', 'is not', null),
    )
    .union(
      db
        .selectFrom('emails')
        .select('user_id as id')
        .where(lowerCaseExpression('email'), '=', given)
        .where('confirmed_at', 'is', null),
    )
    .limit(waiting_max)
    .execute()
  return rows.map(({ id }) => id)
}
