import type { Selectable } from 'kysely'
import type { Db, UserStatusTable } from '../../../db/db.ts'

export type UserStatus = Selectable<UserStatusTable>

/** Returns the status of a user; undefined without one and after its expiry. */
export function findUserStatus(
  db: Db,
  user_id: number,
  now: string,
): Promise<UserStatus | undefined> {
  return db
    .selectFrom('user_statuses')
    .selectAll()
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('clear_status_at', 'is', null), eb('clear_status_at', '>', now)]))
    .executeTakeFirst()
}

export function upsertUserStatus(db: Db, status: UserStatus): Promise<UserStatus> {
  const { user_id: _, ...fields } = status
  return db
    .insertInto('user_statuses')
    .values(status)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fields))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteUserStatus(db: Db, user_id: number): Promise<void> {
  await db.deleteFrom('user_statuses').where('user_id', '=', user_id).execute()
}

export async function deleteExpiredUserStatuses(db: Db, now: string): Promise<void> {
  const cleared = await db
    .selectFrom('user_statuses')
    .select('user_id')
    .where('clear_status_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  // Usually there is nothing to delete. Then no write transaction is opened.
  if (!cleared) return
  await db.deleteFrom('user_statuses').where('clear_status_at', '<=', now).execute()
}
