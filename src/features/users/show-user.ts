import type { Static } from 'typebox'
import type { Db } from '../../db/db.ts'
import { CurrentUserJson, presentCurrentUser } from './user.present.ts'
import { findUser } from './user.ts'

/** A user with everything they see of themselves. */
export const OwnUserJson = CurrentUserJson

/** What the user of that id sees of themselves, for records that administrators see a user within. */
export async function showOwnUser(
  db: Db,
  id: number,
  baseUrl: string,
): Promise<Static<typeof OwnUserJson> | undefined> {
  const user = await findUser(db, id)
  return user && presentCurrentUser(user, baseUrl)
}
