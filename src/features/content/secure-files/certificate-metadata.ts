// Reads the metadata of a certificate. Files that Node cannot read without a password or a library have none.
import { X509Certificate } from 'node:crypto'

export type CertificateMetadata = {
  id: string
  issuer: Record<string, string>
  subject: Record<string, string>
  expires_at: string
}

/** Reads the metadata of a `.cer` file in DER or PEM; undefined for any other file and for a malformed one. */
export function readCertificateMetadata(
  name: string,
  content: Buffer,
): CertificateMetadata | undefined {
  if (!name.toLowerCase().endsWith('.cer')) return undefined
  try {
    const { serialNumber, issuer, subject, validTo } = new X509Certificate(content)
    return {
      id: BigInt(`0x${serialNumber}`).toString(),
      issuer: partsOf(issuer),
      subject: partsOf(subject),
      expires_at: new Date(validTo).toISOString(),
    }
  } catch {
    return undefined
  }
}

/** Returns the attributes of a distinguished name, which is written with one attribute per line as `CN=name`. */
function partsOf(name: string): Record<string, string> {
  const parts = name.split('\n').map((line): [string, string] => {
    const at = line.indexOf('=')
    return [line.slice(0, at), line.slice(at + 1)]
  })
  return Object.fromEntries(parts.filter(([key]) => key !== ''))
}
