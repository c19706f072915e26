// Reads signatures with a certificate (CMS, RFC 5652) and their signers.
import { X509Certificate } from 'node:crypto'
import { type DerElement, DerError, readDerElements } from '../../../kernel/der.ts'
import { limits } from '../../../kernel/limits.ts'

export type X509SignerCertificate = {
  /** The name as in RFC 2253, the most specific part first. */
  subject: string
  subject_key_identifier: string | null
  email: string | null
  /** A decimal number, often too large for a JavaScript number. */
  serial_number: string
  issuer: { subject: string; subject_key_identifier: string | null; crl_url: string | null }
}

const sequence = 0x30
const oid = { subjectKeyId: '551d0e', authorityKeyId: '551d23', crl: '551d1f' }

/** Returns the certificate of the signer, which the signature contains; undefined if it cannot be read. */
export function parseX509Signer(armored: string): X509SignerCertificate | undefined {
  if (armored.length > limits.signature_characters) return undefined
  const base64 = armored.replace(/-----[^\n]*-----/g, '').replace(/\s/g, '')
  const [message] = elementsOf(Buffer.from(base64, 'base64'))
  // ContentInfo { type, [0] SignedData { version, digests, content, [0] certificates, signers } }
  const signed = inside(inside(withTag(inside(message), 0xa0))[0])
  const certificates = inside(withTag(signed, 0xa0))
  const signers = signed.at(-1)
  const [, signerId] = inside(inside(signers)[0])
  const signer = signerId && { id: signerId, parts: inside(signerId) }
  const certificate = signer && certificates.find((one) => isOf(one, signer))
  return certificate && describe(certificate)
}

/** Certificate { tbs { [0] version, serial, algorithm, issuer, ..., [3] extensions } } */
function fieldsOf(certificate: DerElement): DerElement[] {
  const fields = inside(inside(certificate)[0])
  return fields[0]?.tag === 0xa0 ? fields.slice(1) : fields
}

/**
 * Returns whether the certificate belongs to the signer, who is identified by issuer and serial number or by
 * key identifier.
 */
function isOf(
  certificate: DerElement,
  { id, parts }: { id: DerElement; parts: DerElement[] },
): boolean {
  const [serial, , issuer] = fieldsOf(certificate)
  if (id.tag !== sequence) {
    const [keyId] = inside(extension(certificate, oid.subjectKeyId))
    return keyId?.content.equals(id.content) ?? false
  }
  const [wantedIssuer, wantedSerial] = parts
  if (!serial || !issuer || !wantedIssuer || !wantedSerial) return false
  return serial.content.equals(wantedSerial.content) && issuer.bytes.equals(wantedIssuer.bytes)
}

/** Returns the octets of an extension by name. */
function extension(certificate: DerElement, name: string): DerElement | undefined {
  const extensions = inside(inside(withTag(fieldsOf(certificate), 0xa3))[0])
  const found = extensions.find((one) => inside(one)[0]?.content.toString('hex') === name)
  return withTag(inside(found), 0x04)
}

function describe(certificate: DerElement): X509SignerCertificate | undefined {
  let parsed: X509Certificate
  try {
    parsed = new X509Certificate(certificate.bytes)
  } catch {
    // The bytes are not a valid certificate.
    return undefined
  }
  const [keyId] = inside(extension(certificate, oid.subjectKeyId))
  const authority = withTag(inside(inside(extension(certificate, oid.authorityKeyId))[0]), 0x80)
  return {
    subject: nameOf(parsed.subject),
    subject_key_identifier: colons(keyId),
    email: emailOf(parsed),
    serial_number: BigInt(`0x${parsed.serialNumber}`).toString(),
    issuer: {
      subject: nameOf(parsed.issuer),
      subject_key_identifier: colons(authority),
      crl_url: crlOf(certificate),
    },
  }
}

/** Node prints one part per line, the most general first. */
function nameOf(text: string): string {
  return text.split('\n').reverse().join(',')
}

function colons(value: DerElement | undefined): string | null {
  return value?.content.toString('hex').toUpperCase().match(/../g)?.join(':') ?? null
}

function emailOf({ subjectAltName, subject }: X509Certificate): string | null {
  const alternative = /(?:^|, )email:([^,\s]+)/.exec(subjectAltName ?? '')?.[1]
  return alternative ?? /^emailAddress=(.+)$/m.exec(subject)?.[1] ?? null
}

/** Points { Point { [0] name { [0] full { [6] URI } } } } */
function crlOf(certificate: DerElement): string | null {
  const [points] = inside(extension(certificate, oid.crl))
  const names = inside(withTag(inside(inside(points)[0]), 0xa0))
  return withTag(inside(names[0]), 0x86)?.content.toString('latin1') ?? null
}

/** Parses consecutive DER elements. Returns an empty list for invalid DER. */
function elementsOf(bytes: Buffer): DerElement[] {
  try {
    return readDerElements(bytes)
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

/** Returns the elements inside an element; an empty list if it is missing or invalid. */
function inside(element: DerElement | undefined): DerElement[] {
  return element ? elementsOf(element.content) : []
}

/** Returns the first element with this tag. */
function withTag(elements: readonly DerElement[], tag: number): DerElement | undefined {
  return elements.find((element) => element.tag === tag)
}
