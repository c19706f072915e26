import { type Static, Type } from 'typebox'
import { parseAuthorOrCommitter } from '../../../git/objects.ts'
import type { SignatureWithPayload } from '../../../git/signed-object.ts'
import {
  namedObject,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
} from '../../../http/schema.ts'
import { presentSshKey, SshKeyJson } from '../../people/ssh-keys/ssh-key.ts'
import { type PgpKeyIdentity, parsePgpSignature, verifyPgpSignature } from './pgp-signature.ts'
import type { PgpSigner, SignerLookup } from './signer.store.ts'
import { verifySshSignature } from './ssh-signature.ts'
import { findVerificationStatus } from './verification-status.ts'
import { parseX509Signer, type X509SignerCertificate } from './x509-signature.ts'

const common = {
  verification_status: oneOf([
    'verified',
    'unverified',
    'same_user_different_email',
    'other_user',
    'unverified_key',
    'unknown_key',
    'multiple_signatures',
  ]),
  commit_source: Type.Literal('gitaly'),
}

const CertificateJson = namedObject('X509Certificate', {
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
  namedObject('PgpSignature', {
    signature_type: Type.Literal('PGP'),
    ...common,
    gpg_key_id: nullableInteger,
    gpg_key_primary_keyid: nullableText,
    gpg_key_user_name: nullableText,
    gpg_key_user_email: nullableText,
    gpg_key_subkey_id: nullableInteger,
  }),
  namedObject('X509Signature', {
    signature_type: Type.Literal('X509'),
    ...common,
    x509_certificate: nullable(CertificateJson),
  }),
  namedObject('SshSignature', {
    signature_type: Type.Literal('SSH'),
    ...common,
    key: nullable(SshKeyJson),
  }),
])

type Shown = Static<typeof SignatureJson>

/** Presents a signature by its kind. Certificates are not verified yet. */
export function presentSignature(
  signers: SignerLookup,
  signed: SignatureWithPayload,
): Promise<Shown> | Shown {
  const { signature } = signed
  if (signature.startsWith('-----BEGIN SIGNED MESSAGE-----')) return presentX509(signature)
  return signature.startsWith('-----BEGIN SSH SIGNATURE-----')
    ? presentSsh(signers, signed)
    : presentPgp(signers, signed)
}

async function presentSsh(
  signers: SignerLookup,
  { signature, payload }: SignatureWithPayload,
): Promise<Shown> {
  const read = verifySshSignature(signature, payload)
  const signer = read?.isValid ? await signers.ssh(read.key) : undefined
  const common = { signature_type: 'SSH', commit_source: 'gitaly' } as const
  if (!signer) {
    return {
      ...common,
      verification_status: read?.isValid ? 'unknown_key' : 'unverified',
      key: null,
    }
  }
  return {
    ...common,
    verification_status: await findVerificationStatus(signers, signer.owner, {
      email: emailIn(payload),
    }),
    key: presentSshKey(signer.key),
  }
}

async function presentPgp(
  signers: SignerLookup,
  { signature, payload }: SignatureWithPayload,
): Promise<Shown> {
  const { keyId, count } = await parsePgpSignature(signature)
  const unknown = {
    signature_type: 'PGP',
    gpg_key_id: null,
    gpg_key_primary_keyid: keyId,
    gpg_key_user_name: null,
    gpg_key_user_email: null,
    gpg_key_subkey_id: null,
    commit_source: 'gitaly',
  } as const
  if (keyId === null) return { ...unknown, verification_status: 'unverified' }
  if (count > 1) return { ...unknown, verification_status: 'multiple_signatures' }
  const found = await findSigner(signature, { payload, signers: await signers.pgp(keyId) })
  if (!found) return { ...unknown, verification_status: 'unknown_key' }
  const { signer, named } = found
  const judged =
    named &&
    (await findVerificationStatus(signers, signer.owner, {
      email: emailIn(payload),
      named: named.emails,
    }))
  return {
    ...unknown,
    verification_status: judged ?? 'unverified',
    // If a subkey signed, its id is shown instead of the key's, as in the real product.
    gpg_key_id: signer.subkey_id === null ? signer.gpg_key_id : null,
    gpg_key_user_name: named?.name ?? null,
    gpg_key_user_email: named?.email ?? null,
    gpg_key_subkey_id: signer.subkey_id,
  }
}

/** Returns the key that made the signature, of several candidates, and its owner; if none did, the first key. */
async function findSigner(
  signature: string,
  { payload, signers }: { payload: Buffer; signers: readonly PgpSigner[] },
): Promise<{ signer: PgpSigner; named: PgpKeyIdentity | undefined } | undefined> {
  for (const signer of signers) {
    const named = await verifyPgpSignature(signature, { payload, key: signer.key })
    if (named) return { signer, named }
  }
  return signers[0] && { signer: signers[0], named: undefined }
}

/** Returns the email address of the committer or tagger in the signed bytes. */
function emailIn(payload: Buffer): string {
  const [head = ''] = payload.toString('utf8').split('\n\n', 1)
  const line = head.split('\n').find((one) => /^(committer|tagger) /.test(one))
  return parseAuthorOrCommitter(line).email
}

function presentX509(signature: string): Shown {
  const certificate = parseX509Signer(signature)
  return {
    signature_type: 'X509',
    verification_status: 'unverified',
    x509_certificate: certificate ? presentCertificate(certificate) : null,
    commit_source: 'gitaly',
  }
}

/** Returns a JSON number of any length; TypeScript does not know the function yet. */
function rawNumber(digits: string): number {
  return (JSON as unknown as { rawJSON: (text: string) => number }).rawJSON(digits)
}

function presentCertificate({ issuer, serial_number, ...rest }: X509SignerCertificate) {
  return {
    id: null,
    ...rest,
    serial_number: rawNumber(serial_number),
    certificate_status: 'good' as const,
    x509_issuer: { id: null, ...issuer },
  }
}
