// Public functions of OAuth applications: finds them, and authenticates clients.
import { timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { OauthScope } from '../../../access/actor.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, OauthApplicationTable } from '../../../db/db.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { OauthError } from './oauth-error.ts'

export type OauthApplication = Selectable<OauthApplicationTable>

const applicationByUid = defineRowLoader((db, { uid }: { uid: string }) =>
  db.selectFrom('oauth_applications').selectAll().where('uid', '=', uid),
)
const applicationById = defineRowLoader((db, { id }: { id: number }) =>
  db.selectFrom('oauth_applications').selectAll().where('id', '=', id),
)

export async function findOauthApplicationByClientId(
  db: Db,
  uid: string,
): Promise<OauthApplication | undefined> {
  return isUid(uid) ? applicationByUid(db, { uid }) : undefined
}

export function findOauthApplicationById(
  db: Db,
  id: number,
): Promise<OauthApplication | undefined> {
  return applicationById(db, { id })
}

/** Returns the user who registered the application; undefined for an application of the instance. */
export async function findOauthApplicationUser(
  db: Db,
  { owner_id }: OauthApplication,
): Promise<User | undefined> {
  return owner_id === null ? undefined : findUser(db, owner_id)
}

function isUid(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function scopesOfApplication({ scopes }: OauthApplication): OauthScope[] {
  return scopes as OauthScope[]
}

/** The credentials that a client sends. */
export type ClientCredentials = { client_id: string; client_secret: string | undefined }

/**
 * Returns the application of a client. A confidential client has to send its secret; for a public one the id is sufficient,
 * since anybody could read a secret in it (RFC 6749, section 2.1). Throws `invalid_client`.
 */
export async function authenticateOauthClient(
  db: Db,
  given: ClientCredentials | undefined,
): Promise<OauthApplication> {
  const application = given && (await findOauthApplicationByClientId(db, given.client_id))
  const secret = given?.client_secret ?? ''
  if (!application) throw new OauthError('invalid_client')
  if (secret === '' && !application.confidential) return application
  if (!isSameDigestConstantTime(digestToken(secret), application.secret_digest)) {
    throw new OauthError('invalid_client')
  }
  return application
}

/** Compares two texts of the same length in constant time. */
export function isSameDigestConstantTime(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
