// Parses certificates and keys of users, and checks that they match each other and a known authority.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { getCACertificates, rootCertificates } from 'node:tls'
import { DerError } from '../../../kernel/der.ts'
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { parseX509Certificate } from './print-certificate.ts'

const block = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]{0,100000}-----END/g

/** Returns the certificates of a PEM file in order; undefined if the first is malformed or there are too many. */
export function parsePemCertificates(pem: string): X509Certificate[] | undefined {
  const blocks = [...pem.matchAll(block)].map(([text]) => text)
  if (blocks.length === 0 || blocks.length > limits.pages.certificates_max) return undefined
  try {
    const certificates = blocks.map((text) => new X509Certificate(bytesOf(text)))
    for (const { raw } of certificates) parseX509Certificate(raw)
    return certificates
  } catch (error) {
    const isUnreadable = error instanceof DerError || isCryptoError(error)
    if (!isUnreadable) throw error
    return undefined
  }
}

function bytesOf(text: string): Buffer {
  const body = text.slice(text.indexOf('-----', 10) + 5, text.lastIndexOf('-----END'))
  return Buffer.from(body, 'base64')
}

/** Returns whether OpenSSL threw the error because it cannot parse the input. */
function isCryptoError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_')
}

/** Parses a private key; undefined if it is malformed or requires a passphrase. */
export function parsePemPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    if (!isCryptoError(error)) throw error
    return undefined
  }
}

/** Returns the validation problems of a domain's certificate and key; '' means none. */
export function domainCertificateProblems(
  { certificate, key }: { certificate: string; key: string },
  { isNew }: { isNew: boolean },
): FieldErrors {
  const problems: { certificate: string[]; key: string[] } = { certificate: [], key: [] }
  if (certificate === '' && key === '') return {}
  const { certificate_characters, key_bytes } = limits.pages
  const isTooLong = certificate.length > certificate_characters
  const isKeyTooLong = Buffer.byteLength(key) > key_bytes
  if (isTooLong) {
    problems.certificate.push(`is too long (maximum is ${certificate_characters} characters)`)
  }
  const read = certificate === '' || isTooLong ? undefined : parsePemCertificates(certificate)
  if (certificate !== '' && !isTooLong && !read) {
    problems.certificate.push('must be a valid PEM certificate')
  }
  const privateKey = key === '' || isKeyTooLong ? undefined : parsePemPrivateKey(key)
  if (isKeyTooLong) problems.key.push(`Certificate Key is too long. (Max ${key_bytes} bytes)`)
  else if (key !== '' && !privateKey) problems.key.push('must be a valid PEM private key')
  const [own, ...others] = read ?? []
  if (!own || !privateKey || !own.checkPrivateKey(privateKey)) {
    problems.key.push("doesn't match the certificate")
  }
  if (own && isNew && !isCertificateTrusted(own, others, trustedAuthorities())) {
    problems.certificate.push('misses intermediates')
  }
  return Object.fromEntries(Object.entries(problems).filter(([, texts]) => texts.length > 0))
}

type Authorities = ReadonlyMap<string, readonly X509Certificate[]>

let authorities: Authorities | undefined

/** Returns the certificate authorities of the runtime and of the system, by name. */
function trustedAuthorities(): Authorities {
  authorities ??= parseCertificateAuthorities([
    ...new Set([
      ...rootCertificates,
      ...getCACertificates('default'),
      ...getCACertificates('system'),
    ]),
  ])
  return authorities
}

export function parseCertificateAuthorities(pems: readonly string[]): Authorities {
  return Map.groupBy(
    pems.map((pem) => new X509Certificate(pem)),
    ({ subject }) => subject,
  )
}

/**
 * Whether a certificate is self-signed, or leads through the certificates sent with it to a trusted authority. Validity
 * periods do not matter: an expired certificate is shown as expired.
 */
export function isCertificateTrusted(
  own: X509Certificate,
  others: readonly X509Certificate[],
  trusted: Authorities,
): boolean {
  if (isIssuedBy(own, own)) return true
  const unused = new Set(others)
  const reached = [own]
  for (const certificate of reached) {
    const known = trusted.get(certificate.issuer) ?? []
    if (known.some((authority) => isIssuedBy(certificate, authority))) return true
    for (const other of unused) {
      if (!other.ca || !isIssuedBy(certificate, other)) continue
      unused.delete(other)
      reached.push(other)
    }
  }
  return false
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch (error) {
    if (!isCryptoError(error)) throw error
    return false
  }
}
