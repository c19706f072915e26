// Parses a public key in one line of text, and decides whether it is accepted.

import { createPublicKey, hash, type KeyObject, type webcrypto } from 'node:crypto'
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { trimEndOf } from '../../../kernel/trim.ts'

export type ParsedSshPublicKey = {
  /** The key as `type base64 comment`, with one space between the parts. */
  text: string
  /** The MD5 digest, in hexadecimal with colons. */
  fingerprint: string
  /** The SHA-256 digest, in Base64 without padding. */
  fingerprint_sha256: string
}

/** The key types whose signatures the server can verify. */
const kinds = new Set([
  'ssh-rsa',
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
])
/**
 * Key types that clients may send but that are refused: DSA is broken, and keys bound to hardware cannot be
 * verified here.
 */
const forbiddenKinds = new Set([
  'ssh-dss',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
])
/**
 * OpenSSH accepts no shorter keys. Verifying one signature of a longer key than the maximum would take too
 * long.
 */
const rsa_bits_min = 1024
const rsa_bits_max = 16_384

/**
 * Parses a key as clients send it, with line breaks allowed within. Returns the validation problems by field if it is
 * invalid.
 */
export function parseSshPublicKey(
  given: string,
): { publicKey: ParsedSshPublicKey } | { problems: FieldErrors } {
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
  return { publicKey: { text, ...computeSshFingerprints(blob) } }
}

/** Returns the key if the text is Base64 of exactly one complete key of this type. */
function keyOf(type: string, base64: string, blob: Buffer): KeyObject | undefined {
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) return undefined
  const [name, ...parts] = splitFields(blob) ?? []
  const jwk = name?.toString('latin1') === type ? jwkOf(type, parts) : undefined
  if (!jwk) return undefined
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    // The numbers are not a point on the curve, or not valid for a key.
    return undefined
  }
}

/** Splits a blob into its strings (RFC 4251, section 5); returns undefined if the last one is incomplete. */
function splitFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (at + 4 <= blob.length) {
    const start = at + 4
    at = start + blob.readUInt32BE(at)
    if (at > blob.length) return undefined
    fields.push(blob.subarray(start, at))
  }
  return at === blob.length ? fields : undefined
}

const curves: Record<string, { crv: string; name: string; bytes: number }> = {
  'ecdsa-sha2-nistp256': { crv: 'P-256', name: 'nistp256', bytes: 32 },
  'ecdsa-sha2-nistp384': { crv: 'P-384', name: 'nistp384', bytes: 48 },
  'ecdsa-sha2-nistp521': { crv: 'P-521', name: 'nistp521', bytes: 66 },
}

/** Returns the key as JWK: RFC 4253, section 6.6 (RSA), RFC 8709 (ED25519), RFC 5656, section 3.1 (ECDSA). */
function jwkOf(type: string, parts: readonly Buffer[]): webcrypto.JsonWebKey | undefined {
  const [first, second] = parts
  if (type === 'ssh-ed25519') {
    const isPoint = parts.length === 1 && first?.length === 32
    return isPoint ? { kty: 'OKP', crv: 'Ed25519', x: first.toString('base64url') } : undefined
  }
  if (!first || !second || parts.length !== 2) return undefined
  if (type === 'ssh-rsa') {
    if (!isPositive(first) || !isPositive(second)) return undefined
    return { kty: 'RSA', e: first.toString('base64url'), n: second.toString('base64url') }
  }
  const curve = ownValue(curves, type)
  const isPoint =
    curve?.name === first.toString('latin1') &&
    second.length === 1 + 2 * curve.bytes &&
    second[0] === 4
  if (!isPoint) return undefined
  const [x, y] = [second.subarray(1, 1 + curve.bytes), second.subarray(1 + curve.bytes)]
  return { kty: 'EC', crv: curve.crv, x: x.toString('base64url'), y: y.toString('base64url') }
}

/**
 * Returns whether a number is positive and has its shortest encoding. Without this check a key could have
 * several blobs.
 */
function isPositive(number: Buffer): boolean {
  const [head = 128, next = 0] = number
  return head < 128 && (head > 0 || next >= 128)
}

/** Returns both fingerprints of a key in wire format (RFC 4253, section 6.6). */
export function computeSshFingerprints(
  blob: Buffer,
): Pick<ParsedSshPublicKey, 'fingerprint' | 'fingerprint_sha256'> {
  return {
    fingerprint: hash('md5', blob).replace(/..(?=.)/g, '$&:'),
    fingerprint_sha256: trimEndOf(hash('sha256', blob, 'base64'), '='),
  }
}
