// The host keys, by which clients recognize the server: created once, stored in the data folder.
import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ssh2, { type ParsedKey } from 'ssh2'
import { unlessGone } from '../../kernel/unless-gone.ts'
import { writeFileIfMissing } from '../../kernel/write-file-if-missing.ts'

const generate = promisify(generateKeyPair)

/** In the order in which they are offered. */
const kinds: Record<string, () => Promise<string>> = {
  async ed25519() {
    return encodeEd25519((await generate('ed25519')).privateKey)
  },
  async ecdsa() {
    const { privateKey } = await generate('ec', { namedCurve: 'P-256' })
    return privateKey.export({ type: 'sec1', format: 'pem' }).toString()
  },
  async rsa() {
    const { privateKey } = await generate('rsa', { modulusLength: 3072 })
    return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  },
}

/** Returns the server's host keys. Missing ones are created, readable only by their owner. */
export async function ensureHostKeys(folder: string): Promise<ParsedKey[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return Promise.all(
    Object.entries(kinds).map(([kind, make]) =>
      readHostKey(join(folder, `ssh_host_${kind}_key`), make),
    ),
  )
}

async function readHostKey(path: string, make: () => Promise<string>): Promise<ParsedKey> {
  const kept = await unlessGone(readFile(path, 'utf8'))
  if (kept !== undefined) {
    await chmod(path, 0o600)
    return parse(kept, path)
  }
  await writeFileIfMissing(path, await make())
  const key = parse(await readFile(path, 'utf8'), path)
  await writeFile(`${path}.pub`, `${publicLine(key)}\n`, { mode: 0o644 })
  return key
}

function parse(text: string, path: string): ParsedKey {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error) throw new Error(`${path} is not a private key.`, { cause: key })
  return key
}

/** Formats a public key as a line of an authorized_keys file, without a comment. */
export function publicLine(key: ParsedKey): string {
  return `${key.type} ${key.getPublicSSH().toString('base64')}`
}

/**
 * Formats a private key as OpenSSH does (its PROTOCOL.key), which all readers of such keys support. The library's own
 * generator breaks one key in 256: it drops a leading zero.
 */
export function encodeEd25519(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const kind = field('ssh-ed25519')
  const publicPart = Buffer.concat([kind, field(point)])
  const check = randomBytes(4)
  const secret = [check, check, publicPart, field(Buffer.concat([seed, point])), field('')]
  const length = Buffer.concat(secret).length
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7]).subarray(0, (8 - (length % 8)) % 8)
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    Buffer.from([0, 0, 0, 1]),
    field(publicPart),
    field(Buffer.concat([...secret, padding])),
  ])
  const lines = whole.toString('base64').replace(/.{70}/g, '$&\n').trimEnd()
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`
}

/** RFC 4251, section 5: `string`. */
function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
