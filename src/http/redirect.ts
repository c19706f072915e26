// Redirects: the only place that writes a `Location` header.
import { badRequest } from '../kernel/errors.ts'

/**
 * The target of a redirect. `place` is a path with its query on this server, after its public URL `base`, or without `base`
 * on the requested host. `elsewhere` is a URL that the owner of a site, release or application chose, and that was checked.
 */
export type RedirectTarget = { place: string; base?: string } | { elsewhere: string }

const someHost = 'http://own.invalid'

/** Whether a browser that follows the redirect stays on this server. Parses as browsers do and compares origins. */
export function isLocalRedirect(place: string, base: string = someHost): boolean {
  const { origin } = new URL(base)
  if (!place.startsWith('/')) return false
  return (
    URL.parse(place, base)?.origin === origin && URL.parse(`${origin}${place}`)?.origin === origin
  )
}

/** Returns the value of `Location`, in ASCII; undefined if `place` leads to another server, or is not a valid URL. */
export function findRedirectLocation(target: RedirectTarget): string | undefined {
  if ('elsewhere' in target) {
    return URL.canParse(target.elsewhere) ? inAscii(target.elsewhere) : undefined
  }
  const { place, base } = target
  return isLocalRedirect(place, base) ? inAscii(`${base ?? ''}${place}`) : undefined
}

/** Returns the value of `Location`. Throws 400 if `findRedirectLocation` returns undefined. */
export function redirectLocationOf(target: RedirectTarget): string {
  const location = findRedirectLocation(target)
  if (location === undefined) throw badRequest('invalid address')
  return location
}

const inAscii = (text: string) => text.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent)
