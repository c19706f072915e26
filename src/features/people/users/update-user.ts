import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { ApiError, conflictAnsweredAsNotFound, invalid } from '../../../kernel/errors.ts'
import { findPersonalNamespace } from '../../../subjects/namespace.ts'
import { findUserByUsername, type User } from '../../../subjects/user.ts'
import { linkAvatar, type StoredAvatar, unlinkAvatar } from '../../basics/avatars/avatar.ts'
import { moveNamespace } from '../../basics/namespaces/move-namespace.ts'
import { administratorClaimant } from '../../basics/namespaces/namespace.ts'
import { isAddressOfUser, isSecondaryAddress, lockEmailAddressTables } from '../emails/email.ts'
import { isEmailTaken, updateUserRow } from './user.store.ts'
import { userChangedEffect } from './user-changed.ts'
import { userProblems } from './user-problems.ts'

/**
 * `avatarChange` is a stored avatar, or null to remove the current one. `password` is only validated; its hash is computed
 * before.
 */
export type UserChanges = Partial<User> & { avatarChange?: StoredAvatar | null; password?: string }

/**
 * Changes a user and their namespace, in the caller's transaction. Throws 400 with validation problems, and 404 for a taken
 * email address or username (docs/api/users.md, "Taken addresses and names").
 */
export async function updateUser(
  tx: Db,
  clock: Clock,
  { user, changes: { avatarChange, password, ...changes } }: { user: User; changes: UserChanges },
): Promise<User> {
  const wanted = changes.email ?? changes.unconfirmed_email ?? undefined
  await refuseTaken(tx, user, { email: wanted, username: changes.username })
  const problems = userProblems({ ...changes, email: wanted, password })
  // The present username is not validated again, since it was valid when it was set.
  if (changes.username === user.username) delete problems.username
  for (const field of ['public_email', 'commit_email'] as const) {
    const address = changes[field]
    if (address && !(await isOwnAddress(tx, user, changes, address))) {
      problems[field] = ['is not an email you own']
    }
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const now = timestamp(clock)
  await renameNamespace(tx, user, changes)
  if (avatarChange !== undefined) {
    const owner = { kind: 'user', id: user.id } as const
    if (avatarChange === null) await unlinkAvatar(tx, { owner, now })
    else await linkAvatar(tx, { owner, stored: avatarChange, now })
  }
  if (changes.email !== undefined && !(await isOwnAddress(tx, user, changes, user.email))) {
    const isLeft = (address: string | null) => address?.toLowerCase() === user.email.toLowerCase()
    // If the address was the public email or the email of commits, it is removed there too, since the user no
    // longer has it.
    if (isLeft(user.public_email)) changes.public_email ??= ''
    if (isLeft(user.commit_email)) changes.commit_email ??= null
  }
  const avatar = avatarChange === undefined ? {} : { avatar: avatarChange?.file_name ?? null }
  const updated = await updateUserRow(tx, user.id, { ...changes, ...avatar, updated_at: now })
  if (typeof updated === 'string') throw taken(updated)
  if (updated.username !== user.username) {
    const old_username = user.username
    await userChangedEffect.run({ tx, clock, user: updated, action: 'rename', old_username })
  }
  return updated
}

/** Throws if the address or name belongs to another user; reported before other problems. */
async function refuseTaken(
  tx: Db,
  user: User,
  { email, username }: { email: string | undefined; username: string | undefined },
): Promise<void> {
  if (email !== undefined && email.toLowerCase() !== user.email.toLowerCase()) {
    await lockEmailAddressTables(tx)
    const isTaken = await isEmailTaken(tx, email, { but: user.id })
    if (isTaken || (await isSecondaryAddress(tx, email))) throw taken('email')
  }
  if (username === undefined || username.toLowerCase() === user.username.toLowerCase()) return
  if (await findUserByUsername(tx, username)) throw taken('username')
}

function taken(what: 'email' | 'username'): ApiError {
  return conflictAnsweredAsNotFound(
    `${what === 'email' ? 'Email' : 'Username'} has already been taken`,
  )
}

/**
 * Returns whether the address is the account's confirmed address, or another address that the user has
 * confirmed.
 */
async function isOwnAddress(
  tx: Db,
  user: User,
  { email = user.email }: Partial<User>,
  address: string,
): Promise<boolean> {
  return user.confirmed_at !== null && isAddressOfUser(tx, { id: user.id, email }, address)
}

/** Renames the personal namespace. Paths of its projects change too, and the old paths redirect. */
async function renameNamespace(
  tx: Db,
  user: User,
  { username = user.username, name = user.name }: Partial<User>,
): Promise<void> {
  if (username === user.username && name === user.name) return
  await lockAccessRecomputation(tx)
  const namespace = await findPersonalNamespace(tx, user.id)
  if (!namespace) return
  try {
    await moveNamespace(tx, namespace, { path: username, name, claimant: administratorClaimant })
  } catch (error) {
    // The path belongs to a group.
    if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error
    throw invalid({ username: ['has already been taken'] })
  }
}
