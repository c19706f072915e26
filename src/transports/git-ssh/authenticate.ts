import type { AuthContext, PublicKeyAuthContext } from 'ssh2'
import ssh2 from 'ssh2'
import type { Db } from '../../db/db.ts'
import {
  findSshKeyHolderByBlob,
  type SshKeyHolder,
} from '../../features/people/ssh-keys/ssh-key.ts'
import type { Clock } from '../../kernel/clock.ts'

/** The one user name there is: the key tells who somebody is. */
const userName = 'git'

/** SHA-1 can be forged; every client that has RSA keys has had SHA-2 for it since 2016 (RFC 8332). */
const rsaHashes: ReadonlySet<string | undefined> = new Set(['sha256', 'sha512'])

export type SshAuthVerdict = 'refused' | 'acceptable' | { keyId: number }

/**
 * Returns the result of one SSH authentication attempt (RFC 4252, section 7): `acceptable` if a client only asks
 * whether a key would do, the key's id once it has proved to have the private part.
 */
export async function authenticateAttempt(
  db: Db,
  clock: Clock,
  context: AuthContext,
): Promise<SshAuthVerdict> {
  if (context.method !== 'publickey' || context.username !== userName) return 'refused'
  const isWeak = context.key.algo === 'ssh-rsa' && !rsaHashes.has(context.hashAlgo)
  if (isWeak) return 'refused'
  const holder = await findSshKeyHolderByBlob(db, clock, context.key.data)
  if (!holder) return 'refused'
  if (!context.signature) return 'acceptable'
  return hasSigned(context, holder) ? { keyId: holder.key.id } : 'refused'
}

function hasSigned(context: PublicKeyAuthContext, { key }: SshKeyHolder): boolean {
  const { blob, signature, hashAlgo } = context
  const known = ssh2.utils.parseKey(key.key)
  if (known instanceof Error || !blob || !signature) return false
  const isSame = known.type === context.key.algo && known.getPublicSSH().equals(context.key.data)
  // It answers an Error for a signature of another form.
  return isSame && known.verify(blob, signature, hashAlgo) === true
}
