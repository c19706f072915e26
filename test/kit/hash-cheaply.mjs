// Loaded by a server before its own code, which then hashes as test/kit/password-cost.ts does; plain JavaScript, which needs
// nothing to be read.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
crypto.scrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 2 }, done)
syncBuiltinESMExports()
