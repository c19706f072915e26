// Signatures of `ssh-keygen -Y sign` (OpenSSH, PROTOCOL.sshsig), checked with node:crypto.

import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'

export type SshSignature = {
  /** The public key that the signature names, in the format of `authorized_keys`. */
  key: string
  /** Whether the signature was made with this key over the payload. */
  isValid: boolean
}

const magic = 'SSHSIG'

/** Verifies an SSH signature; undefined if it is not one. */
export function verifySshSignature(armored: string, payload: Buffer): SshSignature | undefined {
  if (armored.length > limits.signature_characters) return undefined
  const base64 = armored.replace(/-----[^\n]*-----/g, '').replace(/\s/g, '')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('latin1', 0, 6) !== magic || bytes.length < 10) return undefined
  const fields = readStrings(bytes.subarray(10))
  const [key, namespace, reserved, digest, signature] = fields ?? []
  if (!key || !namespace || !reserved || !digest || !signature) return undefined
  const type = readStrings(key)?.[0]?.toString('latin1') ?? ''
  const isValid =
    bytes.readUInt32BE(6) === 1 &&
    namespace.toString('latin1') === 'git' &&
    isSigned({ key, signature, signed: signedBytes([namespace, reserved, digest], payload) })
  return { key: `${type} ${key.toString('base64')}`, isValid }
}

/** Splits bytes into strings (RFC 4251, section 5): a length of four bytes, followed by that many bytes. */
function readStrings(bytes: Buffer): Buffer[] | undefined {
  const strings: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 <= bytes.length ? at + 4 + bytes.readUInt32BE(at) : bytes.length + 1
    if (end > bytes.length) return undefined
    strings.push(bytes.subarray(at + 4, end))
    at = end
  }
  return strings
}

function writeString(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Returns the bytes that the key signed: the namespace, the name of a hash and the hash of the payload. */
function signedBytes(fields: readonly Buffer[], payload: Buffer): Buffer | undefined {
  const algorithm = fields[2]?.toString('latin1')
  if (algorithm !== 'sha256' && algorithm !== 'sha512') return undefined
  const digest = hash(algorithm, payload, 'buffer')
  return Buffer.concat([Buffer.from(magic), ...[...fields, digest].map(writeString)])
}

type Check = { key: Buffer; signature: Buffer; signed: Buffer | undefined }

function isSigned({ key, signature, signed }: Check): boolean {
  const [type, raw] = readStrings(signature) ?? []
  const parts = readStrings(key)
  if (!signed || !type || !raw || !parts) return false
  try {
    const publicKey = publicKeyOf(parts)
    if (!publicKey) return false
    switch (type.toString('latin1')) {
      case 'ssh-ed25519':
        return verify(null, signed, publicKey, raw)
      case 'rsa-sha2-256':
        return verify('sha256', signed, publicKey, raw)
      case 'rsa-sha2-512':
        return verify('sha512', signed, publicKey, raw)
      default:
        return verifyCurve(type.toString('latin1'), { publicKey, signed, raw })
    }
  } catch {
    // node:crypto throws for invalid keys and signatures.
    return false
  }
}

const curves: Record<string, { crv: string; bytes: number; digest: string }> = {
  'ecdsa-sha2-nistp256': { crv: 'P-256', bytes: 32, digest: 'sha256' },
  'ecdsa-sha2-nistp384': { crv: 'P-384', bytes: 48, digest: 'sha384' },
  'ecdsa-sha2-nistp521': { crv: 'P-521', bytes: 66, digest: 'sha512' },
}

function publicKeyOf([type, ...parts]: readonly Buffer[]): KeyObject | undefined {
  const [first, second] = parts
  if (!type || !first) return undefined
  const name = type.toString('latin1')
  const text = (bytes: Buffer) => bytes.toString('base64url')
  let jwk: Record<string, string> | undefined
  if (name === 'ssh-ed25519') jwk = { kty: 'OKP', crv: 'Ed25519', x: text(first) }
  else if (name === 'ssh-rsa' && second) {
    jwk = { kty: 'RSA', e: text(unsigned(first)), n: text(unsigned(second)) }
  } else if (second) {
    const curve = ownValue(curves, name)
    if (name !== `ecdsa-sha2-${first.toString('latin1')}`) return undefined
    // An uncompressed point: the byte 4, followed by both coordinates.
    if (!curve || second.length !== 1 + 2 * curve.bytes || second[0] !== 4) return undefined
    const [x, y] = [second.subarray(1, 1 + curve.bytes), second.subarray(1 + curve.bytes)]
    jwk = { kty: 'EC', crv: curve.crv, x: text(x), y: text(y) }
  }
  return jwk && createPublicKey({ key: jwk, format: 'jwk' })
}

/**
 * Verifies an ECDSA signature. It consists of two numbers (RFC 5656, section 3.1.2), which node:crypto
 * expects concatenated and with the same length.
 */
function verifyCurve(
  type: string,
  { publicKey, signed, raw }: { publicKey: KeyObject; signed: Buffer; raw: Buffer },
): boolean {
  const curve = ownValue(curves, type)
  const numbers = readStrings(raw)?.map(unsigned)
  if (!curve || numbers?.length !== 2) return false
  const padded = numbers.map((number) =>
    Buffer.concat([Buffer.alloc(Math.max(0, curve.bytes - number.length)), number]),
  )
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  return verify(curve.digest, signed, key, Buffer.concat(padded))
}

/** Returns a number without the leading zero that marks it as positive. */
function unsigned(bytes: Buffer): Buffer {
  return bytes[0] === 0 ? bytes.subarray(1) : bytes
}
