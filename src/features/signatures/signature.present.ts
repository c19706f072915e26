import { type Static, Type } from 'typebox'
import type { Signed } from '../../git/signed-object.ts'
import { nullable, nullableInteger, nullableText, oneOf } from '../../http/schema.ts'
import { readPgpSignature } from './pgp-signature.ts'
import { readSshSignature } from './ssh-signature.ts'
import { type Certificate, readX509Signature } from './x509-signature.ts'

const common = {
  verification_status: oneOf(['unverified', 'unknown_key', 'multiple_signatures']),
  commit_source: Type.Literal('gitaly'),
}

const CertificateJson = Type.Object({
  id: nullableInteger,
  subject: Type.String(),
  subject_key_identifier: nullableText,
  email: nullableText,
  serial_number: Type.Number(),
  certificate_status: oneOf(['good']),
  x509_issuer: Type.Object({
    id: nullableInteger,
    subject: Type.String(),
    subject_key_identifier: nullableText,
    crl_url: nullableText,
  }),
})

export const SignatureJson = Type.Union([
  Type.Object({
    signature_type: Type.Literal('PGP'),
    ...common,
    gpg_key_id: nullableInteger,
    gpg_key_primary_keyid: nullableText,
    gpg_key_user_name: nullableText,
    gpg_key_user_email: nullableText,
    gpg_key_subkey_id: nullableInteger,
  }),
  Type.Object({
    signature_type: Type.Literal('X509'),
    ...common,
    x509_certificate: nullable(CertificateJson),
  }),
  Type.Object({ signature_type: Type.Literal('SSH'), ...common, key: Type.Null() }),
])

type Shown = Static<typeof SignatureJson>

/**
 * The record of a signature by its kind. No key belongs to a user yet, so whoever signed is unknown, and
 * nobody vouches for a certificate.
 */
export function presentSignature(signed: Signed): Promise<Shown> | Shown {
  const { signature, payload } = signed
  if (signature.startsWith('-----BEGIN SIGNED MESSAGE-----')) return presentX509(signature)
  if (!signature.startsWith('-----BEGIN SSH SIGNATURE-----')) return presentPgp(signature)
  const isValid = readSshSignature(signature, payload)?.isValid === true
  return {
    signature_type: 'SSH',
    verification_status: isValid ? 'unknown_key' : 'unverified',
    key: null,
    commit_source: 'gitaly',
  }
}

async function presentPgp(signature: string): Promise<Shown> {
  const { keyId, count } = await readPgpSignature(signature)
  const known = count > 1 ? 'multiple_signatures' : 'unknown_key'
  return {
    signature_type: 'PGP',
    verification_status: keyId === null ? 'unverified' : known,
    gpg_key_id: null,
    gpg_key_primary_keyid: keyId,
    gpg_key_user_name: null,
    gpg_key_user_email: null,
    gpg_key_subkey_id: null,
    commit_source: 'gitaly',
  }
}

function presentX509(signature: string): Shown {
  const certificate = readX509Signature(signature)
  return {
    signature_type: 'X509',
    verification_status: 'unverified',
    x509_certificate: certificate ? presentCertificate(certificate) : null,
    commit_source: 'gitaly',
  }
}

/** A number of any length in JSON; TypeScript does not know the function yet. */
function rawNumber(digits: string): number {
  return (JSON as unknown as { rawJSON: (text: string) => number }).rawJSON(digits)
}

function presentCertificate({ issuer, serial_number, ...rest }: Certificate) {
  return {
    id: null,
    ...rest,
    serial_number: rawNumber(serial_number),
    certificate_status: 'good' as const,
    x509_issuer: { id: null, ...issuer },
  }
}
