import type { Insertable } from 'kysely'
import type { Db, UserTable } from '../../db/db.ts'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { conflict, type FieldErrors, invalid } from '../../kernel/errors.ts'
import { isEmail, usernameProblems } from '../../kernel/names.ts'
import { acceptInvitations } from '../members/accept-invitations.ts'
import { insertNamespace } from '../namespaces/namespace.ts'
import { insertUser, isEmailTaken } from './user.store.ts'
import type { User } from './user.ts'

export type NewUser = Omit<Insertable<UserTable>, 'created_at' | 'updated_at'>

/**
 * Makes a user and their own namespace, in the caller's transaction. Refuses with the messages of
 * model validation (400) or for a taken address or name (409; the address is named first).
 */
export async function createUser(db: Db, clock: Clock, user: NewUser): Promise<User> {
  const problems = userProblems(user)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const now = timestamp(clock)
  const created = await insertUser(db, { ...user, created_at: now, updated_at: now })
  if (!created) {
    const isByEmail = await isEmailTaken(db, user.email)
    throw conflict(`${isByEmail ? 'Email' : 'Username'} has already been taken`)
  }
  const namespace = await insertNamespace(db, {
    kind: 'user',
    owner_id: created.id,
    parent: undefined,
    name: created.name,
    path: created.username,
    visibility: 'public',
    now,
  })
  if (!namespace) throw invalid({ username: ['has already been taken'] })
  if (created.confirmed_at) await acceptInvitations(db, clock, created)
  return created
}

function userProblems(user: NewUser): FieldErrors {
  const problems: FieldErrors = {}
  const add = (field: string, messages: string[]) => {
    if (messages.length > 0) problems[field] = messages
  }
  add(
    'email',
    isEmail(user.email) ? [] : user.email.trim() === '' ? ["can't be blank"] : ['is invalid'],
  )
  add('username', usernameProblems(user.username))
  add('name', user.name.trim() === '' ? ["can't be blank"] : tooLong(user.name, 255))
  add('bio', tooLong(user.bio ?? '', 255))
  add(
    'projects_limit',
    (user.projects_limit ?? 0) < 0 ? ['must be greater than or equal to 0'] : [],
  )
  return problems
}

function tooLong(text: string, characters_max: number): string[] {
  const isTooLong = [...text].length > characters_max
  return isTooLong ? [`is too long (maximum is ${characters_max} characters)`] : []
}

/** The messages for a password a user is to be given. */
export function passwordProblems(password: string): string[] {
  if (password.length < 8) return ['is too short (minimum is 8 characters)']
  return password.length > 128 ? ['is too long (maximum is 128 characters)'] : []
}
