import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { invalid } from '../../../kernel/errors.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import { canReceiveEmails, findUser, type User } from '../../../subjects/user.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { consumeLinkToken, findLinkToken, type LinkToken } from '../outgoing-emails/link-token.ts'
import { passwordProblems } from '../users/user-problems.ts'
import { setPassword } from './change-password.ts'
import { unlockSignIn } from './failed-sign-in.store.ts'

/**
 * Sets the password of the user to whom the token was sent, once, and ends all of their sessions; it does not sign in.
 * Throws 400 for a token that is unknown, used, expired, replaced, or was sent to an address that is no longer the
 * account's; then for an invalid password, after which the token stays valid.
 */
export async function resetPassword(
  uses: AuditSource & { config: Config; request: { ip: string } },
  { token: text, password }: { token: string; password: string },
): Promise<void> {
  const { db, clock, config } = uses
  const token = await findLinkToken(db, clock, { purpose: 'reset-password', text })
  if (!token) throw invalidToken()
  await getHolder(db, token)
  const problems = passwordProblems(password)
  if (problems.length > 0) throw invalid({ password: problems })
  const password_digest = await hashPassword(password)
  await runTransaction(db, async (tx) => {
    const user = await getHolder(tx, token)
    if (!(await consumeLinkToken(tx, token))) throw invalidToken()
    // With two-factor authentication the count of failures is kept. Otherwise somebody who reads the user's
    // emails could reset the count again and again, and guess one-time codes without limit.
    if (!user.two_factor_enabled) await unlockSignIn(tx, user.id)
    await setPassword(tx, { clock, config }, { user_id: user.id, password_digest })
    const entity = { kind: 'user', id: user.id } as const
    await recordAuditEvent({ ...uses, db: tx }, { action: 'password_reset', entity })
  })
}

async function getHolder(db: Db, { user_id, email }: LinkToken): Promise<User> {
  const user = await findUser(db, user_id)
  if (!user || !canReceiveEmails(user) || user.email.toLowerCase() !== email) throw invalidToken()
  return user
}

function invalidToken() {
  return invalid({ reset_password_token: ['is invalid'] })
}
