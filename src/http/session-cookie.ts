// The session cookie, and the token that proves that a request was made by one of our own pages.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie } from 'cookie'
import { ownValue } from '../kernel/own-value.ts'

/**
 * Returns the name of the session cookie for a base URL. With https it has a prefix by which browsers ensure that no other
 * host of the domain has set it (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-bloomery_session' : 'bloomery_session'
}

/** Returns the value of the session cookie; undefined if the request has none. */
export function findSessionCookie(
  { cookie }: IncomingHttpHeaders,
  baseUrl: string,
): string | undefined {
  const cookies = parseCookie(cookie ?? '', { decode: (text) => text })
  return ownValue(cookies, sessionCookieName(baseUrl)) || undefined
}

/**
 * Returns `Set-Cookie` values for a session, or for deleting it if the value is empty (RFC 6265, section 4.1). The second
 * cookie tells the scripts of pages that there is a session, so that visitors need not ask; it is not a credential.
 */
export function sessionCookies(
  value: string,
  { baseUrl, age_s }: { baseUrl: string; age_s: number },
): string[] {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const [place, rest] = [`Path=/; Max-Age=${age_s}`, `SameSite=Lax${secure}`]
  return [
    `${sessionCookieName(baseUrl)}=${value}; ${place}; HttpOnly; ${rest}`,
    `bloomery_signed_in=${value === '' ? '' : 1}; ${place}; ${rest}`,
  ]
}

/**
 * Returns the token that a page must send as `X-CSRF-Token`. It is derived from the session cookie, which scripts cannot
 * read, so only a page of this server knows it. The cookie cannot be derived from it.
 */
export function csrfTokenOf(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url')
}

/** Whether a request may use the session cookie: reads always, other requests only with the CSRF token. */
export function isCsrfSafeRequest(
  cookie: string,
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''))
  const expected = Buffer.from(csrfTokenOf(cookie))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
