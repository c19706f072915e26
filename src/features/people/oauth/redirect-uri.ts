// Redirect URIs (RFC 6749, section 3.1.2): registered beforehand, and compared as texts.
import { limits } from '../../../kernel/limits.ts'

/** The URI that displays the code instead of redirecting, for programs that cannot receive a redirect. */
export const outOfBandRedirectUri = 'urn:ietf:wg:oauth:2.0:oob'

const forbiddenSchemes = new Set(['data:', 'vbscript:', 'javascript:', 'about:', 'blob:', 'file:'])

/** Returns the validation problems of a list of redirect URIs, one a line. */
export function redirectUriProblems(text: string): string[] {
  const uris = splitRedirectUris(text)
  if (uris.length === 0) return ["can't be blank"]
  if (uris.length > limits.oauth.redirect_uris_max) return ['has too many entries']
  return [...new Set(uris.flatMap(problemsOf))]
}

function problemsOf(uri: string): string[] {
  if (uri === outOfBandRedirectUri) return []
  if (uri.length > limits.oauth.redirect_uri_characters) return ['is too long']
  const url = URL.parse(uri)
  // URIs that a browser would have to normalize are refused.
  if (!url || !/^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(uri)) return ['must be an absolute URI.']
  if (forbiddenSchemes.has(url.protocol)) return ['is forbidden by the server.']
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (isWeb && (!/^https?:\/\/[^/\\]/i.test(uri) || uri.includes('\\'))) {
    return ['must be an absolute URI.']
  }
  if (url.username !== '' || url.password !== '') return ['must be an absolute URI.']
  return uri.includes('#') ? ['cannot contain a fragment.'] : []
}

export function splitRedirectUris(text: string): string[] {
  return text.split(/\s/).filter((uri) => uri !== '')
}

/**
 * Whether a URI is registered. It must match exactly, except for the port of a loopback address, which a program on the
 * user's machine may choose (RFC 8252, section 7.3).
 */
export function isRegisteredRedirectUri(uri: string, registered: string): boolean {
  const own = splitRedirectUris(registered)
  if (own.includes(uri)) return true
  const portless = withoutLoopbackPort(uri)
  return portless !== undefined && own.some((one) => withoutLoopbackPort(one) === portless)
}

function withoutLoopbackPort(uri: string): string | undefined {
  const match = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/[!-~]*)?$/.exec(uri)
  return match && !uri.includes('#') ? `${match[1]}${match[2] || '/'}` : undefined
}

/** Returns the source that a page's policy must allow so that its form can redirect there (CSP3, section 2.3.1). */
export function formActionSource(uri: string): string {
  const { protocol, host } = new URL(uri)
  const isNamed = /^https?:$/.test(protocol) && /^[a-z0-9.-]+(:\d+)?$/.test(host)
  return isNamed ? `${protocol}//${host}` : protocol
}
