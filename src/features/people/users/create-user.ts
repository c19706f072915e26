import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { type ApiError, conflict, invalid } from '../../../kernel/errors.ts'
import { findUserByUsername, type User } from '../../../subjects/user.ts'
import { administratorClaimant, insertNamespace } from '../../basics/namespaces/namespace.ts'
import { isSecondaryAddress, lockEmailAddressTables } from '../emails/email.ts'
import { acceptInvitations } from '../members/accept-invitations.ts'
import { insertUser, isEmailTaken } from './user.store.ts'
import { userChangedEffect } from './user-changed.ts'
import { userProblems } from './user-problems.ts'

export type NewUser = Omit<Parameters<typeof insertUser>[1], 'created_at' | 'updated_at'>

/**
 * Creates a user and their namespace, in the caller's transaction. Throws 400 with validation problems, and 409 for a taken
 * email address or username (the address is reported first). Invitations to an address wait until it is confirmed.
 */
export async function createUser(
  db: Db,
  clock: Clock,
  user: NewUser,
  { isAddressProven = true } = {},
): Promise<User> {
  await checkNewUser(db, user)
  await lockEmailAddressTables(db)
  if (await isSecondaryAddress(db, user.email)) throw taken('Email')
  const now = timestamp(clock)
  const created = await insertUser(db, { ...user, created_at: now, updated_at: now })
  if (!created) throw taken((await isEmailTaken(db, user.email)) ? 'Email' : 'Username')
  const namespace = await insertNamespace(db, {
    kind: 'user',
    owner_id: created.id,
    parent: undefined,
    name: created.name,
    path: created.username,
    visibility: 'public',
    now,
    claimant: administratorClaimant,
  })
  if (!namespace) throw invalid({ username: ['has already been taken'] })
  if (created.confirmed_at && isAddressProven) await acceptInvitations(db, clock, created)
  await userChangedEffect.run({ tx: db, clock, user: created, action: 'create' })
  return created
}

/**
 * Throws the validation problems of a new user; the password is checked only if it is not hashed yet. If a field is
 * invalid, a taken address or name is reported instead (docs/api/users.md, "Taken addresses and names").
 */
export async function checkNewUser(
  db: Db,
  user: Pick<NewUser, 'email' | 'username'> & Parameters<typeof userProblems>[0],
): Promise<void> {
  const problems = userProblems(user)
  if (Object.keys(problems).length === 0) return
  const { email, username } = user
  if ((await isEmailTaken(db, email)) || (await isSecondaryAddress(db, email))) throw taken('Email')
  if (await findUserByUsername(db, username)) throw taken('Username')
  throw invalid(problems)
}

function taken(what: 'Email' | 'Username'): ApiError {
  return conflict(`${what} has already been taken`)
}
