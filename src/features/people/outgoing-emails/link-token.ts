// Public functions of link tokens, which links in emails contain. Only their SHA-256 is stored, so an email that is built
// again gets a new token, which invalidates the previous one.
import type { Selectable } from 'kysely'
import type { Db, LinkTokenTable } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { digestToken, randomText } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { upsertLinkToken } from './link-token.store.ts'

export type LinkToken = Selectable<LinkTokenTable>
type Purpose = LinkToken['purpose']
/** A link token is valid for one user, one purpose and the address that it was sent to. */
type Target = { user_id: number; purpose: Purpose; email: string }

const lifetimes_ms: Record<Purpose, number> = {
  'confirm-email': limits.mail.confirmation_ms,
  'reset-password': limits.mail.reset_ms,
}

/** Creates a token that replaces earlier ones. The text is only for the email. */
export async function replaceLinkToken(
  db: Db,
  clock: Clock,
  { user_id, purpose, email }: Target,
): Promise<string> {
  const text = randomText(43)
  await upsertLinkToken(db, {
    user_id,
    purpose,
    email: email.toLowerCase(),
    digest: digestToken(text),
    created_at: timestamp(clock),
    expires_at: new Date(clock().getTime() + lifetimes_ms[purpose]).toISOString(),
  })
  return text
}

/** Returns the token with that text if it is valid. */
export function findLinkToken(
  db: Db,
  clock: Clock,
  { purpose, text }: { purpose: Purpose; text: string },
): Promise<LinkToken | undefined> {
  return db
    .selectFrom('link_tokens')
    .selectAll()
    .where('digest', '=', digestToken(text))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', timestamp(clock))
    .executeTakeFirst()
}

/** Deletes a link token. Returns false if it was consumed or replaced meanwhile. */
export async function consumeLinkToken(tx: Db, { id, digest }: LinkToken): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('link_tokens')
    .where('id', '=', id)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes a user's link tokens for a purpose. */
export async function deleteLinkTokens(tx: Db, user_id: number, purpose: Purpose): Promise<void> {
  await tx
    .deleteFrom('link_tokens')
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .execute()
}

/** Returns those of the users to whom no such email was sent within the last minute. */
export async function listUserIdsWithoutRecentToken(
  db: Db,
  clock: Clock,
  { user_ids, purpose, email }: { user_ids: readonly number[] } & Omit<Target, 'user_id'>,
): Promise<number[]> {
  if (user_ids.length === 0) return []
  const since = new Date(clock().getTime() - limits.mail.interval_ms).toISOString()
  const fresh = await db
    .selectFrom('link_tokens')
    .select('user_id')
    .where('user_id', 'in', user_ids)
    .where('purpose', '=', purpose)
    .where('email', '=', email.toLowerCase())
    .where('created_at', '>', since)
    .execute()
  return user_ids.filter((id) => !fresh.some(({ user_id }) => user_id === id))
}
