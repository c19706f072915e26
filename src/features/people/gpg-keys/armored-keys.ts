import type { Db } from '../../../db/db.ts'
import type { User } from '../../../subjects/user.ts'
import { listGpgKeys } from './gpg-key.store.ts'

const keys_max = 1000

/** Returns the GPG keys of a user, each armored, as programs import them. */
export async function listArmoredKeys(db: Db, { id }: Pick<User, 'id'>): Promise<string[]> {
  const { rows } = await listGpgKeys(db, id, { offset: 0, per_page: keys_max })
  return rows.map(({ key }) => `${key.trim()}\n`)
}
