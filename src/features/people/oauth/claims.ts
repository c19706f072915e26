// The claims about a user for applications (OpenID Connect Core, sections 2, 5.1 and 5.3).

import { createHash } from 'node:crypto'
import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import { listDirectGroupPaths, listGroupAccessLevels } from './claims.store.ts'
import type { OauthToken } from './oauth-token.store.ts'
import { signJwt } from './signing-key.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'secretKey'>

/** Returns the paths of the groups that a user is a direct member of. */
export function listMemberGroupPaths(db: Db, user_id: number): Promise<string[]> {
  return listDirectGroupPaths(db, user_id)
}

/** Returns the former `sub` of a user, which some applications still request. It is a hash, so it reveals nothing. */
function legacySubject(user: User): string {
  return digestToken(`${user.id}-${user.created_at}`)
}

/** Returns the primary address if the application has the scope `email`, otherwise the public address, if any. */
function addressClaims(user: User, scopes: readonly string[]): Record<string, unknown> {
  if (scopes.includes('email')) {
    return { email: user.email, email_verified: user.confirmed_at !== null }
  }
  const { public_email } = user
  return public_email ? { email: public_email, email_verified: true } : {}
}

/** Returns the body of `/oauth/userinfo`. */
export async function findUserInfoClaims(
  db: Db,
  { user_id, scopes, baseUrl }: { user_id: number; scopes: readonly string[]; baseUrl: string },
): Promise<Record<string, unknown> | undefined> {
  const user = await findUser(db, user_id)
  if (!user) return undefined
  const groups = await listGroupAccessLevels(db, user.id)
  const held = (level: number) =>
    groups.filter(({ access_level }) => access_level === level).map(({ full_path }) => full_path)
  const claims = {
    'https://gitlab.org/claims/groups/owner': held(Level.owner),
    'https://gitlab.org/claims/groups/maintainer': held(Level.maintainer),
    'https://gitlab.org/claims/groups/developer': held(Level.developer),
  }
  return {
    sub: String(user.id),
    sub_legacy: legacySubject(user),
    name: user.name,
    nickname: user.username,
    preferred_username: user.username,
    ...addressClaims(user, scopes),
    ...(user.website_url ? { website: user.website_url } : {}),
    profile: `${baseUrl}/${user.username}`,
    picture: avatarUrl(baseUrl, { kind: 'user', id: user.id, avatar: user.avatar }),
    groups: groups.map(({ full_path }) => full_path),
    ...Object.fromEntries(Object.entries(claims).filter(([, paths]) => paths.length > 0)),
  }
}

/** Returns an ID token for the application of the access token. */
export async function makeIdToken(
  uses: Uses,
  token: Pick<OauthToken, 'scopes' | 'auth_time'> & { user_id: number },
  {
    audience,
    nonce,
    access_token,
    baseUrl,
  }: { audience: string; nonce: string | null; access_token: string; baseUrl: string },
): Promise<string> {
  const { db, clock } = uses
  const user = await findUser(db, token.user_id)
  if (!user)
    throw new Error(`User ${token.user_id} was deleted while an ID token was being issued.`)
  const groups_direct = await listDirectGroupPaths(db, user.id)
  const now_s = Math.floor(clock().getTime() / 1000)
  return signJwt(uses, {
    iss: baseUrl,
    sub: String(user.id),
    aud: audience,
    exp: now_s + limits.oauth.id_token_ms / 1000,
    iat: now_s,
    ...(nonce === null ? {} : { nonce }),
    ...(token.auth_time === null
      ? {}
      : { auth_time: Math.floor(Date.parse(token.auth_time) / 1000) }),
    at_hash: accessTokenHash(access_token),
    sub_legacy: legacySubject(user),
    ...(token.scopes.includes('profile')
      ? { name: user.name, nickname: user.username, preferred_username: user.username }
      : {}),
    ...addressClaims(user, token.scopes),
    ...(groups_direct.length > 0 ? { groups_direct } : {}),
  })
}

/** Computes `at_hash` (OpenID Connect Core, section 3.1.3.6). */
function accessTokenHash(access_token: string): string {
  return createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url')
}
