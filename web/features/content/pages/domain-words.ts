// Texts about the state of a domain, and the address of its page.
import type { PagesDomain } from '../../../api/operations.ts'
import { formatDay } from '../../../text/numbers.ts'
import { pagesSitesText } from '../../../text/pages.ts'

const words = pagesSitesText.certificateWords

export const domainUrl = (base: string, domain: string) =>
  `${base}/-/pages/domains/${encodeURIComponent(domain)}`

/** Returns the common name: `www.example.com` for `/O=Example, Inc./CN=www.example.com`. */
function nameOf(subject: string): string {
  return /\/CN=([^/]+)/.exec(subject)?.[1] ?? subject
}

/** Returns the expiry in the text of a certificate: `Not After : Mar 1 12:00:00 2027 GMT`. */
function endOf(text: string): Date | undefined {
  const written = /Not After : ([^\n]{1,40})/.exec(text)?.[1]
  const date = written === undefined ? undefined : new Date(written)
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}

/** Whether a domain is served with a certificate, whose it is, and until when. */
export function certificateWords({ certificate, auto_ssl_enabled }: PagesDomain): string {
  if (!certificate) return auto_ssl_enabled ? words.waiting : words.none
  const { subject, expired, certificate_text } = certificate
  const end = endOf(certificate_text)
  return [
    expired ? words.expiredFor(nameOf(subject)) : words.validFor(nameOf(subject)),
    ...(end ? [words.until(formatDay(end))] : []),
    ...(auto_ssl_enabled ? [words.automatic] : []),
  ].join(', ')
}
