// Rotates tokens of all kinds: replaces one by a new one (docs/api/access-tokens.md, "Rotation").
import type { Actor } from '../../../access/actor.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { today } from '../../../kernel/clock.ts'
import { badRequest } from '../../../kernel/errors.ts'
import type { AuditEntity, AuditSource } from '../../basics/audit-events/audit-event.ts'
import { checkNewTokenAgainstParent, type ParentTokenCheckResult } from './parent-token.ts'
import { lockPersonalToken, revokePersonalTokenIfActive } from './token.store.ts'
import {
  insertPersonalToken,
  type PersonalAccessToken,
  recordTokenAuditEvent,
  revokePersonalToken,
  revokeRotatedTokens,
} from './token.ts'

const week_ms = 7 * 24 * 60 * 60_000

/**
 * Revokes the token and creates a new one with the same properties, valid until `expires_at` or for a week. If the token was
 * revoked already, it may have been stolen: all tokens that replaced it are revoked too and 400 is thrown. Call it outside
 * of a transaction, since those revocations must be stored.
 */
export async function rotatePersonalToken(
  context: AuditSource & { actor: Actor },
  token: PersonalAccessToken,
  { expires_at, entity }: { expires_at?: string | null; entity?: AuditEntity },
): Promise<{ token: PersonalAccessToken; text: string }> {
  const { db, clock, actor } = context
  const day = today(clock)
  if (token.revoked) {
    await revokeRotatedTokens(db, token.id)
    throw badRequest('token already revoked')
  }
  if (token.expires_at !== null && token.expires_at <= day) throw badRequest('token has expired')
  if (expires_at && expires_at < day) {
    throw badRequest('Expiration date cannot be in the past')
  }
  const end = expires_at ?? new Date(clock().getTime() + week_ms).toISOString().slice(0, 10)
  const rotated = await runTransaction(db, async (tx) => {
    const source = { ...context, db: tx }
    const isOwn = actor.token?.kind !== 'oauth' && actor.token?.id === token.id
    const by = isOwn ? undefined : await inheritCovering(source, token)
    if (!(await revokePersonalTokenIfActive(tx, token.id))) return undefined
    await revokePersonalToken(tx, token.id)
    const made = await insertPersonalToken(tx, clock, {
      user_id: token.user_id,
      name: token.name,
      scopes: token.scopes as Parameters<typeof insertPersonalToken>[2]['scopes'],
      expires_at: earlier(await earlierOf(tx, token, end), by?.expires_at),
      impersonation: token.impersonation,
      // The caller who rotates the token gets the new one, so it ends with the token of that caller.
      parent_id: by?.parent_id ?? token.parent_id,
      rotated_from_id: token.id,
    })
    await recordTokenAuditEvent(source, 'token_revoked', token, entity)
    await recordTokenAuditEvent(source, 'token_created', made.token, entity)
    return made
  })
  if (rotated) return rotated
  // Another request rotated the same token first.
  await revokeRotatedTokens(db, token.id)
  throw badRequest('token already revoked')
}

/**
 * Returns what the new token inherits from the token that rotates it, which must not obtain a token with more scopes than
 * its own.
 */
async function inheritCovering(
  { db, actor }: AuditSource & { actor: Actor },
  { scopes }: PersonalAccessToken,
): Promise<Exclude<ParentTokenCheckResult, { excess: string }>> {
  const wanted = {
    scopes: scopes as Parameters<typeof checkNewTokenAgainstParent>[2]['scopes'],
    expires_at: null,
  }
  const inherited = await checkNewTokenAgainstParent(db, actor, wanted)
  if ('excess' in inherited) throw badRequest('Not permitted to rotate')
  return inherited
}

const earlier = (end: string, last: string | null | undefined) => (last && last < end ? last : end)

/** Returns the earlier expiry: a token does not outlive the token it was created with. */
async function earlierOf(
  tx: AuditSource['db'],
  { parent_id }: PersonalAccessToken,
  end: string,
): Promise<string> {
  const parent = parent_id === null ? undefined : await lockPersonalToken(tx, parent_id)
  if (parent_id !== null && !parent) throw badRequest('token already revoked')
  return earlier(end, parent?.expires_at)
}
