import { runTransaction } from '../../../db/run-transaction.ts'
import { randomHex } from '../../../kernel/ids.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import type { User } from '../../../subjects/user.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import type { EmailContext } from '../outgoing-emails/email-task.ts'
import { countSessions } from '../sessions/session.ts'
import { setPassword } from './change-password.ts'
import { clearSignInFailures } from './check-password.ts'

/** Sets a random password for an operator at the machine, ends all sessions and unlocks the account. */
export async function setRandomPassword(
  source: AuditSource & EmailContext,
  user: User,
): Promise<{ password: string; ended: number }> {
  const password = randomHex(24)
  const password_digest = await hashPassword(password)
  const ended = await runTransaction(source.db, async (tx) => {
    const count = await countSessions(tx, user.id)
    await clearSignInFailures(tx, user)
    await setPassword(tx, source, { user_id: user.id, password_digest })
    const entity = { kind: 'user', id: user.id } as const
    await recordAuditEvent({ ...source, db: tx }, { action: 'password_reset', entity })
    return count
  })
  return { password, ended }
}
