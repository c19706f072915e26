// Public functions of two-factor sign-in: one-time codes (RFC 6238) and recovery codes.

import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret, sealSecret } from '../../../kernel/secrets.ts'
import type { User } from '../../../subjects/user.ts'
import {
  consumeTotpTimeStep,
  deleteRecoveryCode,
  replaceRecoveryCodes,
  updateTwoFactorFields,
} from './two-factor.store.ts'

/** A code is valid in its own 30 seconds and in the 30 seconds before and after. */
const window_steps = 1

/** Stores a new sealed secret for the user's device. It is in effect once a code has confirmed it. */
export async function startTwoFactorSetup(
  { db, secretKey }: Pick<Instance, 'db' | 'secretKey'>,
  user: User,
  { issuer }: { issuer: string },
): Promise<{ secret: string; otpauth_uri: string }> {
  const secret = new Secret({ size: 20 })
  const two_factor_secret = sealSecret(secretKey, secret.base32)
  await updateTwoFactorFields(db, user.id, { two_factor_secret, two_factor_last_step: null })
  const otpauth_uri = new TOTP({ issuer, label: user.username, secret }).toString()
  return { secret: secret.base32, otpauth_uri }
}

/**
 * Uses up a one-time code or a recovery code, and returns whether it was valid. A recovery code is deleted; no
 * one-time code is accepted twice, nor an earlier one after it (RFC 6238, section 5.2).
 */
export async function consumeTwoFactorCode(
  uses: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
  user: User,
  code: string,
): Promise<boolean> {
  const given = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(given)) return consumeTotpCode(uses, user, given)
  return deleteRecoveryCode(uses.db, user.id, digestToken(given.toLowerCase()))
}

/** Uses up a one-time code, which shows that the device works, and returns whether it was valid. */
export async function consumeTotpCode(
  { db, clock, secretKey }: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
  user: User,
  code: string,
): Promise<boolean> {
  if (user.two_factor_secret === null) return false
  const totp = new TOTP({
    secret: Secret.fromBase32(openSecret(secretKey, user.two_factor_secret)),
  })
  const now_ms = clock().getTime()
  const delta = totp.validate({ token: code, timestamp: now_ms, window: window_steps })
  if (delta === null) return false
  return consumeTotpTimeStep(db, user.id, TOTP.counter({ timestamp: now_ms }) + delta)
}

/** Replaces the recovery codes and returns the new ones. Only their digests are stored, so they are shown only once. */
export async function replaceRecoveryCodesWithNew(db: Db, user_id: number): Promise<string[]> {
  const codes = Array.from({ length: limits.sign_in.recovery_codes }, () =>
    randomBytes(8).toString('hex'),
  )
  await replaceRecoveryCodes(db, user_id, codes.map(digestToken))
  return codes
}

export async function disableTwoFactor(db: Db, user_id: number): Promise<void> {
  await updateTwoFactorFields(db, user_id, {
    two_factor_enabled: false,
    two_factor_secret: null,
    two_factor_last_step: null,
  })
  await replaceRecoveryCodes(db, user_id, [])
}
