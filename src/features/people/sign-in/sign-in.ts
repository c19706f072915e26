import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { otpRequired, unauthorized } from '../../../kernel/errors.ts'
import {
  actorUserFromUser,
  ensureAccountUsable,
  findUser,
  type User,
} from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  authenticateByPassword,
  clearSignInFailures,
  recordSignInFailure,
} from './check-password.ts'
import { updateLastSignIn } from './sign-in.store.ts'
import { consumeTwoFactorCode } from './two-factor.ts'

/**
 * Signs in a user with username or email address, password and, if enabled, a one-time or recovery code. Throws 401 for
 * wrong credentials, with the same message whether or not the account exists. Throws 403 for an account that may not be
 * used, but only if the password is correct. A deactivated account becomes active again. With an expired password the user
 * can do little more than choose another one.
 */
export async function signIn(
  uses: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>,
  given: { login: string; password: string; otp: string | undefined; ip: string },
): Promise<User> {
  const { db, clock } = uses
  const user = await authenticateByPassword(uses, given)
  if (!user) throw unauthorized()
  if (user.two_factor_enabled) {
    if (given.otp === undefined) throw otpRequired()
    if (!(await consumeTwoFactorCode(uses, user, given.otp))) {
      await recordSignInFailure(uses, { user, ip: given.ip })
      throw otpRequired()
    }
  }
  await clearSignInFailures(db, user)
  const state = user.state === 'deactivated' ? 'active' : user.state
  ensureAccountUsable({ ...user, state, password_expires_at: null }, timestamp(clock))
  return recordSignIn(db, clock, { ...user, state }, given.ip)
}

async function recordSignIn(db: Db, clock: Clock, user: User, ip: string): Promise<User> {
  await runTransaction(db, async (tx) => {
    await updateLastSignIn(tx, { id: user.id, state: user.state, ip, now: timestamp(clock) })
    const entity = { kind: 'user', id: user.id } as const
    const source = { db: tx, clock, actor: { user: actorUserFromUser(user) }, request: { ip } }
    await recordAuditEvent(source, { action: 'signed_in', entity })
  })
  return (await findUser(db, user.id)) ?? user
}
