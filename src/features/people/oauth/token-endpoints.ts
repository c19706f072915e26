// The token endpoint: exchanges the grants of clients for tokens (RFC 6749, sections 4 to 6; RFC 8628).

import { createHash } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { findAccountProblem, findUser, type User } from '../../../subjects/user.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import { authenticateByPassword, clearSignInFailures } from '../sign-in/check-password.ts'
import {
  authenticateOauthClient,
  type ClientCredentials,
  findOauthApplicationById,
  isSameDigestConstantTime,
  type OauthApplication,
  scopesOfApplication,
} from './application.ts'
import type { OauthParameters } from './authorization.ts'
import { makeIdToken } from './claims.ts'
import {
  consumeOauthCode,
  findOauthCode,
  findOauthDevice,
  type OauthCode,
  recordOauthDevicePoll,
  updateOauthDeviceState,
} from './oauth-code.store.ts'
import { missingParameter, OauthError, toInvalidGrantError } from './oauth-error.ts'
import { parseScopes, resolveRequestedScopes } from './oauth-scopes.ts'
import {
  consumeOauthTokenPair,
  findOauthTokenPair,
  type OauthToken,
  revokeOauthTokenFamily,
} from './oauth-token.store.ts'
import { createOauthTokenPair, type OauthGrant } from './oauth-token.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>

export type TokenRequest = {
  given: OauthParameters
  client: ClientCredentials | undefined
  ip: string
  baseUrl: string
}

export const deviceCodeGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

export const oauthGrantTypes = [
  'authorization_code',
  'password',
  'client_credentials',
  'refresh_token',
  deviceCodeGrantType,
] as const

/** Returns the body of a successful token response. Throws OauthError. */
export async function exchangeGrantForOauthToken(
  uses: Uses,
  request: TokenRequest,
): Promise<Record<string, unknown>> {
  const type = ownValue(request.given, 'grant_type')
  switch (type) {
    case undefined:
    case '':
      throw missingParameter('grant_type')
    case 'authorization_code':
      return exchangeCode(uses, request)
    case 'refresh_token':
      return refresh(uses, request)
    case 'password':
      return exchangePassword(uses, request)
    case 'client_credentials':
      return exchangeNothing(uses, request)
    case deviceCodeGrantType:
      return exchangeDevice(uses, request)
    default:
      throw new OauthError('unsupported_grant_type')
  }
}

function required({ given }: TokenRequest, name: string): string {
  const value = ownValue(given, name)
  if (value === undefined || value === '') throw missingParameter(name)
  return value
}

/** Returns a user whose account may be used now. */
async function getUserInUse({ db, clock }: Uses, id: number): Promise<User> {
  const user = await findUser(db, id)
  if (!user || findAccountProblem(user, timestamp(clock))) throw new OauthError('invalid_grant')
  return user
}

type Made = Awaited<ReturnType<typeof createOauthTokenPair>>

/**
 * Runs `work` in a transaction. If `work` returns undefined, the transaction is still committed and the
 * request is refused with `invalid_grant`.
 */
async function inOneGo({ db }: Uses, work: (tx: Db) => Promise<Made | undefined>): Promise<Made> {
  const made = await runTransaction(db, work)
  if (!made) throw new OauthError('invalid_grant')
  return made
}

async function answer(
  uses: Uses,
  { baseUrl }: TokenRequest,
  { token, access_token, refresh_token }: Made,
  { application, nonce }: { application: OauthApplication | undefined; nonce: string | null },
): Promise<Record<string, unknown>> {
  const { user_id, scopes } = token
  const hasIdToken = application && user_id !== null && scopes.includes('openid')
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: limits.oauth.access_token_ms / 1000,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    scope: scopes.join(' '),
    created_at: Math.floor(Date.parse(token.created_at) / 1000),
    ...(hasIdToken
      ? {
          id_token: await makeIdToken(
            uses,
            { ...token, user_id },
            { audience: application.uid, nonce, access_token, baseUrl },
          ),
        }
      : {}),
  }
}

/**
 * Exchanges a code, which is valid once: a second use revokes the tokens that it was exchanged for (RFC 6749, section
 * 4.1.2).
 */
async function exchangeCode(uses: Uses, request: TokenRequest): Promise<Record<string, unknown>> {
  const application = await authenticateOauthClient(uses.db, request.client)
  const text = required(request, 'code')
  const redirect_uri = required(request, 'redirect_uri')
  const code = await findOauthCode(uses.db, digestToken(text))
  const now = timestamp(uses.clock)
  const isTheirs = code?.application_id === application.id
  if (!code || !isTheirs) throw new OauthError('invalid_grant')
  if (code.used_at !== null) {
    await revokeOauthTokenFamily(uses.db, code.family, now)
    throw new OauthError('invalid_grant')
  }
  const isSound =
    code.expires_at > now &&
    code.redirect_uri === redirect_uri &&
    isProven(code, ownValue(request.given, 'code_verifier'))
  if (!isSound) throw new OauthError('invalid_grant')
  const { id } = await getUserInUse(uses, code.user_id)
  const made = await inOneGo(uses, async (tx) => {
    if (!(await consumeOauthCode(tx, code.id, now))) {
      await revokeOauthTokenFamily(tx, code.family, now)
      return undefined
    }
    const { scopes, family, auth_time } = code
    const application_id = application.id
    return createOauthTokenPair(tx, uses.clock, {
      application_id,
      user_id: id,
      scopes,
      family,
      auth_time,
    })
  })
  return answer(uses, request, made, { application, nonce: code.nonce })
}

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/** Returns whether the client that sends the code is the one that requested it (RFC 7636, section 4.6). */
function isProven(
  { code_challenge, code_challenge_method }: OauthCode,
  verifier: string | undefined,
): boolean {
  // If a client sends a verifier for a code without a challenge, somebody may have removed the challenge from
  // its request.
  if (code_challenge === null) return verifier === undefined || verifier === ''
  if (verifier === undefined || !verifierPattern.test(verifier)) return false
  const shown =
    code_challenge_method === 'S256'
      ? createHash('sha256').update(verifier).digest('base64url')
      : verifier
  return isSameDigestConstantTime(shown, code_challenge)
}

/**
 * Exchanges a refresh token. The old pair ends at once. A second use means that somebody else has used the token, so all
 * tokens of the sign-in are revoked (RFC 9700, section 4.14.2).
 */
async function refresh(uses: Uses, request: TokenRequest): Promise<Record<string, unknown>> {
  const { client, given } = request
  const text = required(request, 'refresh_token')
  const pair = await findOauthTokenPair(uses.db, { refresh_digest: digestToken(text) })
  const isFree = pair?.application_id === null && !client
  const application = isFree ? undefined : await authenticateOauthClient(uses.db, client)
  if (!pair || pair.application_id !== (application?.id ?? null)) {
    throw new OauthError('invalid_grant')
  }
  const now = timestamp(uses.clock)
  if (pair.revoked_at !== null) {
    await revokeOauthTokenFamily(uses.db, pair.family, now)
    throw new OauthError('invalid_grant')
  }
  const scopes = resolveRequestedScopes(
    ownValue(given, 'scope'),
    parseScopes(pair.scopes.join(' ')) ?? [],
  )
  if (pair.user_id !== null) await getUserInUse(uses, pair.user_id)
  const made = await inOneGo(uses, async (tx) => {
    if (!(await consumeOauthTokenPair(tx, pair.id, now))) {
      await revokeOauthTokenFamily(tx, pair.family, now)
      return undefined
    }
    return createOauthTokenPair(tx, uses.clock, { ...grantOf(pair), scopes })
  })
  return answer(uses, request, made, { application, nonce: null })
}

function grantOf({ application_id, user_id, scopes, family, auth_time }: OauthToken): OauthGrant {
  return { application_id, user_id, scopes, family, auth_time }
}

/** Exchanges a user's password, if the password alone is enough to sign in (docs/api/oauth.md, "Passwords"). */
async function exchangePassword(
  uses: Uses,
  request: TokenRequest,
): Promise<Record<string, unknown>> {
  const { client, given, ip } = request
  const application = client && (await authenticateOauthClient(uses.db, client))
  const login = required(request, 'username')
  const password = required(request, 'password')
  const allowed = application ? scopesOfApplication(application) : undefined
  const usual = !allowed || allowed.includes('api') ? 'api' : allowed.join(' ')
  const asked = ownValue(given, 'scope') || usual
  const scopes = resolveRequestedScopes(asked, allowed ?? parseScopes(asked) ?? [])
  const { db, clock } = uses
  if (!(await readSettingOrDefault(db, 'password_authentication_enabled_for_web'))) {
    throw new OauthError('invalid_grant')
  }
  const user = await authenticateByPassword(uses, { login, password, ip }).catch((error) => {
    throw toInvalidGrantError(error)
  })
  // With two-factor authentication failures are not reset, since the caller has proven the password only, as
  // with git.
  if (!user || user.two_factor_enabled) throw new OauthError('invalid_grant')
  await clearSignInFailures(db, user)
  await getUserInUse(uses, user.id)
  const auth_time = timestamp(clock)
  const application_id = application?.id ?? null
  const made = await inOneGo(uses, (tx) =>
    createOauthTokenPair(tx, clock, { application_id, user_id: user.id, scopes, auth_time }),
  )
  return answer(uses, request, made, { application, nonce: null })
}

/** Issues a token for the application itself, which acts as no user. */
async function exchangeNothing(
  uses: Uses,
  request: TokenRequest,
): Promise<Record<string, unknown>> {
  const application = await authenticateOauthClient(uses.db, request.client)
  // An application without a secret cannot authenticate: anyone could claim to be it.
  if (!application.confidential) throw new OauthError('unauthorized_client')
  const scopes = resolveRequestedScopes(
    ownValue(request.given, 'scope'),
    scopesOfApplication(application),
  )
  const made = await inOneGo(uses, (tx) =>
    createOauthTokenPair(tx, uses.clock, {
      application_id: application.id,
      user_id: null,
      scopes,
      auth_time: null,
      isFinal: true,
    }),
  )
  return answer(uses, request, made, { application, nonce: null })
}

/** Responds to a device that polls for its user's consent (RFC 8628, section 3.5). */
async function exchangeDevice(uses: Uses, request: TokenRequest): Promise<Record<string, unknown>> {
  const { db, clock } = uses
  const application = await authenticateOauthClient(db, request.client)
  const text = required(request, 'device_code')
  const device = await findOauthDevice(db, { digest: digestToken(text) })
  if (device?.application_id !== application.id || device.state === 'used') {
    throw new OauthError('invalid_grant')
  }
  const now = clock()
  if (device.expires_at <= now.toISOString()) throw new OauthError('expired_token')
  if (device.state === 'denied') throw new OauthError('access_denied')
  if (device.state === 'pending' || device.user_id === null) {
    const due_ms =
      device.polled_at === null ? 0 : Date.parse(device.polled_at) + device.interval_s * 1000
    const isEarly = now.getTime() < due_ms
    const { poll_interval_s, poll_interval_s_max } = limits.oauth
    const interval_s = isEarly
      ? Math.min(device.interval_s + poll_interval_s, poll_interval_s_max)
      : device.interval_s
    await recordOauthDevicePoll(db, { id: device.id, polled_at: now.toISOString(), interval_s })
    throw new OauthError(isEarly ? 'slow_down' : 'authorization_pending')
  }
  const { user_id, scopes, auth_time } = device
  await getUserInUse(uses, user_id)
  const made = await inOneGo(uses, async (tx) => {
    const isFirst = await updateOauthDeviceState(tx, device.id, { from: 'allowed', state: 'used' })
    const application_id = application.id
    return isFirst
      ? createOauthTokenPair(tx, clock, { application_id, user_id, scopes, auth_time })
      : undefined
  })
  return answer(uses, request, made, { application, nonce: null })
}

/** Revokes a token and the tokens it was refreshed from (RFC 7009); an unknown token is not an error. */
export async function revokeOauthToken(uses: Uses, request: TokenRequest): Promise<void> {
  const { db, clock } = uses
  const application = request.client && (await authenticateOauthClient(db, request.client))
  const text = required(request, 'token')
  const pair = await findByEither(db, text)
  if (!pair) return
  const owner =
    pair.application_id === null
      ? undefined
      : await findOauthApplicationById(db, pair.application_id)
  // For an application without a secret, the token itself is the only proof that a client can give.
  const isTheirs = application ? application.id === pair.application_id : !owner?.confidential
  if (!isTheirs) {
    throw new OauthError('unauthorized_client', {
      status: 403,
      text: 'You are not authorized to revoke this token',
    })
  }
  await revokeOauthTokenFamily(db, pair.family, timestamp(clock))
}

async function findByEither(db: Db, text: string): Promise<OauthToken | undefined> {
  const digest = digestToken(text)
  return (
    (await findOauthTokenPair(db, { digest })) ?? findOauthTokenPair(db, { refresh_digest: digest })
  )
}

/** Returns what a client may know about a token that it received (RFC 7662). */
export async function introspectOauthToken(
  uses: Uses,
  request: TokenRequest,
): Promise<Record<string, unknown>> {
  const { db, clock } = uses
  const application = await authenticateOauthClient(db, request.client)
  if (!application.confidential) throw new OauthError('invalid_client')
  const pair = await findByEither(db, required(request, 'token'))
  const now = timestamp(clock)
  const isLive =
    pair?.application_id === application.id && pair.revoked_at === null && pair.expires_at > now
  if (!isLive) return { active: false }
  const user = pair.user_id === null ? undefined : await findUser(db, pair.user_id)
  if (pair.user_id !== null && (!user || findAccountProblem(user, now))) return { active: false }
  return {
    active: true,
    scope: pair.scopes.join(' '),
    client_id: application.uid,
    token_type: 'Bearer',
    exp: Math.floor(Date.parse(pair.expires_at) / 1000),
    iat: Math.floor(Date.parse(pair.created_at) / 1000),
    iss: request.baseUrl,
    ...(user ? { sub: String(user.id), username: user.username } : {}),
  }
}

/** Returns a valid token with its application's id, for endpoints that describe tokens. */
export async function findActiveOauthToken(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  text: string,
): Promise<{ token: OauthToken; uid: string | null } | undefined> {
  const token = await findOauthTokenPair(db, { digest: digestToken(text) })
  const now = timestamp(clock)
  if (!token || token.revoked_at !== null || token.expires_at <= now) return undefined
  const user = token.user_id === null ? undefined : await findUser(db, token.user_id)
  if (token.user_id !== null && (!user || findAccountProblem(user, now))) return undefined
  const application =
    token.application_id === null
      ? undefined
      : await findOauthApplicationById(db, token.application_id)
  return { token, uid: application?.uid ?? null }
}
