import type { Insertable, Selectable } from 'kysely'
import type { Db, OauthCodeTable, OauthDeviceTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'

export type OauthCode = Selectable<OauthCodeTable>
export type OauthDevice = Selectable<OauthDeviceTable>

export async function insertOauthCode(
  db: Db,
  { scopes, ...fields }: Omit<Insertable<OauthCodeTable>, 'scopes'> & { scopes: string[] },
): Promise<void> {
  await db
    .insertInto('oauth_codes')
    .values({ ...fields, scopes: toJson(scopes) })
    .execute()
}

export function findOauthCode(db: Db, digest: string): Promise<OauthCode | undefined> {
  return db.selectFrom('oauth_codes').selectAll().where('digest', '=', digest).executeTakeFirst()
}

/** Marks a code as used; returns false if it was used before. */
export async function consumeOauthCode(tx: Db, id: number, now: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function insertOauthDevice(
  db: Db,
  { scopes, ...fields }: Omit<Insertable<OauthDeviceTable>, 'scopes'> & { scopes: string[] },
): Promise<void> {
  await db
    .insertInto('oauth_devices')
    .values({ ...fields, scopes: toJson(scopes) })
    .execute()
}

export function findOauthDevice(
  db: Db,
  by: { digest: string } | { user_code_digest: string },
): Promise<OauthDevice | undefined> {
  const query = db.selectFrom('oauth_devices').selectAll()
  return (
    'digest' in by
      ? query.where('digest', '=', by.digest)
      : query.where('user_code_digest', '=', by.user_code_digest)
  ).executeTakeFirst()
}

/** Records that a device has polled. */
export async function recordOauthDevicePoll(
  db: Db,
  { id, polled_at, interval_s }: { id: number; polled_at: string; interval_s: number },
): Promise<void> {
  await db
    .updateTable('oauth_devices')
    .set({ polled_at, interval_s })
    .where('id', '=', id)
    .execute()
}

/** Moves a device from one state to another. Returns false if it is in another state. */
export async function updateOauthDeviceState(
  db: Db,
  id: number,
  {
    from,
    ...fields
  }: { from: OauthDevice['state'] } & Pick<OauthDevice, 'state'> &
    Partial<Pick<OauthDevice, 'user_id' | 'auth_time'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_devices')
    .set(fields)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Deletes at most `limit` device authorizations that expired before `before`. */
export async function deleteExpiredOauthDevices(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<void> {
  const ended = await db
    .selectFrom('oauth_devices')
    .select('id')
    .where('expires_at', '<=', before)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  await db.deleteFrom('oauth_devices').where('id', 'in', ids).execute()
}
