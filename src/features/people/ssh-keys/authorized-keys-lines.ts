// The SSH keys of a user as lines of an authorized_keys file, for other machines.
import type { Db } from '../../../db/db.ts'
import type { User } from '../../../subjects/user.ts'
import { listSshKeysOfUser } from './ssh-key.store.ts'

const keys_max = 1000

/** Returns one line for each key, with the user's name and the host as its comment. */
export async function listAuthorizedKeysLines(
  db: Db,
  user: Pick<User, 'id' | 'name'>,
  host: string,
): Promise<string[]> {
  const { rows } = await listSshKeysOfUser(db, user.id, { offset: 0, per_page: keys_max })
  // Line breaks in the name are replaced, since a line break would start another key.
  const comment = `${user.name.replaceAll(/\s/g, ' ')} (${host})`
  return rows.map(({ key }) => `${key.split(' ').slice(0, 2).join(' ')} ${comment}\n`)
}
