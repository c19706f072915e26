import type { Insertable, Updateable } from 'kysely'
import type { Db, UserTable } from '../../../db/db.ts'
import { lower, violatedUnique } from '../../../db/dialect.ts'
import type { User } from '../../../subjects/user.ts'

/** The new user, or undefined when the e-mail address or the name is taken. */
export function insertUser(db: Db, user: Insertable<UserTable>): Promise<User | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Whether somebody has the address, other than the user of the id `but`. */
export async function isEmailTaken(db: Db, email: string, { but = 0 } = {}): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(lower('email'), '=', email.toLowerCase())
    .where('id', '!=', but)
    .executeTakeFirst()
  return row !== undefined
}

/** The changed user, or which of the two things only one user can have is somebody else's. */
export async function updateUserRow(
  db: Db,
  id: number,
  changes: Updateable<UserTable>,
): Promise<User | 'email' | 'username'> {
  try {
    return await db
      .updateTable('users')
      .set(changes)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    const index = violatedUnique(error)
    if (index === 'users_email') return 'email'
    if (index === 'users_username') return 'username'
    throw error
  }
}
