// Whose key made a signature, and whether the commit or tag is by them (behaviour: repository, 1.10).
import type { Selectable } from 'kysely'
import type { Db, GpgKeyTable, SshKeyTable } from '../../db/db.ts'
import { ownsAddress } from '../emails/email.ts'
import { fingerprintsOf } from '../ssh-keys/public-key.ts'

type Owner = { id: number; email: string; confirmed_at: string | null }

/** The user's key that reads so in `authorized_keys`, unless it is for signing in alone. */
export async function findSshSigner(
  db: Db,
  line: string,
): Promise<{ key: Selectable<SshKeyTable>; owner: Owner } | undefined> {
  const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64')
  const key = await db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('fingerprint_sha256', '=', fingerprintsOf(blob).fingerprint_sha256)
    .where('usage_type', '!=', 'auth')
    .executeTakeFirst()
  const owner = key && key.user_id !== null ? await findOwner(db, key.user_id) : undefined
  return key && owner && { key, owner }
}

/** The user's key of that id, which several keys may have; the signature tells which one it was. */
export async function findPgpSigner(
  db: Db,
  keyId: string,
): Promise<{ key: Selectable<GpgKeyTable>; owner: Owner } | undefined> {
  const key = await db
    .selectFrom('gpg_keys')
    .selectAll()
    .where('primary_keyid', '=', keyId)
    .orderBy('id')
    .executeTakeFirst()
  const owner = key && (await findOwner(db, key.user_id))
  return key && owner && { key, owner }
}

/**
 * Whether the author of what was signed is the owner of the key: by an address they have confirmed, and,
 * where a key names addresses of its own, by one of these.
 */
export async function judgeSigner(
  db: Db,
  owner: Owner,
  { email, named }: { email: string; named?: readonly string[] },
): Promise<'verified' | 'same_user_different_email' | 'other_user' | 'unverified_key'> {
  const isOwn = (address: string) =>
    owner.confirmed_at !== null && address !== '' && ownsAddress(db, owner, address)
  const isByOwner = await isOwn(email)
  if (!named) return isByOwner ? 'verified' : 'other_user'
  const confirmed = await Promise.all(named.map(isOwn))
  if (!confirmed.includes(true)) return 'unverified_key'
  if (!isByOwner) return 'other_user'
  const isNamed = named.some((address) => address.toLowerCase() === email.toLowerCase())
  return isNamed ? 'verified' : 'same_user_different_email'
}

function findOwner(db: Db, id: number): Promise<Owner | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'confirmed_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}
