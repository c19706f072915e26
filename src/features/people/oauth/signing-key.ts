// The key that JSON web tokens are signed with, and signing (RFC 7515, RFC 7518, section 3.3).

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { createLruCache } from '../../../kernel/lru.ts'
import { openSecret, sealSecret } from '../../../kernel/secrets.ts'
import {
  findSigningKey,
  insertSigningKeyIfMissing,
  type StoredSigningKey,
} from './signing-key.store.ts'

const modulus_bits = 2048
const purpose = 'jwt'

/** A public key as a JSON Web Key (RFC 7517). */
export type PublicKeyJson = {
  kty: 'RSA'
  kid: string
  e: string
  n: string
  use: 'sig'
  alg: 'RS256'
}

/** Decrypted private keys by their key id, which is a digest of the public key. */
const opened = createLruCache<KeyObject>(8)

/** Returns the signing key of the instance. The key is created on first use and is then the same on all nodes. */
async function signingKey(
  uses: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
): Promise<{ kid: string; key: KeyObject }> {
  const stored = (await findSigningKey(uses.db, purpose)) ?? (await makeKey(uses))
  let key = opened.get(stored.kid)
  if (!key) {
    key = createPrivateKey(openSecret(uses.secretKey, stored.private_key))
    opened.set(stored.kid, key)
  }
  return { kid: stored.kid, key }
}

async function makeKey({
  db,
  clock,
  secretKey,
}: Pick<Instance, 'db' | 'clock' | 'secretKey'>): Promise<StoredSigningKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: modulus_bits,
  })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await insertSigningKeyIfMissing(db, {
    purpose,
    kid: thumbprint(publicKey),
    private_key: sealSecret(secretKey, pem),
    created_at: timestamp(clock),
  })
  const stored = await findSigningKey(db, purpose)
  if (!stored) throw new Error(`The new signing key for ${purpose} was not found.`)
  return stored
}

/** Returns the thumbprint of a key (RFC 7638, section 3). */
function thumbprint(key: KeyObject): string {
  const { e, kty, n } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')
}

/** Returns the public keys for verifying signatures of this server. */
export async function listPublicKeys(
  uses: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
): Promise<PublicKeyJson[]> {
  const { kid, key } = await signingKey(uses)
  const { e = '', n = '' } = createPublicKey(key).export({ format: 'jwk' })
  return [{ kty: 'RSA', kid, e, n, use: 'sig', alg: 'RS256' }]
}

/** Returns a signed JSON Web Token with these claims. */
export async function signJwt(
  uses: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { kid, key } = await signingKey(uses)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ typ: 'JWT', kid, alg: 'RS256' })}.${part(claims)}`
  const signature = await promisify<Buffer>((done) =>
    sign('sha256', Buffer.from(text), key, done),
  )()
  return `${text}.${signature.toString('base64url')}`
}
