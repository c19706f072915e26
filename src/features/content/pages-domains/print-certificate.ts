// Prints a certificate as `openssl x509 -text` of OpenSSL 3.0 does (docs/api/pages.md, "Certificates").
import {
  type DerElement,
  DerError,
  derTags,
  membersOfDerElement,
  readDerBitString,
  readDerElement,
  readDerInteger,
  readDerOid,
  readDerTime_ms,
} from '../../../kernel/der.ts'
import { formatDistinguishedNameWithCommas } from './distinguished-name.ts'
import { ellipticCurveOfOid, longNameOfOid } from './object-names.ts'
import { formatColonHex, formatHexLines } from './print-bytes.ts'
import { formatX509ExtensionAsText } from './print-extension.ts'

/** The fields of a certificate (RFC 5280, section 4.1). */
export type ParsedX509Certificate = {
  version: number
  serial: DerElement
  algorithm: DerElement
  issuer: DerElement
  notBefore_ms: number
  notAfter_ms: number
  subject: DerElement
  publicKey: DerElement
  uniqueIds: { issuer?: DerElement; subject?: DerElement }
  extensions: readonly DerElement[]
  signature: DerElement
}

const versionTag = 0xa0
const uniqueIdTags = { issuer: 0x81, subject: 0x82 }
const extensionsTag = 0xa3

/** Parses a certificate. Throws DerError for malformed bytes. */
export function parseX509Certificate(der: Buffer): ParsedX509Certificate {
  const [signed, , signature] = membersOfDerElement(readDerElement(der))
  const fields = membersOfDerElement(signed)
  const first = fields[0]?.tag === versionTag ? fields.shift() : undefined
  const [serial, algorithm, issuer, validity, subject, publicKey, ...rest] = fields
  if (!serial || !algorithm || !issuer || !subject || !publicKey || !signature) throw new DerError()
  const [from, until] = membersOfDerElement(validity)
  const extensions = rest.find(({ tag }) => tag === extensionsTag)
  return {
    version: first ? Number(readDerInteger(readDerElement(first.content))) : 0,
    serial,
    algorithm,
    issuer,
    notBefore_ms: readDerTime_ms(from),
    notAfter_ms: readDerTime_ms(until),
    subject,
    publicKey,
    uniqueIds: {
      issuer: rest.find(({ tag }) => tag === uniqueIdTags.issuer),
      subject: rest.find(({ tag }) => tag === uniqueIdTags.subject),
    },
    extensions: extensions ? membersOfDerElement(readDerElement(extensions.content)) : [],
    signature,
  }
}

/** Formats a certificate as `openssl x509 -text` does, ending in a line break. */
export function formatX509CertificateAsText(certificate: ParsedX509Certificate): string {
  const { version, serial, algorithm, issuer, subject, uniqueIds, extensions } = certificate
  const lines = [
    'Certificate:',
    '    Data:',
    `        Version: ${version + 1} (0x${version.toString(16)})`,
    ...serialLines(serial),
    ...algorithmLines(algorithm, 8),
    `        Issuer: ${formatDistinguishedNameWithCommas(issuer)}`,
    '        Validity',
    `            Not Before: ${printTime(certificate.notBefore_ms)}`,
    `            Not After : ${printTime(certificate.notAfter_ms)}`,
    `        Subject: ${formatDistinguishedNameWithCommas(subject)}`,
    '        Subject Public Key Info:',
    ...keyLines(certificate.publicKey),
  ]
  for (const [name, id] of [
    ['Issuer', uniqueIds.issuer],
    ['Subject', uniqueIds.subject],
  ] as const) {
    if (!id) continue
    lines.push(
      `        ${name} Unique ID: ${formatHexLines(id.content.subarray(1), 18, 12).join('\n')}`,
    )
  }
  if (extensions.length > 0) {
    lines.push('        X509v3 extensions:')
    for (const extension of extensions) lines.push(...formatX509ExtensionAsText(extension, 12))
  }
  const [signing = '', ...parameters] = algorithmLines(algorithm, 4)
  const space = parameters.length > 0 ? pss_space : ''
  lines.push(signing.trimEnd(), `    Signature Value:${space}`, ...parameters)
  lines.push(...formatHexLines(readDerBitString(certificate.signature).bits, 18, 8))
  return `${lines.join('\n')}\n`
}

function serialLines(serial: DerElement): string[] {
  const value = readDerInteger(serial)
  const [sign, absolute] = value < 0n ? ['-', -value] : ['', value]
  if (absolute < 2n ** 63n) {
    return [`        Serial Number: ${sign}${absolute} (${sign}0x${absolute.toString(16)})`]
  }
  const text = absolute.toString(16)
  const octets = Buffer.from(text.length % 2 ? `0${text}` : text, 'hex')
  const mark = value < 0n ? ' (Negative)' : ''
  return ['        Serial Number:', `            ${mark}${formatColonHex(octets)}`]
}

const pssOid = '1.2.840.113549.1.1.10'
/** The indentation of RSA-PSS parameters; the first one is on the line before. */
const pss_space = ' '.repeat(8)

function algorithmLines(algorithm: DerElement, indent: number): string[] {
  const [oid, parameters] = membersOfDerElement(algorithm)
  const name = readDerOid(oid)
  const space = ' '.repeat(indent)
  const head = `${space}Signature Algorithm: ${longNameOfOid(name)}`
  if (name !== pssOid) return [head]
  return [`${head}${pss_space}`, ...pssLines(parameters).map((line) => `${pss_space}${line}`)]
}

/** Prints the parameters of RSA-PSS (RFC 4055, section 3.1). */
function pssLines(parameters: DerElement | undefined): string[] {
  const given = parameters ? membersOfDerElement(parameters) : []
  const field = (tag: number) => {
    const found = given.find((element) => element.tag === tag)
    return found && readDerElement(found.content)
  }
  const nameIn = (element: DerElement | undefined) =>
    element && longNameOfOid(readDerOid(membersOfDerElement(element)[0]))
  const [digest, mask, salt, trailer] = [0xa0, 0xa1, 0xa2, 0xa3].map(field)
  const maskDigest = mask && nameIn(membersOfDerElement(mask)[1])
  const number = (element: DerElement) => {
    const text = readDerInteger(element).toString(16).toUpperCase()
    return `0x${text.length % 2 ? '0' : ''}${text}`
  }
  return [
    `Hash Algorithm: ${nameIn(digest) ?? 'sha1 (default)'}`,
    `Mask Algorithm: ${mask ? `${nameIn(mask)} with ${maskDigest}` : 'mgf1 with sha1 (default)'}`,
    ` Salt Length: ${salt ? number(salt) : '14 (default)'}`,
    `Trailer Field: ${trailer ? number(trailer) : '0x01 (default)'}`,
  ]
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

function printTime(time_ms: number): string {
  const [day = '', time = ''] = new Date(time_ms).toISOString().split('T')
  const [year = '', month = '', date = ''] = day.split('-')
  return `${months[Number(month) - 1]} ${String(Number(date)).padStart(2)} ${time.slice(0, 8)} ${Number(year)} GMT`
}

function keyLines(info: DerElement): string[] {
  const [algorithm, key] = membersOfDerElement(info)
  const [oid, parameters] = membersOfDerElement(algorithm)
  const name = longNameOfOid(readDerOid(oid))
  return [
    `            Public Key Algorithm: ${name}`,
    ...keyBody(name, parameters, readDerBitString(key).bits),
  ]
}

function keyBody(name: string, parameters: DerElement | undefined, bits: Buffer): string[] {
  const space = ' '.repeat(16)
  if (name === 'rsaEncryption' || name === 'rsassaPss') {
    const [modulus, exponent] = membersOfDerElement(readDerElement(bits))
    if (!modulus) throw new DerError()
    const value = readDerInteger(exponent)
    return [
      `${space}Public-Key: (${readDerInteger(modulus).toString(2).length} bit)`,
      `${space}Modulus:`,
      ...formatHexLines(modulus.content, 15, 20),
      `${space}Exponent: ${value} (0x${value.toString(16)})`,
    ]
  }
  if (name === 'id-ecPublicKey') {
    const curve =
      parameters?.tag === derTags.oid ? ellipticCurveOfOid(readDerOid(parameters)) : undefined
    if (!curve) return ['            Unable to load Public Key']
    const [curveName, size, nist] = curve
    return [
      `${space}Public-Key: (${size} bit)`,
      `${space}pub:`,
      ...formatHexLines(bits, 15, 20),
      `${space}ASN1 OID: ${curveName}`,
      ...(nist ? [`${space}NIST CURVE: ${nist}`] : []),
    ]
  }
  if (name === 'ED25519' || name === 'ED448') {
    return [`${space}${name} Public-Key:`, `${space}pub:`, ...formatHexLines(bits, 15, 20)]
  }
  return ['            Unable to load Public Key']
}
