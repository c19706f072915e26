import { type Static, Type } from 'typebox'
import type { Db } from '../../db/db.ts'
import {
  AdminUserJson,
  CurrentUserJson,
  presentAdminUser,
  presentCurrentUser,
} from './user.present.ts'
import { findUser, type User } from './user.ts'

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

/** The signed-in user as `GET /user` answers them. */
export const SignedInUserJson = Type.Union([AdminUserJson, CurrentUserJson])

export function presentSignedInUser(
  user: User,
  { baseUrl, isPaidTier }: { baseUrl: string; isPaidTier: boolean },
): Static<typeof SignedInUserJson> {
  return user.is_admin
    ? presentAdminUser(user, { baseUrl, isPaidTier })
    : presentCurrentUser(user, baseUrl)
}
