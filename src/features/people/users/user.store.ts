import type { Insertable, Updateable } from 'kysely'
import type { Db, UserTable } from '../../../db/db.ts'
import { findViolatedIndex, lowerCaseExpression } from '../../../db/dialect.ts'
import { findPersonalNamespace } from '../../../subjects/namespace.ts'
import type { User } from '../../../subjects/user.ts'

/** Inserts a user; returns undefined if the email address or username is taken. */
export function insertUser(db: Db, user: Insertable<UserTable>): Promise<User | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Whether a user other than `but` has the address. */
export async function isEmailTaken(db: Db, email: string, { but = 0 } = {}): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
    .where('id', '!=', but)
    .executeTakeFirst()
  return row !== undefined
}

/** Updates a user; returns which of the two unique fields is taken if one is. */
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
 * Deletes the rows of a user and their namespace. Memberships, access, tokens, keys, identities and locks are deleted by
 * cascade. Nobody else's access depends on them.
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
