// The public face of users: what other features may know of them.
import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { ActorUser } from '../../access/actor.ts'
import type { Db, UserTable } from '../../db/db.ts'
import { lower } from '../../db/dialect.ts'
import { fixedQuery } from '../../db/fixed-query.ts'
import { nullableText } from '../../http/schema.ts'
import { avatarUrl } from '../avatars/avatar.ts'

export type User = Selectable<UserTable>

const userById = fixedQuery<User>((db) => db.selectFrom('users').selectAll().where('id', '=', 0))

export function findUser(db: Db, id: number): Promise<User | undefined> {
  return userById(db, [id])
}

/** By `user_id` as clients give it: digits are an id, anything else a name in any case. */
export function findUserByIdOrName(db: Db, idOrName: string): Promise<User | undefined> {
  return /^\d{1,15}$/.test(idOrName) ? findUser(db, Number(idOrName)) : findUserByName(db, idOrName)
}

export function findUserByName(db: Db, username: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(lower('username'), '=', username.toLowerCase())
    .executeTakeFirst()
}

/** By name or e-mail address, as a password is accepted for. */
export function findUserByLogin(db: Db, login: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb(lower('username'), '=', login.toLowerCase()),
        eb(lower('email'), '=', login.toLowerCase()),
      ]),
    )
    .executeTakeFirst()
}

export function actorUserOf(user: User): ActorUser {
  const { id, username, name, email, commit_email, is_admin, external } = user
  return { id, username, name, email, commit_email, is_admin, external }
}

type Standing = Pick<User, 'state' | 'confirmed_at' | 'password_expires_at'>

/** Why an account may not be used now, in the words a client is told, or undefined when it may. */
export function standingProblem(user: Standing, now: string): string | undefined {
  switch (user.state) {
    case 'blocked':
    case 'banned':
      return 'Your account has been blocked.'
    case 'deactivated':
      return 'Your account has been deactivated by your administrator. Please log back in to reactivate your account.'
    case 'blocked_pending_approval':
      return 'Your account is pending approval from your administrator and hence blocked.'
  }
  if (!user.confirmed_at) {
    return 'Your primary email address is not confirmed. Please check your inbox for the confirmation instructions.'
  }
  if (user.password_expires_at && user.password_expires_at <= now) {
    return 'Your password expired. Please access GitLab from a web browser to update your password.'
  }
  return undefined
}

export const BasicUserJson = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.String(),
  avatar_url: nullableText,
  web_url: Type.String(),
})

type Presentable = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>

/** How a user is shown within other records and in lists. */
export function presentBasicUser(user: Presentable, baseUrl: string): Static<typeof BasicUserJson> {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    avatar_url: avatarUrl(baseUrl, { kind: 'user', id: user.id, avatar: user.avatar }),
    web_url: `${baseUrl}/${user.username}`,
  }
}
