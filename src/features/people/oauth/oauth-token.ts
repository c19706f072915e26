// Public functions of OAuth tokens: authenticates their callers (docs/api/oauth.md, "Tokens").

import { type Actor, anonymous, type CredentialEndReason } from '../../../access/actor.ts'
import { credentialRefusal } from '../../../access/credential-refusal.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp, utcDayOf } from '../../../kernel/clock.ts'
import { digestToken, randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { actorUserFromUser, findCredentialEndOfAccount, findUser } from '../../../subjects/user.ts'
import { filterApiScopes } from './oauth-scopes.ts'
import type { OauthToken } from './oauth-token.store.ts'
import { deleteOldestTokenPairs, insertOauthTokenPair } from './oauth-token.store.ts'

/** Whether a text has the form of an OAuth token: 64 hex digits. */
export function isOauthTokenText(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

const tokenColumns = [
  'token.id as token_id',
  'token.scopes',
  'token.expires_at',
  'token.revoked_at',
  'token.user_id as holder_id',
  'users.id',
  'users.username',
  'users.name',
  'users.email',
  'users.commit_email',
  'users.is_admin',
  'users.external',
  'users.state',
  'users.confirmed_at',
  'users.password_expires_at',
  'users.last_activity_on',
] as const

function tokenQuery(db: Db) {
  return db
    .selectFrom('oauth_tokens as token')
    .leftJoin('users', 'users.id', 'token.user_id')
    .select(tokenColumns)
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof tokenQuery>['executeTakeFirst']>>>

const tokenByDigest = defineRowLoader((db, { digest }: { digest: string }) =>
  tokenQuery(db).where('token.digest', '=', digest),
)
const tokenById = defineRowLoader((db, { id }: { id: number }) =>
  tokenQuery(db).where('token.id', '=', id),
)

/**
 * Returns the caller of an access token; undefined for a text that is not an access token. Throws 401 for an expired or
 * revoked token and 403 for an account that may not be used. A token of the application itself has no user.
 */
export async function authenticateOauthToken(
  db: Db,
  clock: Clock,
  text: string,
): Promise<Actor | undefined> {
  if (!isOauthTokenText(text)) return undefined
  const row = await tokenByDigest(db, { digest: digestToken(text) })
  if (!row) return undefined
  const now = timestamp(clock)
  const end = endOf(row, now)
  if (end) throw credentialRefusal(end)
  if (row.id !== null && row.last_activity_on !== utcDayOf(now)) {
    await db
      .updateTable('users')
      .set({ last_activity_on: utcDayOf(now) })
      .where('id', '=', row.id)
      .execute()
  }
  return actorOf(row)
}

/** Reloads the caller of an OAuth token. `user_id` differs from the token's own user with `sudo`. */
export async function reloadActorByOauthToken(
  db: Db,
  clock: Clock,
  { id, user_id }: { id: number; user_id: number },
): Promise<Actor | CredentialEndReason> {
  return reloaded(db, await tokenById(db, { id }), { user_id, now: timestamp(clock) })
}

/** Reloads the callers of many tokens with one query, in the same order. */
export async function reloadActorsByOauthTokens(
  db: Db,
  clock: Clock,
  known: readonly { id: number; user_id: number }[],
): Promise<(Actor | CredentialEndReason)[]> {
  const ids = known.map(({ id }) => id)
  const rows = await tokenQuery(db).where('token.id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.token_id, row]))
  const now = timestamp(clock)
  return Promise.all(known.map(({ id, user_id }) => reloaded(db, byId.get(id), { user_id, now })))
}

async function reloaded(
  db: Db,
  row: Row | undefined,
  { user_id, now }: { user_id: number; now: string },
): Promise<Actor | CredentialEndReason> {
  if (!row) return { kind: 'gone' }
  const end = endOf(row, now)
  if (end) return end
  const holder = actorOf(row)
  if (row.id === user_id) return holder
  const user = row.is_admin ? await findUser(db, user_id) : undefined
  if (!user) return { kind: 'gone' }
  return (
    findCredentialEndOfAccount(user, now) ?? { user: actorUserFromUser(user), token: holder.token }
  )
}

function endOf(row: Row, now: string) {
  if (row.revoked_at !== null) return { kind: 'revoked' } as const
  if (row.expires_at <= now) return { kind: 'expired' } as const
  if (row.state === null) return undefined
  const { state, confirmed_at, password_expires_at } = row
  return findCredentialEndOfAccount({ state, confirmed_at, password_expires_at }, now)
}

function actorOf(row: Row): Actor {
  const { id, username, name, email, commit_email, is_admin, external } = row
  if (id === null || username === null || name === null || email === null) return anonymous
  return {
    user: {
      id,
      username,
      name,
      email,
      commit_email,
      is_admin: is_admin ?? false,
      external: external ?? false,
    },
    token: { id: row.token_id, kind: 'oauth', scopes: filterApiScopes(row.scopes) },
  }
}

/** The grant that a token pair is issued for. */
export type OauthGrant = {
  application_id: number | null
  user_id: number | null
  scopes: string[]
  auth_time: string | null
  /** The id that a token shares with the tokens that replace it; generated if absent. */
  family?: string
  /** Whether to issue no refresh token, for clients that can request a new token at any time. */
  isFinal?: boolean
}

/** Creates a pair of tokens. Their texts are for the client and are never stored. */
export async function createOauthTokenPair(
  tx: Db,
  clock: Clock,
  { isFinal = false, family = randomHex(32), ...grant }: OauthGrant,
): Promise<{ token: OauthToken; access_token: string; refresh_token: string | undefined }> {
  const access_token = randomHex(64)
  const refresh_token = isFinal ? undefined : randomHex(64)
  const now = clock()
  const token = await insertOauthTokenPair(tx, {
    ...grant,
    family,
    digest: digestToken(access_token),
    refresh_digest: refresh_token === undefined ? null : digestToken(refresh_token),
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + limits.oauth.access_token_ms).toISOString(),
  })
  await deleteOldestTokenPairs(tx, grant, limits.oauth.tokens_max)
  return { token, access_token, refresh_token }
}
