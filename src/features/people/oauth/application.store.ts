import type { ExpressionBuilder } from 'kysely'
import type { Db, Schema } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Application } from './application.ts'

/** Whose applications: a user's, or with null the instance's. */
export type ApplicationOwner = Pick<Application, 'owner_id'>

function ownedBy({ owner_id }: ApplicationOwner) {
  return (eb: ExpressionBuilder<Schema, 'oauth_applications'>) =>
    eb('owner_id', owner_id === null ? 'is' : '=', owner_id)
}

/** One page of the owner's applications, in the order they were made. */
export async function listApplications(
  db: Db,
  owner: ApplicationOwner,
  page: { offset: number; per_page: number },
): Promise<{ rows: Application[]; total: number | undefined }> {
  const query = db.selectFrom('oauth_applications').where(ownedBy(owner))
  const rows = await query
    .selectAll()
    .orderBy('id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export async function countApplications(db: Db, owner: ApplicationOwner): Promise<number> {
  const { count } = await db
    .selectFrom('oauth_applications')
    .where(ownedBy(owner))
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function insertApplication(
  db: Db,
  { scopes, ...fields }: Omit<Application, 'id'>,
): Promise<Application> {
  return db
    .insertInto('oauth_applications')
    .values({ ...fields, scopes: toJson(scopes) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An application by its id, if that owner has it. */
export type OwnedApplication = ApplicationOwner & { id: number }

export function findOwnedApplication(
  db: Db,
  { id, ...owner }: OwnedApplication,
): Promise<Application | undefined> {
  return db
    .selectFrom('oauth_applications')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner))
    .executeTakeFirst()
}

/** Removes an application with its codes and tokens. Returns it as it was, or undefined. */
export function deleteApplication(
  db: Db,
  { id, ...owner }: OwnedApplication,
): Promise<Application | undefined> {
  return db
    .deleteFrom('oauth_applications')
    .where('id', '=', id)
    .where(ownedBy(owner))
    .returningAll()
    .executeTakeFirst()
}

/** Replaces the secret. Returns the application, or undefined if there is none. */
export function replaceSecret(
  db: Db,
  { id, ...owner }: OwnedApplication,
  secret_digest: string,
): Promise<Application | undefined> {
  return db
    .updateTable('oauth_applications')
    .set({ secret_digest })
    .where('id', '=', id)
    .where(ownedBy(owner))
    .returningAll()
    .executeTakeFirst()
}

export function updateApplication(
  db: Db,
  id: number,
  { scopes, ...fields }: Pick<Application, 'name' | 'redirect_uri' | 'scopes' | 'confidential'>,
): Promise<Application> {
  return db
    .updateTable('oauth_applications')
    .set({ ...fields, scopes: toJson(scopes) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One page of the applications that hold tokens of a user's, with what the newest of these may. */
export async function listAllowedApplications(
  db: Db,
  user_id: number,
  page: { offset: number; per_page: number },
): Promise<{ rows: AllowedApplication[]; total: number | undefined }> {
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

export type AllowedApplication = Pick<Application, 'id' | 'name' | 'scopes'> & {
  created_at: string
}

/** Revokes all tokens and codes of the user for the application. Returns whether there were any. */
export async function revokeApplicationAccess(
  tx: Db,
  { application_id, user_id, now }: { application_id: number; user_id: number; now: string },
): Promise<boolean> {
  // Codes first: one that is changed for tokens meanwhile is waited for, and its tokens are seen.
  const codes = await tx
    .deleteFrom('oauth_codes')
    .where('application_id', '=', application_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  const revoke = () =>
    tx
      .updateTable('oauth_tokens')
      .set({ revoked_at: now })
      .where('application_id', '=', application_id)
      .where('user_id', '=', user_id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
  const [{ numUpdatedRows }, again] = [await revoke(), await revoke()]
  return codes.numDeletedRows + numUpdatedRows + again.numUpdatedRows > 0n
}
