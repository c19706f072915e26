// A password is dear to hash by design: it would be a good part of what all tests take, and they know what
// they ask for. So a test's process hashes cheaply, whatever the server asks for; what it does ask for is
// noted, and src/kernel/secrets.test.ts holds it against what it should be.
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto

/** What was asked for last. */
export const asked: { options: ScryptOptions | undefined } = { options: undefined }

type Done = (error: Error | null, key: Buffer) => void

export function hashCheaply(): void {
  const hash = (
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions,
    done: Done,
  ) => {
    asked.options = options
    scrypt(password, salt, length, { ...options, N: 2 }, done)
  }
  crypto.scrypt = hash as typeof scrypt
  syncBuiltinESMExports()
}
