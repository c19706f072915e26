import { type Static, Type } from 'typebox'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { findUser, type User } from '../../../subjects/user.ts'
import {
  AdminUserJson,
  CurrentUserJson,
  presentAdminUser,
  presentCurrentUser,
  presentUser,
  UserJson,
} from './user.present.ts'
import { findUserDetails, findUserDetailsByIds, userDetailsFromRows } from './user-details.store.ts'

/** A user as everybody can see them, also inside of other records. */
export const ProfileJson = UserJson

export function showProfile(user: User, baseUrl: string): Static<typeof ProfileJson> {
  return presentUser(user, { baseUrl, seesPrivate: false })
}

/** A user with all fields that they see of themselves. */
export const OwnUserJson = CurrentUserJson

type Viewer = { db: Db; baseUrl: string; config: Pick<Config, 'tier'> }

/** Returns all fields that a user sees of themselves, for administrators. */
export async function showOwnUser(
  viewer: Viewer,
  id: number,
): Promise<Static<typeof OwnUserJson> | undefined> {
  const user = await findUser(viewer.db, id)
  return user && showCurrentUser(viewer, user)
}

export async function showCurrentUser(
  { db, baseUrl, config }: Viewer,
  user: User,
): Promise<Static<typeof CurrentUserJson>> {
  const details = await findUserDetails(db, user.id)
  return presentCurrentUser(user, details, { baseUrl, tier: config.tier })
}

/** Returns the records of these users for administrators. Runs one additional query for any number of users. */
export async function showUsersToAdministrator(
  { db, baseUrl, config }: Viewer,
  users: readonly User[],
): Promise<Static<typeof AdminUserJson>[]> {
  const ids = users.map(({ id }) => id)
  const details = await findUserDetailsByIds(db, ids)
  return users.map((user) =>
    presentAdminUser(user, details.get(user.id) ?? userDetailsFromRows([]), {
      baseUrl,
      tier: config.tier,
    }),
  )
}

export async function showUserToAdministrator(
  { db, baseUrl, config }: Viewer,
  user: User,
): Promise<Static<typeof AdminUserJson>> {
  const details = await findUserDetails(db, user.id)
  return presentAdminUser(user, details, { baseUrl, tier: config.tier })
}

/** The signed-in user in the response of `GET /user`. */
export const SignedInUserJson = Type.Union([AdminUserJson, CurrentUserJson])

export function showSignedInUser(
  viewer: Viewer,
  user: User,
): Promise<Static<typeof SignedInUserJson>> {
  return user.is_admin ? showUserToAdministrator(viewer, user) : showCurrentUser(viewer, user)
}
