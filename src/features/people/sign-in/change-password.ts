import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import type { User } from '../../../subjects/user.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import type { EmailContext } from '../outgoing-emails/email-task.ts'
import { invalidateResetLinksAndNotify } from '../outgoing-emails/password-reset.tasks.ts'
import {
  passwordStampOf,
  removeOtherSessions,
  updateSessionPasswordStamp,
} from '../sessions/session.ts'
import { clearSignInFailures } from './check-password.ts'
import { savePassword } from './sign-in.store.ts'

/** Sets a user's password, which is then no longer expired, and ends all sessions except `session_id`. */
export async function changePassword(
  source: AuditSource & EmailContext,
  { user, password, session_id }: { user: User; password: string; session_id: number | undefined },
): Promise<void> {
  const password_digest = await hashPassword(password)
  await runTransaction(source.db, async (tx) => {
    await clearSignInFailures(tx, user)
    await setPassword(tx, source, { user_id: user.id, password_digest, session_id })
    const entity = { kind: 'user', id: user.id } as const
    await recordAuditEvent({ ...source, db: tx }, { action: 'password_changed', entity })
  })
}

/** Sets a password that is already hashed, in the caller's transaction. */
export async function setPassword(
  tx: Db,
  cause: EmailContext,
  {
    user_id,
    password_digest,
    session_id,
  }: { user_id: number; password_digest: string; session_id?: number },
): Promise<void> {
  await savePassword(tx, { id: user_id, password_digest, now: timestamp(cause.clock) })
  await removeOtherSessions(tx, user_id, { except: session_id })
  await invalidateResetLinksAndNotify(tx, cause, user_id)
  if (session_id === undefined) return
  const password_stamp = passwordStampOf({ password_digest })
  await updateSessionPasswordStamp(tx, { id: session_id, password_stamp })
}
