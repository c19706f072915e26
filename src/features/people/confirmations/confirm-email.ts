import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { ApiError, invalid } from '../../../kernel/errors.ts'
import { canReceiveEmails, findUser, type User } from '../../../subjects/user.ts'
import { confirmSecondaryEmail, lockEmailAddressTables } from '../emails/email.ts'
import { acceptInvitations } from '../members/accept-invitations.ts'
import { consumeLinkToken, findLinkToken } from '../outgoing-emails/link-token.ts'
import { findPendingAddress, type PendingAddress } from '../outgoing-emails/pending-address.ts'
import { updateUser } from '../users/update-user.ts'

/**
 * Confirms the email address that the token was sent to, if it is still waiting, in the caller's transaction. Invitations to
 * the address become the user's. Throws 400 for a token that is unknown, used, expired or replaced, and for an address that
 * was taken meanwhile.
 */
export async function confirmEmail(tx: Db, clock: Clock, text: string): Promise<void> {
  const token = await findLinkToken(tx, clock, { purpose: 'confirm-email', text })
  if (!token) throw invalidToken()
  // The lock comes before the user is read, so that concurrent changes of the address wait.
  await lockEmailAddressTables(tx)
  const user = await findUser(tx, token.user_id)
  if (!user || !canReceiveEmails(user)) throw invalidToken()
  const pending = await findPendingAddress(tx, user, token.email)
  if (!pending || !(await consumeLinkToken(tx, token))) throw invalidToken()
  await confirm(tx, clock, user, pending)
  await acceptInvitations(tx, clock, { id: user.id, email: pending.email })
}

function invalidToken() {
  return invalid({ confirmation_token: ['is invalid'] })
}

async function confirm(tx: Db, clock: Clock, user: User, pending: PendingAddress): Promise<void> {
  const confirmed_at = timestamp(clock)
  if (pending.kind === 'secondary') {
    await confirmSecondaryEmail(tx, pending.id, confirmed_at)
    return
  }
  const moved = { email: pending.email, unconfirmed_email: null }
  const changes = { confirmed_at, ...(pending.kind === 'new' ? moved : {}) }
  try {
    await updateUser(tx, clock, { user, changes })
  } catch (error) {
    // The 404 for administrators who change an address is replaced by a validation error.
    if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    throw invalid({ email: ['has already been taken'] })
  }
}
