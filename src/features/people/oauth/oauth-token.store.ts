import type { Insertable, Selectable } from 'kysely'
import type { Db, OauthTokenTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'

export type OauthToken = Selectable<OauthTokenTable>

export function insertOauthTokenPair(
  db: Db,
  { scopes, ...fields }: Omit<Insertable<OauthTokenTable>, 'scopes'> & { scopes: string[] },
): Promise<OauthToken> {
  return db
    .insertInto('oauth_tokens')
    .values({ ...fields, scopes: toJson(scopes) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findOauthTokenPair(
  db: Db,
  by: { digest: string } | { refresh_digest: string },
): Promise<OauthToken | undefined> {
  const query = db.selectFrom('oauth_tokens').selectAll()
  return (
    'digest' in by
      ? query.where('digest', '=', by.digest)
      : query.where('refresh_digest', '=', by.refresh_digest)
  ).executeTakeFirst()
}

/** Revokes a token pair; returns false if it was revoked before. */
export async function consumeOauthTokenPair(tx: Db, id: number, now: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Revokes all tokens that came from one sign-in, including the newest. The statement runs twice, since the first run may
 * have waited for a transaction that replaces the last pair, and does not see the new one.
 */
export async function revokeOauthTokenFamily(db: Db, family: string, now: string): Promise<void> {
  const revoke = () =>
    db
      .updateTable('oauth_tokens')
      .set({ revoked_at: now })
      .where('family', '=', family)
      .where('revoked_at', 'is', null)
      .execute()
  await revoke()
  await revoke()
}

/** Returns the scopes of a user's valid tokens for an application, newest first. */
export async function listScopesGrantedToApplication(
  db: Db,
  by: { application_id: number; user_id: number },
  limit: number,
): Promise<string[][]> {
  const rows = await db
    .selectFrom('oauth_tokens')
    .select('scopes')
    .where('application_id', '=', by.application_id)
    .where('user_id', '=', by.user_id)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ scopes }) => scopes)
}

/** Deletes all but the newest `count` token pairs of a user for an application. */
export async function deleteOldestTokenPairs(
  db: Db,
  by: { application_id: number | null; user_id: number | null },
  count: number,
): Promise<void> {
  const own = db
    .selectFrom('oauth_tokens')
    .select('id')
    .where('application_id', by.application_id === null ? 'is' : '=', by.application_id)
    .where('user_id', by.user_id === null ? 'is' : '=', by.user_id)
  const last = await own
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await db
    .deleteFrom('oauth_tokens')
    .where('id', 'in', own.where('id', '<=', last.id))
    .execute()
}

/**
 * Deletes tokens that were revoked before `before`, or expired before and cannot be refreshed, and codes likewise. At most
 * `limit` of each.
 */
export async function deleteExpiredTokensAndCodes(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<void> {
  const tokens = await db
    .selectFrom('oauth_tokens')
    .select('id')
    .where('expires_at', '<=', before)
    .where((eb) => eb.or([eb('revoked_at', '<=', before), eb('refresh_digest', 'is', null)]))
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  const ids = tokens.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('oauth_tokens').where('id', 'in', ids).execute()
  const codes = await db
    .selectFrom('oauth_codes')
    .select('id')
    .where('expires_at', '<=', before)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  const spent = codes.map(({ id }) => id)
  if (spent.length > 0) await db.deleteFrom('oauth_codes').where('id', 'in', spent).execute()
}
