// Public functions of users: what other features use of them.

import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { ActorUser, CredentialEndReason } from '../access/actor.ts'
import { defineRowLoader } from '../db/compiled-query.ts'
import type { Db, UserTable } from '../db/db.ts'
import { lowerCaseExpression } from '../db/dialect.ts'
import { namedObject, nullableText, oneOf } from '../http/schema.ts'
import { ApiError, forbidden, notFound, unauthorized } from '../kernel/errors.ts'
import { splitIntoBatches } from '../kernel/split-into-batches.ts'
import { avatarUrl } from './avatar-url.ts'

export type User = Selectable<UserTable>

const userById = defineRowLoader((db, { id }: { id: number }) =>
  db.selectFrom('users').selectAll().where('id', '=', id),
)

export function findUser(db: Db, id: number): Promise<User | undefined> {
  return userById(db, { id })
}

/** The maximum number of ids that are bound in one statement of SQLite. */
const ids_a_statement = 10_000

/** Returns the users with these ids, by id. Any number of ids is allowed. */
export async function findUsersByIds(
  db: Db,
  ids: readonly (number | null)[],
): Promise<Map<number, User>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const users = new Map<number, User>()
  for (const some of splitIntoBatches(wanted, ids_a_statement)) {
    const rows = await db.selectFrom('users').selectAll().where('id', 'in', some).execute()
    for (const user of rows) users.set(user.id, user)
  }
  return users
}

/** Returns the user with that id. Throws 404 `404 User Not Found` if there is none. */
export async function getUser(db: Db, id: number): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw notFound('User')
  return user
}

/** Finds a user by `user_id` as clients give it: digits are an id, anything else a username, regardless of case. */
export function findUserByIdOrName(db: Db, idOrName: string): Promise<User | undefined> {
  return /^\d{1,15}$/.test(idOrName)
    ? findUser(db, Number(idOrName))
    : findUserByUsername(db, idOrName)
}

export function findUserByUsername(db: Db, username: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(lowerCaseExpression('username'), '=', username.toLowerCase())
    .executeTakeFirst()
}

/** Finds a user by username or a confirmed email address, as for sign-in. */
export function findUserByUsernameOrEmail(db: Db, login: string): Promise<User | undefined> {
  const given = login.toLowerCase()
  // One look-up in an index each; with `or`, PostgreSQL would read every user.
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('users as named')
        .select('named.id')
        .where(lowerCaseExpression('named.username'), '=', given)
        .unionAll(
          eb
            .selectFrom('users as addressed')
            .select('addressed.id')
            .where(lowerCaseExpression('addressed.email'), '=', given),
        )
        .unionAll(
          eb
            .selectFrom('emails')
            .select('emails.user_id as id')
            .where(lowerCaseExpression('emails.email'), '=', given)
            .where('emails.confirmed_at', 'is not', null),
        ),
    )
    .executeTakeFirst()
}

/** Finds users by confirmed email addresses, primary or secondary, in lower case. */
export async function findUsersByConfirmedEmails(
  db: Db,
  emails: readonly string[],
): Promise<{ id: number; username: string; address: string }[]> {
  if (emails.length === 0) return []
  const given = emails.map((email) => email.toLowerCase())
  return db
    .selectFrom('users')
    .select(['users.id', 'users.username', lowerCaseExpression('users.email').as('address')])
    .where(lowerCaseExpression('users.email'), 'in', given)
    .where('users.confirmed_at', 'is not', null)
    .union(
      db
        .selectFrom('emails')
        .innerJoin('users', 'users.id', 'emails.user_id')
        .select(['users.id', 'users.username', lowerCaseExpression('emails.email').as('address')])
        .where(lowerCaseExpression('emails.email'), 'in', given)
        .where('emails.confirmed_at', 'is not', null)
        .where('users.confirmed_at', 'is not', null),
    )
    .execute()
}

/** Finds a user by their public email address only, so that other addresses are not revealed. */
export function findUserByPublicAddress(db: Db, address: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(lowerCaseExpression('public_email'), '=', address.toLowerCase())
    .where('public_email', '<>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the caller's own account. Throws 401 if it was deleted meanwhile. */
export async function getSignedInUser({
  db,
  user,
}: {
  db: Db
  user: { id: number }
}): Promise<User> {
  const found = await findUser(db, user.id)
  if (!found) throw unauthorized()
  return found
}

export function actorUserFromUser(user: User): ActorUser {
  const { id, username, name, email, commit_email, is_admin, external } = user
  return { id, username, name, email, commit_email, is_admin, external }
}

type Standing = Pick<User, 'state' | 'confirmed_at' | 'password_expires_at'>

export function isPasswordExpired(
  { password_expires_at }: Pick<User, 'password_expires_at'>,
  now: string,
): boolean {
  return password_expires_at !== null && password_expires_at <= now
}

/** The messages about accounts that may not be used, as clients know them. */
export const accountProblemTexts = {
  blocked: 'Your account has been blocked.',
  deactivated:
    'Your account has been deactivated by your administrator. Please log back in to reactivate your account.',
  pendingApproval: 'Your account is pending approval from your administrator and hence blocked.',
  unconfirmed:
    'Your primary email address is not confirmed. Please check your inbox for the confirmation instructions.',
  passwordExpired:
    'Your password expired. Please access GitLab from a web browser to update your password.',
}

export type AccountProblem = keyof typeof accountProblemTexts

/** Returns why an account may not be used now; undefined if it may. */
export function findAccountProblem(user: Standing, now: string): AccountProblem | undefined {
  switch (user.state) {
    case 'blocked':
    case 'banned':
      return 'blocked'
    case 'deactivated':
      return 'deactivated'
    case 'blocked_pending_approval':
      return 'pendingApproval'
  }
  if (!user.confirmed_at) return 'unconfirmed'
  return isPasswordExpired(user, now) ? 'passwordExpired' : undefined
}

/** Returns why the credentials of an account are not valid now; undefined if the account may be used. */
export function findCredentialEndOfAccount(
  user: Standing,
  now: string,
): Extract<CredentialEndReason, { kind: 'barred' }> | undefined {
  const problem = findAccountProblem(user, now)
  return problem && { kind: 'barred', text: accountProblemTexts[problem] }
}

/** 403: the account may not be used. */
export class UnusableAccountError extends ApiError {
  readonly problem: AccountProblem

  constructor(problem: AccountProblem) {
    super('forbidden', forbidden(accountProblemTexts[problem]).detail)
    this.problem = problem
  }
}

/** Throws 403 if the account may not be used now. */
export function ensureAccountUsable(user: Standing, now: string): void {
  const problem = findAccountProblem(user, now)
  if (problem) throw new UnusableAccountError(problem)
}

/** The types of users that belong to the server itself. */
export const internalUserTypes = ['ghost', 'alert_bot'] as const
export type InternalUserType = (typeof internalUserTypes)[number]

export function isInternalUser({ user_type }: Pick<User, 'user_type'>): boolean {
  return user_type === 'ghost' || user_type === 'alert_bot'
}

/** Whether emails may be sent to the account: not to blocked, banned and internal users. */
export function canReceiveEmails({ state, user_type }: Pick<User, 'state' | 'user_type'>): boolean {
  return user_type === 'human' && state !== 'blocked' && state !== 'banned'
}

export const BasicUserJson = namedObject('BasicUser', {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: oneOf(['active', 'blocked', 'deactivated', 'banned', 'blocked_pending_approval']),
  avatar_url: nullableText,
  web_url: Type.String(),
})

type Presentable = Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>

/** Returns a user as shown in lists and inside other records. */
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
