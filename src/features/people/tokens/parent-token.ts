// A token that is created with another one has at most its scopes and its lifetime, and ends with it.

import type { Actor, TokenScope } from '../../../access/actor.ts'
import { credentialRefusal } from '../../../access/credential-refusal.ts'
import type { Db } from '../../../db/db.ts'
import { lockPersonalToken } from './token.store.ts'

/** What a new token inherits from the token it is created with, or which field exceeds that token. */
export type ParentTokenCheckResult =
  | { parent_id: number | null; expires_at: string | null }
  | { excess: 'scopes' | 'expires_at' }

/**
 * Checks a new token against the token of the caller; `expires_at` is a day or a time. Without an expiry it gets the one
 * of its parent. A caller with a session is not limited. Runs in a transaction, until whose end the parent cannot be
 * revoked. Throws 401 if the parent was revoked at this very moment.
 */
export async function checkNewTokenAgainstParent(
  db: Db,
  { token: parent }: Actor,
  { scopes, expires_at }: { scopes: readonly TokenScope[]; expires_at: string | null },
): Promise<ParentTokenCheckResult> {
  if (!parent) return { parent_id: null, expires_at }
  // OAuth tokens may create no tokens: those would outlive the user's revocation of the application.
  if (parent.kind === 'oauth') return { excess: 'scopes' }
  const covers = (scope: TokenScope) => parent.scopes.includes(scope === 'sudo' ? 'sudo' : 'api')
  if (!scopes.every(covers)) return { excess: 'scopes' }
  const held = await lockPersonalToken(db, parent.id)
  if (!held) throw credentialRefusal({ kind: 'gone' })
  const { expires_at: end } = held
  if (
    end !== null &&
    expires_at !== null &&
    tokenExpiryInstant(expires_at) > tokenExpiryInstant(end)
  )
    return { excess: 'expires_at' }
  return { parent_id: parent.id, expires_at: expires_at ?? end }
}

/** Returns when a token expires, as ISO 8601 in UTC: a date means the beginning of that day. */
export function tokenExpiryInstant(end: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(end) ? `${end}T00:00:00.000Z` : end
}

/** The validation problems of a new token that exceeds the one it is created with. */
export const parentTokenProblems = {
  scopes: 'Not permitted to create',
  expires_at: 'Expiration date cannot be later than that of the token it is made with',
} as const
