// The URL of a mirror: validation, how it is shown, and its secret parts.
import { isIP } from 'node:net'
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AddressPolicy, hostOfUrl } from '../../../outgoing/address-policy.ts'

/** Returns the validation problems of a URL. Host names are resolved only when the mirror is used. */
export function mirrorUrlProblems(text: string, reach: AddressPolicy): FieldErrors {
  const problem = (what: string) => ({ url: [what] })
  const maximum = limits.remote_mirrors.url_characters
  if (text.trim() === '') return problem("can't be blank")
  if (text.length > maximum) return problem(`is too long (maximum is ${maximum} characters)`)
  if (!/^https?:\/\//i.test(text)) {
    return problem('is blocked: Only allowed schemes are http, https')
  }
  const url = URL.parse(text)
  if (!url || /\s/.test(text)) return problem('is blocked: URI is invalid')
  const host = hostOfUrl(url)
  const isLocalName = host === 'localhost' || host.endsWith('.localhost')
  if (isLocalName && !reach('127.0.0.1', host)) {
    return problem('is blocked: Requests to localhost are not allowed')
  }
  if (isIP(host) !== 0 && !reach(host, host)) {
    return problem('is blocked: Requests to the local network are not allowed')
  }
  return {}
}

/** Returns a URL without its user name and password. */
export function maskUrlCredentials(text: string): string {
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  const plain = text.replace(/^(https?:)[\\/]+/i, '$1//')
  return plain.replace(/^(https?:\/\/)[^/?#]*@/i, '$1*****:*****@')
}

/** Returns the URL without its username and password, and these in the form for basic authentication. */
export function splitUrlCredentials(text: string): { url: URL; credentials: string | undefined } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url, credentials: undefined }
  return { url, credentials: `${decode(username)}:${decode(password)}` }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
