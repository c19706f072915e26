import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, SessionTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type Session = Selectable<SessionTable>

export function insertSession(db: Db, session: Insertable<SessionTable>): Promise<Session> {
  return db.insertInto('sessions').values(session).returningAll().executeTakeFirstOrThrow()
}

export async function updateSession(
  tx: Db,
  id: number,
  changes: Updateable<SessionTable>,
): Promise<void> {
  await tx.updateTable('sessions').set(changes).where('id', '=', id).execute()
}

/** Deletes the sessions in which the administrator of a session impersonates somebody. */
export async function deleteImpersonations(tx: Db, session_id: number): Promise<void> {
  await tx.deleteFrom('sessions').where('impersonator_session_id', '=', session_id).execute()
}

/** Deletes all but the newest `count` sessions of a user. */
export async function deleteOldestSessions(db: Db, user_id: number, count: number): Promise<void> {
  const last = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user_id)
    .where('impersonator_session_id', 'is', null)
    .orderBy('id', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('impersonator_session_id', 'is', null)
    .where('id', '<=', last.id)
    .execute()
}

/** Returns one page of a user's sessions, newest first. */
export async function listSessions(
  db: Db,
  { user_id, now, password_stamp }: { user_id: number; now: string; password_stamp: string },
  page: { offset: number; per_page: number },
): Promise<{ rows: Session[]; total: number | undefined }> {
  const query = db
    .selectFrom('sessions')
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)
    .where('password_stamp', '=', password_stamp)
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Deletes at most `limit` sessions that expired by `now`, or whose account is not active. */
export async function deleteExpiredSessions(
  db: Db,
  { now, limit }: { now: string; limit: number },
): Promise<void> {
  const ended = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where((eb) => eb.or([eb('sessions.expires_at', '<=', now), eb('users.state', '!=', 'active')]))
    .limit(limit)
    .execute()
  // Usually there is nothing to delete. Then no write transaction is opened.
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  await db.deleteFrom('sessions').where('id', 'in', ids).execute()
}
