import type { ExpressionBuilder } from 'kysely'
import type { Db, Schema } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { OauthApplication } from './application.ts'

/** The owner of applications: a user, or null for those of the instance. */
export type OauthApplicationOwner = Pick<OauthApplication, 'owner_id'>

function ownedBy({ owner_id }: OauthApplicationOwner) {
  return (eb: ExpressionBuilder<Schema, 'oauth_applications'>) =>
    eb('owner_id', owner_id === null ? 'is' : '=', owner_id)
}

/** Returns one page of the owner's applications in the order of their creation. */
export async function listOauthApplications(
  db: Db,
  owner: OauthApplicationOwner,
  page: { offset: number; per_page: number },
): Promise<{ rows: OauthApplication[]; total: number | undefined }> {
  const query = db.selectFrom('oauth_applications').where(ownedBy(owner))
  const rows = await query
    .selectAll()
    .orderBy('id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export async function countOauthApplications(
  db: Db,
  owner: OauthApplicationOwner,
): Promise<number> {
  const { count } = await db
    .selectFrom('oauth_applications')
    .where(ownedBy(owner))
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertOauthApplication(
  db: Db,
  { scopes, ...fields }: Omit<OauthApplication, 'id'>,
): Promise<OauthApplication> {
  return db
    .insertInto('oauth_applications')
    .values({ ...fields, scopes: toJson(scopes) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An application by id, and its owner. */
export type OauthApplicationOfOwner = OauthApplicationOwner & { id: number }

export function findOauthApplicationOfOwner(
  db: Db,
  { id, ...owner }: OauthApplicationOfOwner,
): Promise<OauthApplication | undefined> {
  return db
    .selectFrom('oauth_applications')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner))
    .executeTakeFirst()
}

/** Removes an application with its codes and tokens. Returns it as it was, or undefined. */
export function deleteOauthApplication(
  db: Db,
  { id, ...owner }: OauthApplicationOfOwner,
): Promise<OauthApplication | undefined> {
  return db
    .deleteFrom('oauth_applications')
    .where('id', '=', id)
    .where(ownedBy(owner))
    .returningAll()
    .executeTakeFirst()
}

/** Replaces the secret and returns the application; undefined if it does not exist. */
export function replaceOauthApplicationSecret(
  db: Db,
  { id, ...owner }: OauthApplicationOfOwner,
  secret_digest: string,
): Promise<OauthApplication | undefined> {
  return db
    .updateTable('oauth_applications')
    .set({ secret_digest })
    .where('id', '=', id)
    .where(ownedBy(owner))
    .returningAll()
    .executeTakeFirst()
}

export function updateOauthApplication(
  db: Db,
  id: number,
  {
    scopes,
    ...fields
  }: Pick<OauthApplication, 'name' | 'redirect_uri' | 'scopes' | 'confidential'>,
): Promise<OauthApplication> {
  return db
    .updateTable('oauth_applications')
    .set({ ...fields, scopes: toJson(scopes) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns one page of the applications that have tokens of a user, with the scopes of the newest token. */
export async function listOauthApplicationsAllowedByUser(
  db: Db,
  user_id: number,
  page: { offset: number; per_page: number },
): Promise<{ rows: OauthApplicationAllowedByUser[]; total: number | undefined }> {
  const newest = db
    .selectFrom('oauth_tokens')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('user_id', '=', user_id)
    .where('application_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .groupBy('application_id')
  const query = db
    .selectFrom('oauth_tokens as token')
    .innerJoin('oauth_applications as application', 'application.id', 'token.application_id')
    .where('token.id', 'in', newest)
  const rows = await query
    .select(['application.id', 'application.name', 'token.scopes', 'token.created_at'])
    .orderBy('application.id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('token.id')) }
}

export type OauthApplicationAllowedByUser = Pick<OauthApplication, 'id' | 'name' | 'scopes'> & {
  created_at: string
}

/**
 * Revokes the tokens of the user for the application, and deletes unused codes and devices that the user has allowed. Returns
 * whether there were any of them.
 */
export async function revokeOauthApplicationAccess(
  tx: Db,
  { application_id, user_id, now }: { application_id: number; user_id: number; now: string },
): Promise<boolean> {
  // Codes and devices are deleted first: if one is just being exchanged, the statement waits for it and the new tokens
  // are then visible.
  const remove = (table: 'oauth_codes' | 'oauth_devices') =>
    tx
      .deleteFrom(table)
      .where('application_id', '=', application_id)
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
  const codes = await remove('oauth_codes')
  const devices = await remove('oauth_devices')
  const revoke = () =>
    tx
      .updateTable('oauth_tokens')
      .set({ revoked_at: now })
      .where('application_id', '=', application_id)
      .where('user_id', '=', user_id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
  const [{ numUpdatedRows }, again] = [await revoke(), await revoke()]
  const removed = codes.numDeletedRows + devices.numDeletedRows
  return removed + numUpdatedRows + again.numUpdatedRows > 0n
}
