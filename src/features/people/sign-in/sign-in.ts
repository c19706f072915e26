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
 * The user who gave their name or address, password and, where they want one, a one-time or recovery
 * code; the sign-in is recorded. Throws 401 for anything wrong, in the same words whether the name
 * exists or not, and 403 for an account that may not be used, told only to who has the password. A
 * deactivated account is active again; an expired password signs in, for little more than choosing
 * another one.
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
