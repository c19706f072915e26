// What a public key in one line of text is, and what of it is taken.
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import ssh2 from 'ssh2'
import type { FieldErrors } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'

export type PublicKey = {
  /** `type base64 comment`, one space between the parts. */
  text: string
  /** MD5, in hex with colons. */
  fingerprint: string
  /** SHA-256 in Base64 without padding. */
  fingerprint_sha256: string
}

/** Kinds that the server can tell a signature of. */
const kinds = new Set([
  'ssh-rsa',
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
])
/** Kinds that clients have, but that are broken (DSA) or bound to hardware nobody here can check. */
const forbiddenKinds = new Set([
  'ssh-dss',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
])
/** OpenSSH takes no shorter ones; above the second, checking one signature takes too long. */
const rsa_bits_min = 1024
const rsa_bits_max = 16_384

/** Reads a key as a client sends it, line breaks within it included; else what is wrong, by field. */
export function readPublicKey(given: string): { publicKey: PublicKey } | { problems: FieldErrors } {
  const refuse = (problems: FieldErrors) => ({ problems })
  const most = limits.ssh_key_characters
  if (given.length > most) return refuse({ key: [`is too long (maximum is ${most} characters)`] })
  const [type = '', base64 = '', ...rest] = given
    .replace(/[\r\n]+/g, '')
    .trim()
    .split(/[ \t]+/)
  if (forbiddenKinds.has(type)) {
    return refuse({ key: ['type is forbidden. Must be RSA, ECDSA, or ED25519'] })
  }
  if (!kinds.has(type)) {
    return refuse({ key: ['is invalid'], fingerprint: ['cannot be generated'] })
  }
  const blob = Buffer.from(base64, 'base64')
  const key = keyOf(type, base64, blob)
  if (!key) return refuse({ fingerprint: ['cannot be generated'] })
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < rsa_bits_min) {
    return refuse({ key: [`must be at least ${rsa_bits_min} bits`] })
  }
  if (bits !== undefined && bits > rsa_bits_max) {
    return refuse({ key: [`must be at most ${rsa_bits_max} bits`] })
  }
  const text = [type, blob.toString('base64'), ...rest].join(' ')
  return { publicKey: { text, ...fingerprintsOf(blob) } }
}

/** The key, if the blob is one of that type, whole and with nothing behind it. */
function keyOf(type: string, base64: string, blob: Buffer): KeyObject | undefined {
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) return undefined
  const parsed = ssh2.utils.parseKey(`${type} ${base64}`)
  if (parsed instanceof Error || !parsed.getPublicSSH().equals(blob)) return undefined
  try {
    return createPublicKey(parsed.getPublicPEM())
  } catch {
    // Not a point of its curve, or numbers no key has.
    return undefined
  }
}

/** Both fingerprints of a key as it goes over the wire (RFC 4253, section 6.6). */
export function fingerprintsOf(
  blob: Buffer,
): Pick<PublicKey, 'fingerprint' | 'fingerprint_sha256'> {
  return {
    fingerprint: hash('md5', blob).replace(/..(?=.)/g, '$&:'),
    fingerprint_sha256: hash('sha256', blob, 'base64').replace(/=+$/, ''),
  }
}
