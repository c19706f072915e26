// The device flow (RFC 8628): a device without a browser shows a code, which its user enters elsewhere.
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { digestToken, randomCapitalLetters, randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import type { AuditSource } from '../../basics/audit-events/audit-event.ts'
import {
  findOauthApplicationById,
  type OauthApplication,
  scopesOfApplication,
} from './application.ts'
import { recordApplicationAllowed } from './authorization.ts'
import {
  findOauthDevice,
  insertOauthDevice,
  type OauthDevice,
  updateOauthDeviceState,
} from './oauth-code.store.ts'
import { OauthError } from './oauth-error.ts'
import { resolveRequestedScopes } from './oauth-scopes.ts'

const { device_ms, poll_interval_s } = limits.oauth
const code_letters = 8

/** Starts a device authorization and returns the response of `/oauth/authorize_device`. */
export async function startDeviceFlow(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  application: OauthApplication,
  { scope, baseUrl }: { scope: string | undefined; baseUrl: string },
): Promise<Record<string, unknown>> {
  const scopes = resolveRequestedScopes(scope, scopesOfApplication(application))
  if (scopes.length === 0) throw new OauthError('invalid_scope')
  const device_code = randomHex(64)
  const letters = randomCapitalLetters(code_letters)
  await insertOauthDevice(db, {
    digest: digestToken(device_code),
    user_code_digest: digestToken(letters),
    application_id: application.id,
    scopes,
    state: 'pending',
    interval_s: poll_interval_s,
    created_at: timestamp(clock),
    expires_at: new Date(clock().getTime() + device_ms).toISOString(),
  })
  const user_code = `${letters.slice(0, 4)}-${letters.slice(4)}`
  const verification_uri = `${baseUrl}/oauth/device`
  return {
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in: device_ms / 1000,
    interval: poll_interval_s,
  }
}

/** Returns the device that waits for the code a user typed; undefined if there is none. */
export async function findWaitingDevice(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  typed: string,
): Promise<{ device: OauthDevice; application: OauthApplication } | undefined> {
  const letters = typed.replace(/[^A-Za-z]/g, '').toUpperCase()
  if (letters.length !== code_letters) return undefined
  const device = await findOauthDevice(db, { user_code_digest: digestToken(letters) })
  const isWaiting = device?.state === 'pending' && device.expires_at > timestamp(clock)
  const application = isWaiting && (await findOauthApplicationById(db, device.application_id))
  return application ? { device, application } : undefined
}

/** Stores whether the user allowed the device. Returns false if it was answered before. Requires a transaction. */
export async function approveOrDenyDevice(
  source: AuditSource,
  { device, application }: { device: OauthDevice; application: OauthApplication },
  { user_id, auth_time, isAllowed }: { user_id: number; auth_time: string; isAllowed: boolean },
): Promise<boolean> {
  const { db } = source
  if (!isAllowed) return updateOauthDeviceState(db, device.id, { from: 'pending', state: 'denied' })
  const fields = { from: 'pending', state: 'allowed', user_id, auth_time } as const
  if (!(await updateOauthDeviceState(db, device.id, fields))) return false
  await recordApplicationAllowed(source, { application, scopes: device.scopes, user_id })
  return true
}
