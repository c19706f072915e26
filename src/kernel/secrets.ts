// Passwords, and secrets that must be readable. Tokens need neither: see digestToken.
import {
  type BinaryLike,
  createCipheriv,
  createDecipheriv,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { FairLimiter } from './fair-limiter.ts'
import { digestToken, randomText } from './ids.ts'
import { limits } from './limits.ts'

const scryptOptions: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

// Hashing uses the four threads that also read files, so a caller who tries many passwords must not occupy
// all of them.
const checks = new FairLimiter(limits.password_checks)
const hashes = new FairLimiter(limits.password_hashes)

function deriveKey(password: BinaryLike, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, scryptOptions, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

/**
 * Returns `scrypt$<salt>$<key>`, both in Base64. Takes some 80 ms in the thread pool, by design. Throws 429 or 503 if there
 * are too many at once.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await hashes.run(() => deriveKey(password, salt))
  return `scrypt$${salt.toString('base64')}$${key.toString('base64')}`
}

// Compared if there is no such user, so that the response takes as long.
const absentDigest = `scrypt$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`

/**
 * Compares a password with a digest in constant time; without a digest it takes as long and returns false. Attempts for
 * one name run one at a time. `begin` is called before the attempt starts and may throw. Throws 429 or 503 if too many
 * attempts are waiting.
 */
export function verifyPassword(
  password: string,
  digest: string | null,
  { name, begin }: { name: string; begin: () => void },
): Promise<boolean> {
  const [, salt = '', key = ''] = (digest ?? absentDigest).split('$')
  const expected = Buffer.from(key, 'base64')
  return checks.run(
    async () => {
      begin()
      const actual = await deriveKey(password, Buffer.from(salt, 'base64'))
      return timingSafeEqual(actual, expected) && digest !== null
    },
    { holder: name },
  )
}

/** Encrypts a text for storage with AES-256-GCM. Returns Base64 of nonce, tag and ciphertext. */
export function sealSecret(key: Buffer, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** Decrypts the result of `sealSecret`. Throws if it was changed or encrypted with another key. */
export function openSecret(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/**
 * Creates a token for registering runners with a project or group; returns its two columns: the sealed token and its
 * digest.
 */
export function newRegistrationToken(key: Buffer): {
  runners_token: string
  runners_token_digest: string
} {
  const token = `GR1348941${randomText(20)}`
  return { runners_token: sealSecret(key, token), runners_token_digest: digestToken(token) }
}
