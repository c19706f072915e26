// Redirects: the only place that writes a `Location` header.
import { badRequest } from '../kernel/errors.ts'

/**
 * `place` is a path with its query on this server, after `base`, its public URL, or without it on the host that was
 * asked; `elsewhere` an address that the owner of a site or release or an application has chosen, and that was
 * checked as such.
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

/** The value of `Location`, in ASCII; undefined for a place that is another server's, and for no address at all. */
export function findRedirectLocation(target: RedirectTarget): string | undefined {
  if ('elsewhere' in target) {
    return URL.canParse(target.elsewhere) ? inAscii(target.elsewhere) : undefined
  }
  const { place, base } = target
  return isLocalRedirect(place, base) ? inAscii(`${base ?? ''}${place}`) : undefined
}

/** The value of `Location`; throws 400 where `findRedirectLocation` finds no address. */
export function redirectLocationOf(target: RedirectTarget): string {
  const location = findRedirectLocation(target)
  if (location === undefined) throw badRequest('invalid address')
  return location
}

const inAscii = (text: string) => text.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent)
