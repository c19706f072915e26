import ssh2 from 'ssh2'

export type KeyPair = { private: string; public: string }

/** A new key pair as ssh-keygen writes it; the comment stands at the end of the public one. */
export function newKeyPair(
  kind: 'ed25519' | 'rsa' | 'ecdsa' = 'ed25519',
  { bits, comment = 'someone@laptop' }: { bits?: number; comment?: string } = {},
): KeyPair {
  const { utils } = ssh2
  if (kind === 'rsa') return utils.generateKeyPairSync('rsa', { bits: bits ?? 2048, comment })
  if (kind === 'ecdsa') {
    const size = bits === 384 || bits === 521 ? bits : 256
    return utils.generateKeyPairSync('ecdsa', { bits: size, comment })
  }
  return utils.generateKeyPairSync('ed25519', { comment })
}
