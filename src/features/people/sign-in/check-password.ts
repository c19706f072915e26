// The only place that compares a password with an account's.

import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { verifyPassword } from '../../../kernel/secrets.ts'
import { findUser, findUserByUsernameOrEmail, type User } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { ipThrottleOf } from '../sessions/ip-throttle.ts'
import {
  incrementSignInFailures,
  recordSignInFailureOfUnknownUser,
  resetSignInFailures,
} from './failed-sign-in.store.ts'

/**
 * Returns the user with that name and password, or undefined. An unknown name, an account without a password and a locked
 * account take as long as a wrong password and give the same result. Throws 403 for a blocked IP address, and 429 or 503 if
 * too many passwords are being checked. The caller then calls `clearSignInFailures` or `recordSignInFailure`.
 */
export async function authenticateByPassword(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  given: { login: string; password: string; ip: string },
): Promise<User | undefined> {
  const user = await findUserByUsernameOrEmail(uses.db, given.login)
  return compare(uses, { ...given, user })
}

/** Verifies the password of a known user, for example one who changes their password. */
export function verifyPasswordOfUser(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  given: { user: User | undefined; password: string; ip: string },
): Promise<User | undefined> {
  return compare(uses, { ...given, login: given.user?.username ?? '' })
}

async function compare(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  given: { login: string; user: User | undefined; password: string; ip: string },
): Promise<User | undefined> {
  const { login, user, password, ip } = given
  const throttle = ipThrottleOf(config)
  const refuseBarred = () => throttle.refuseBarred(ip, clock().getTime())
  refuseBarred()
  const digest = user && !isSignInLocked(user, clock) ? user.password_digest : null
  // Verifications are queued by the given name, so that the waiting time does not reveal whether an account
  // exists.
  const name = login.slice(0, limits.name_characters).toLowerCase()
  // Other guesses may block the address or lock the account while this one waits, so both are checked before
  // and after.
  const isRight = await verifyPassword(password, digest, { name, begin: refuseBarred })
  refuseBarred()
  const current = isRight && user ? await findUser(db, user.id) : undefined
  if (current && current.password_digest === digest && !isSignInLocked(current, clock))
    return current
  await recordSignInFailure({ db, clock, config }, { user, ip })
  return undefined
}

/**
 * Counts a wrong password or code against the account, if it exists, and the IP address. Audit events are recorded only for
 * the first failure since the last sign-in, and when an account is locked or an address is blocked, so that thousands of
 * guesses do not create thousands of events.
 */
export async function recordSignInFailure(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  { user, ip }: { user: Pick<User, 'id' | 'sign_in_locked_until'> | undefined; ip: string },
): Promise<void> {
  const isBarredNow = ipThrottleOf(config).recordFailure(ip, clock().getTime())
  await runTransaction(db, async (tx) => {
    if (user && !isSignInLocked(user, clock))
      await incrementSignInFailures(tx, clock, { user_id: user.id, ip })
    else await recordSignInFailureOfUnknownUser(tx, clock, { ip })
    if (!isBarredNow) return
    const source = { db: tx, clock, request: { ip } }
    const entity = { kind: 'instance', id: 0 } as const
    await recordAuditEvent(source, { action: 'address_barred', entity })
  })
}

/** Resets the count of the account. Call it only after all required credentials were given. */
export async function clearSignInFailures(db: Db, user: User): Promise<void> {
  if (user.failed_sign_ins > 0) await resetSignInFailures(db, user.id)
}

/** Whether sign-in to the account is locked, whatever credentials are given. */
export function isSignInLocked(user: Pick<User, 'sign_in_locked_until'>, clock: Clock): boolean {
  const until = user.sign_in_locked_until
  return until !== null && Date.parse(until) > clock().getTime()
}
