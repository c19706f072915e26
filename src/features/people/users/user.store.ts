import type { Insertable, Updateable } from 'kysely'
import type { Db, UserTable } from '../../../db/db.ts'
import { findViolatedIndex, lowerCaseExpression } from '../../../db/dialect.ts'
import { findPersonalNamespace } from '../../../subjects/namespace.ts'
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
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
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
    const index = findViolatedIndex(error)
    if (index === 'users_email') return 'email'
    if (index === 'users_username') return 'username'
    throw error
  }
}

/**
 * The rows of the user and of their namespace. Everything that is theirs alone goes with them by cascade:
 * memberships, access, tokens, keys, identities, locks; nobody else's access came from them.
 */
export async function deleteUser(tx: Db, userId: number): Promise<void> {
  const namespace = await findPersonalNamespace(tx, userId)
  if (namespace) await tx.deleteFrom('namespaces').where('id', '=', namespace.id).execute()
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function updateUserStateRow(
  tx: Db,
  { id, state, now }: Pick<User, 'id' | 'state'> & { now: string },
): Promise<void> {
  await tx.updateTable('users').set({ state, updated_at: now }).where('id', '=', id).execute()
}
