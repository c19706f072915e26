// Finds the token of a request (docs/api/conventions.md, "Where tokens are accepted").
import type { IncomingHttpHeaders } from 'node:http'
import { isJobToken } from '../kernel/ids.ts'
import type { RawParameters } from './parameters.ts'

/** Parameters that contain credentials. They are never included in a response. */
export const credentialParameters: ReadonlySet<string> = new Set([
  'private_token',
  'access_token',
  'bearer_token',
  'job_token',
  'sudo',
])

/** Returns the token of a request; parameters have precedence over headers. Undefined if there is none. */
export function findRequestToken(
  headers: IncomingHttpHeaders,
  bag: RawParameters,
): string | undefined {
  return (
    textOf(bag.private_token) ??
    textOf(headers['private-token']) ??
    bearerToken(headers.authorization) ??
    textOf(bag.access_token) ??
    textOf(bag.bearer_token)
  )
}

/** Returns the job token of a request, from the parameter, the header or a bearer token that has the form of one; undefined if there is none. */
export function findRequestJobToken(
  headers: IncomingHttpHeaders,
  bag: RawParameters,
): string | undefined {
  const bearer = bearerToken(headers.authorization)
  return (
    textOf(bag.job_token) ??
    textOf(headers['job-token']) ??
    (bearer && isJobToken(bearer) ? bearer : undefined)
  )
}

/** Returns the bearer token (RFC 6750, section 2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1]
}

/** Returns the credentials of basic authentication (RFC 7617); undefined for another scheme or a malformed header. */
export function basicCredentials(
  authorization: string | undefined,
): { username: string; password: string } | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization ?? '')?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Returns the user that an administrator wants to act as (`sudo`). The parameter has precedence over the header. */
export function findRequestSudo(
  headers: IncomingHttpHeaders,
  bag: RawParameters,
): string | undefined {
  const value = bag.sudo
  return (typeof value === 'number' ? String(value) : textOf(value)) ?? textOf(headers.sudo)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
