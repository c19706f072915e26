// Finds the key that made a signature (docs/api/repository.md, "Signatures").
import { type Selectable, sql } from 'kysely'
import type { Db, SshKeyTable } from '../../../db/db.ts'
import { isAddressOfUser } from '../../people/emails/email.ts'
import { computeSshFingerprints } from '../../people/ssh-keys/public-key.ts'

export type SigningKeyOwner = { id: number; email: string; confirmed_at: string | null }

/** Finds possible signers for one request; each key and address is looked up once. */
export class SignerLookup {
  readonly #db: Db
  readonly #known = new Map<string, unknown>()

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Returns the user's SSH key with this line in `authorized_keys`, unless the key is for authentication
   * only.
   */
  ssh(line: string): Promise<SshSigner | undefined> {
    return this.#once(`ssh ${line}`, () => findSshSigner(this.#db, line))
  }

  /** Returns the GPG keys that have this id or a subkey with this id, oldest first. */
  pgp(keyId: string): Promise<PgpSigner[]> {
    return this.#once(`pgp ${keyId}`, () => listPgpSigners(this.#db, keyId))
  }

  /** Returns whether the user has confirmed the email address. */
  owns(owner: SigningKeyOwner, address: string): Promise<boolean> {
    if (owner.confirmed_at === null || address === '') return Promise.resolve(false)
    return this.#once(`owns ${owner.id} ${address}`, () =>
      isAddressOfUser(this.#db, owner, address),
    )
  }

  #once<T>(question: string, find: () => Promise<T>): Promise<T> {
    const known = this.#known.get(question) as Promise<T> | undefined
    const answer = known ?? find()
    this.#known.set(question, answer)
    return answer
  }
}

type SshSigner = { key: Selectable<SshKeyTable>; owner: SigningKeyOwner }

async function findSshSigner(db: Db, line: string): Promise<SshSigner | undefined> {
  const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64')
  const key = await db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('fingerprint_sha256', '=', computeSshFingerprints(blob).fingerprint_sha256)
    .where('usage_type', '!=', 'auth')
    .executeTakeFirst()
  const owner = key && key.user_id !== null ? await findOwner(db, key.user_id) : undefined
  return key && owner && { key, owner }
}

/** A key that may have made a signature; `subkey_id` is set if one of its subkeys did. */
export type PgpSigner = {
  gpg_key_id: number
  subkey_id: number | null
  /** The key in ASCII armor. */
  key: string
  owner: SigningKeyOwner
}

/** Key ids are short, so several keys can have the same one. The signature shows which of them was used. */
const namesakes_max = 10

async function listPgpSigners(db: Db, keyId: string): Promise<PgpSigner[]> {
  const rows = await db
    .selectFrom('gpg_keys')
    .where('primary_keyid', '=', keyId)
    .select(['gpg_keys.id', sql<number | null>`null`.as('subkey_id')])
    .unionAll(
      db
        .selectFrom('gpg_subkeys')
        .where('keyid', '=', keyId)
        .select(['gpg_subkeys.gpg_key_id as id', 'gpg_subkeys.id as subkey_id']),
    )
    .orderBy('id')
    .limit(namesakes_max)
    .execute()
  if (rows.length === 0) return []
  const keys = await db
    .selectFrom('gpg_keys')
    .innerJoin('users', 'users.id', 'gpg_keys.user_id')
    .select(['gpg_keys.id as gpg_key_id', 'gpg_keys.key'])
    .select(['users.id', 'users.email', 'users.confirmed_at'])
    .where(
      'gpg_keys.id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const byId = new Map(keys.map((key) => [key.gpg_key_id, key]))
  return rows.flatMap(({ id, subkey_id }) => {
    const found = byId.get(id)
    if (!found) return []
    const { gpg_key_id, key, ...owner } = found
    return [{ gpg_key_id, subkey_id, key, owner }]
  })
}

function findOwner(db: Db, id: number): Promise<SigningKeyOwner | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'confirmed_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}
