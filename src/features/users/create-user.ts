import type { Insertable } from 'kysely'
import type { Db, UserTable } from '../../db/db.ts'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { isSecondaryAddress, lockAddresses } from '../emails/email.ts'
import { acceptInvitations } from '../members/accept-invitations.ts'
import { insertNamespace } from '../namespaces/namespace.ts'
import { insertUser, isEmailTaken } from './user.store.ts'
import type { User } from './user.ts'
import { userProblems } from './user-problems.ts'

export type NewUser = Omit<Insertable<UserTable>, 'created_at' | 'updated_at'>

/**
 * Makes a user and their own namespace, in the caller's transaction. Refuses with the messages of
 * model validation (400) or for a taken address or name (409; the address is named first).
 */
export async function createUser(db: Db, clock: Clock, user: NewUser): Promise<User> {
  const problems = userProblems(user)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  await lockAddresses(db)
  if (await isSecondaryAddress(db, user.email)) throw conflict('Email has already been taken')
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
