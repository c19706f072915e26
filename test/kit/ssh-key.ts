import { generateKeyPairSync } from 'node:crypto'
import ssh2 from 'ssh2'
import { encodeEd25519, publicLine } from '../../src/transports/git-ssh/host-keys.ts'

export type KeyPair = { private: string; public: string }

/** A new key pair; the comment stands at the end of the public one. */
export function newKeyPair(
  kind: 'ed25519' | 'rsa' | 'ecdsa' = 'ed25519',
  { bits, comment = 'someone@laptop' }: { bits?: number; comment?: string } = {},
): KeyPair {
  const text = newPrivateKey(kind, bits)
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error) throw key
  return { private: text, public: `${publicLine(key)} ${comment}` }
}

function newPrivateKey(kind: 'ed25519' | 'rsa' | 'ecdsa', bits: number | undefined): string {
  if (kind === 'ed25519') return encodeEd25519(generateKeyPairSync('ed25519').privateKey)
  if (kind === 'rsa') {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits ?? 2048 })
    return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: `P-${bits ?? 256}` })
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString()
}
