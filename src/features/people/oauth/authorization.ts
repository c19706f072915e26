// Validates authorization requests and creates codes (RFC 6749, section 4.1; RFC 7636; OpenID Connect Core, section
// 3.1.2).
import type { OauthScope } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { digestToken, randomHex } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  findOauthApplicationByClientId,
  type OauthApplication,
  scopesOfApplication,
} from './application.ts'
import { insertOauthCode } from './oauth-code.store.ts'
import { missingParameter, OauthError } from './oauth-error.ts'
import { resolveRequestedScopes } from './oauth-scopes.ts'
import { listScopesGrantedToApplication } from './oauth-token.store.ts'
import { isRegisteredRedirectUri } from './redirect-uri.ts'

/** The parameters of a request, each once. */
export type OauthParameters = Readonly<Record<string, string>>

/** Where a response goes, whether it is a code or an error. */
export type AuthorizationReturn = {
  redirect_uri: string
  state: string | undefined
  response_mode: 'query' | 'fragment'
}

export type AuthorizationRequest = AuthorizationReturn & {
  application: OauthApplication
  scopes: OauthScope[]
  nonce: string | null
  code_challenge: string | null
  code_challenge_method: 'plain' | 'S256' | null
  prompt: readonly string[]
  max_age_s: number | undefined
}

/** A request, validated as far as possible. */
export type AuthorizationRequestResult =
  /** The redirect URI cannot be trusted, so a page shows the reason instead of a redirect. */
  | { kind: 'lost'; reason: 'unknown-application' | 'unregistered-redirect-uri' }
  | { kind: 'refused'; to: AuthorizationReturn; error: OauthError }
  | { kind: 'sound'; request: AuthorizationRequest }

/** Validates a request to `/oauth/authorize`. Errors are never redirected to an unregistered URI. */
export async function validateAuthorizationRequest(
  db: Db,
  given: OauthParameters,
): Promise<AuthorizationRequestResult> {
  const client_id = ownValue(given, 'client_id') ?? ''
  const application = await findOauthApplicationByClientId(db, client_id)
  if (!application) return { kind: 'lost', reason: 'unknown-application' }
  const redirect_uri = ownValue(given, 'redirect_uri') ?? ''
  if (!isRegisteredRedirectUri(redirect_uri, application.redirect_uri)) {
    return { kind: 'lost', reason: 'unregistered-redirect-uri' }
  }
  const state = ownValue(given, 'state')
  const isFragment = ownValue(given, 'response_mode') === 'fragment'
  const to = { redirect_uri, state, response_mode: isFragment ? 'fragment' : 'query' } as const
  try {
    return { kind: 'sound', request: { ...to, application, ...readWishes(application, given) } }
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    return { kind: 'refused', to, error }
  }
}

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

function readWishes(application: OauthApplication, given: OauthParameters) {
  const long = Object.values(given).some((text) => text.length > limits.oauth.parameter_characters)
  if (long) throw new OauthError('invalid_request')
  const response_type = ownValue(given, 'response_type')
  if (response_type === undefined || response_type === '') throw missingParameter('response_type')
  if (response_type !== 'code') throw new OauthError('unsupported_response_type')
  const mode = ownValue(given, 'response_mode')
  if (mode !== undefined && mode !== 'query' && mode !== 'fragment') {
    throw new OauthError('invalid_request', { text: 'The response mode is not supported.' })
  }
  if (ownValue(given, 'request') !== undefined || ownValue(given, 'request_uri') !== undefined) {
    throw new OauthError('request_not_supported')
  }
  const nonce = ownValue(given, 'nonce') || null
  if (nonce !== null && nonce.length > limits.oauth.nonce_characters) {
    throw new OauthError('invalid_request')
  }
  const scopes = resolveRequestedScopes(ownValue(given, 'scope'), scopesOfApplication(application))
  if (scopes.length === 0) throw new OauthError('invalid_scope')
  const prompt = (ownValue(given, 'prompt') ?? '').split(' ').filter((word) => word !== '')
  if (prompt.includes('none') && prompt.length > 1) throw new OauthError('invalid_request')
  return { scopes, nonce, prompt, max_age_s: readAge(given), ...readChallenge(given) }
}

function readAge(given: OauthParameters): number | undefined {
  const text = ownValue(given, 'max_age')
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,9}$/.test(text)) throw new OauthError('invalid_request')
  return Number(text)
}

function readChallenge(
  given: OauthParameters,
): Pick<AuthorizationRequest, 'code_challenge' | 'code_challenge_method'> {
  const code_challenge = ownValue(given, 'code_challenge') || null
  const method = ownValue(given, 'code_challenge_method') || 'plain'
  if (code_challenge === null) {
    if (ownValue(given, 'code_challenge_method')) throw missingParameter('code_challenge')
    return { code_challenge, code_challenge_method: null }
  }
  if (method !== 'plain' && method !== 'S256') {
    throw new OauthError('invalid_request', {
      text: 'The code challenge method must be plain or S256.',
    })
  }
  if (!verifierPattern.test(code_challenge)) {
    throw new OauthError('invalid_request', { text: 'The code challenge is malformed.' })
  }
  return { code_challenge, code_challenge_method: method }
}

/**
 * Whether the user is not asked for consent: the application is trusted, or it has a secret and already has tokens
 * with these scopes. A program without a secret may pretend to be another one.
 */
export async function isConsentSkipped(
  db: Db,
  { application, scopes }: Pick<AuthorizationRequest, 'application' | 'scopes'>,
  user_id: number,
): Promise<boolean> {
  if (application.trusted) return true
  if (!application.confidential) return false
  const by = { application_id: application.id, user_id }
  const granted = await listScopesGrantedToApplication(db, by, limits.oauth.tokens_max)
  return granted.some(
    (held) => held.length === scopes.length && scopes.every((scope) => held.includes(scope)),
  )
}

/** Creates a code for the scopes that a user has granted, and an audit event if the user was asked. Runs in a transaction. */
export async function createAuthorizationCode(
  source: AuditSource,
  request: AuthorizationRequest,
  { user_id, auth_time, isAsked }: { user_id: number; auth_time: string; isAsked: boolean },
): Promise<string> {
  const { db, clock } = source
  const code = randomHex(64)
  const { application, redirect_uri, scopes, nonce, code_challenge, code_challenge_method } =
    request
  await insertOauthCode(db, {
    digest: digestToken(code),
    application_id: application.id,
    user_id,
    redirect_uri,
    scopes,
    nonce,
    code_challenge,
    code_challenge_method,
    auth_time,
    family: randomHex(32),
    created_at: timestamp(clock),
    expires_at: new Date(clock().getTime() + limits.oauth.code_ms).toISOString(),
  })
  if (isAsked) await recordApplicationAllowed(source, { application, scopes, user_id })
  return code
}

export async function recordApplicationAllowed(
  source: AuditSource,
  {
    application: { id, name },
    scopes,
    user_id,
  }: { application: OauthApplication; scopes: readonly string[]; user_id: number },
): Promise<void> {
  await recordAuditEvent(source, {
    action: 'application_allowed',
    entity: { kind: 'user', id: user_id },
    target: { kind: 'application', id, name },
    details: { scopes },
  })
}

/** Returns the redirect URI with a response in it (RFC 6749, section 4.1.2). */
export function buildAuthorizationRedirect(
  { redirect_uri, state, response_mode }: AuthorizationReturn,
  answer: Readonly<Record<string, string>>,
): string {
  const fields = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }) })
  const mark = response_mode === 'fragment' ? '#' : redirect_uri.includes('?') ? '&' : '?'
  return `${redirect_uri}${mark}${fields}`
}
