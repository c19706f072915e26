import type { Insertable, Selectable } from 'kysely'
import type { Db, EmailTable } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'

export type Email = Selectable<EmailTable>

/** Returns a user's secondary addresses in the order they were added; `limits.emails_max` bounds them. */
export function listEmails(db: Db, user_id: number): Promise<Email[]> {
  return db.selectFrom('emails').selectAll().where('user_id', '=', user_id).orderBy('id').execute()
}

export function findEmail(
  db: Db,
  { user_id, id }: { user_id: number; id: number },
): Promise<Email | undefined> {
  return db
    .selectFrom('emails')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function isPrimaryAddress(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(lowerCaseExpression('email'), '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

/** Inserts an address; returns undefined if somebody has it as a secondary one. */
export function insertEmail(db: Db, email: Insertable<EmailTable>): Promise<Email | undefined> {
  return db
    .insertInto('emails')
    .values(email)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Deletes an address, which is then no longer shown nor matched to commits. */
export async function deleteEmail(db: Db, { id, user_id, email }: Email): Promise<void> {
  await db.deleteFrom('emails').where('id', '=', id).execute()
  await db
    .updateTable('users')
    .set({ commit_email: null })
    .where('id', '=', user_id)
    .where(lowerCaseExpression('commit_email'), '=', email.toLowerCase())
    .execute()
  await db
    .updateTable('users')
    .set({ public_email: '' })
    .where('id', '=', user_id)
    .where(lowerCaseExpression('public_email'), '=', email.toLowerCase())
    .execute()
}
