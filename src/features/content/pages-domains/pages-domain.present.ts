import { X509Certificate } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { createLruCache } from '../../../kernel/lru.ts'
import { formatDistinguishedNameWithSlashes } from './distinguished-name.ts'
import type { PagesDomain } from './pages-domain.ts'
import { formatX509CertificateAsText, parseX509Certificate } from './print-certificate.ts'

const common = {
  domain: Type.String(),
  url: Type.String(),
  verified: Type.Boolean(),
  verification_code: Type.String(),
  enabled_until: nullableText,
  auto_ssl_enabled: Type.Boolean(),
}

const Validity = namedObject('CertificateValidity', {
  expired: Type.Boolean(),
  expiration: Type.String(),
})

export const ListedPagesDomainJson = namedObject('ListedPagesDomain', {
  ...common,
  project_id: Type.Integer(),
  certificate: Type.Optional(Validity),
  certificate_expiration: Type.Optional(Validity),
})

export const PagesDomainJson = namedObject('PagesDomain', {
  ...common,
  certificate: Type.Optional(
    Type.Object({
      subject: Type.String(),
      expired: Type.Boolean(),
      certificate: Type.String(),
      certificate_text: Type.String(),
    }),
  ),
})

function presentCommon(row: PagesDomain) {
  const { domain, verification_code, enabled_until, auto_ssl_enabled } = row
  return {
    domain,
    url: `${row.certificate === null ? 'http' : 'https'}://${domain}`,
    verified: row.verified_at !== null,
    verification_code,
    enabled_until,
    auto_ssl_enabled,
  }
}

const isExpired = ({ not_before, not_after }: PagesDomain, now: string) =>
  now < (not_before ?? now) || now > (not_after ?? now)

/** Presents a domain in the list of all domains. Its validity has both names that clients use. */
export function presentListedPagesDomain(
  row: PagesDomain,
  now: string,
): Static<typeof ListedPagesDomainJson> {
  const shown = { ...presentCommon(row), project_id: row.project_id }
  if (row.certificate === null) return shown
  const validity = { expired: isExpired(row, now), expiration: row.not_after ?? '' }
  return { ...shown, certificate: validity, certificate_expiration: validity }
}

/** Presents a domain of a project. */
export function presentPagesDomain(row: PagesDomain, now: string): Static<typeof PagesDomainJson> {
  const shown = presentCommon(row)
  if (row.certificate === null) return shown
  const { subject, text } = printed(row.certificate)
  return {
    ...shown,
    certificate: {
      subject,
      expired: isExpired(row, now),
      certificate: row.certificate,
      certificate_text: text,
    },
  }
}

type Printed = { subject: string; text: string }
const kept = createLruCache<Printed>(2_000)

/** Prints the first certificate of a PEM text, which was validated before it was stored. */
function printed(pem: string): Printed {
  let found = kept.get(pem)
  if (!found) {
    const certificate = parseX509Certificate(new X509Certificate(pem).raw)
    found = {
      subject: formatDistinguishedNameWithSlashes(certificate.subject),
      text: formatX509CertificateAsText(certificate),
    }
    kept.set(pem, found)
  }
  return found
}
