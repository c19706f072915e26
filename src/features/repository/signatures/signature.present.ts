import { type Static, Type } from 'typebox'
import { parseSignature } from '../../../git/objects.ts'
import type { Signed } from '../../../git/signed-object.ts'
import { nullable, nullableInteger, nullableText, oneOf, record } from '../../../http/schema.ts'
import { presentKey, SshKeyJson } from '../../people/ssh-keys/ssh-key.ts'
import { checkPgpSignature, type PgpOwner, readPgpSignature } from './pgp-signature.ts'
import type { PgpSigner, Signers } from './signer.store.ts'
import { readSshSignature } from './ssh-signature.ts'
import { verifySigner } from './verify-signer.ts'
import { type Certificate, readX509Signature } from './x509-signature.ts'

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

const CertificateJson = record('X509Certificate', {
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
  record('PgpSignature', {
    signature_type: Type.Literal('PGP'),
    ...common,
    gpg_key_id: nullableInteger,
    gpg_key_primary_keyid: nullableText,
    gpg_key_user_name: nullableText,
    gpg_key_user_email: nullableText,
    gpg_key_subkey_id: nullableInteger,
  }),
  record('X509Signature', {
    signature_type: Type.Literal('X509'),
    ...common,
    x509_certificate: nullable(CertificateJson),
  }),
  record('SshSignature', {
    signature_type: Type.Literal('SSH'),
    ...common,
    key: nullable(SshKeyJson),
  }),
])

type Shown = Static<typeof SignatureJson>

/** The record of a signature by its kind. Nobody vouches for a certificate yet. */
export function presentSignature(signers: Signers, signed: Signed): Promise<Shown> | Shown {
  const { signature } = signed
  if (signature.startsWith('-----BEGIN SIGNED MESSAGE-----')) return presentX509(signature)
  return signature.startsWith('-----BEGIN SSH SIGNATURE-----')
    ? presentSsh(signers, signed)
    : presentPgp(signers, signed)
}

async function presentSsh(signers: Signers, { signature, payload }: Signed): Promise<Shown> {
  const read = readSshSignature(signature, payload)
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
    verification_status: await verifySigner(signers, signer.owner, { email: emailIn(payload) }),
    key: presentKey(signer.key),
  }
}

async function presentPgp(signers: Signers, { signature, payload }: Signed): Promise<Shown> {
  const { keyId, count } = await readPgpSignature(signature)
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
    (await verifySigner(signers, signer.owner, { email: emailIn(payload), named: named.emails }))
  return {
    ...unknown,
    verification_status: judged ?? 'unverified',
    // A subkey is told in place of its key, as the real product has it.
    gpg_key_id: signer.subkey_id === null ? signer.gpg_key_id : null,
    gpg_key_user_name: named?.name ?? null,
    gpg_key_user_email: named?.email ?? null,
    gpg_key_subkey_id: signer.subkey_id,
  }
}

/** Whichever of several keys made the signature, and whom it names. If none did, the first of them. */
async function findSigner(
  signature: string,
  { payload, signers }: { payload: Buffer; signers: readonly PgpSigner[] },
): Promise<{ signer: PgpSigner; named: PgpOwner | undefined } | undefined> {
  for (const signer of signers) {
    const named = await checkPgpSignature(signature, { payload, key: signer.key })
    if (named) return { signer, named }
  }
  return signers[0] && { signer: signers[0], named: undefined }
}

/** The address of whoever made the commit or tag, as it was signed. */
function emailIn(payload: Buffer): string {
  const [head = ''] = payload.toString('utf8').split('\n\n', 1)
  const line = head.split('\n').find((one) => /^(committer|tagger) /.test(one))
  return parseSignature(line).email
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
