import { lockAccess } from '../../access/refresh.ts'
import type { Db } from '../../db/db.ts'
import { lower } from '../../db/dialect.ts'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { ApiError, invalid, takenElsewhere } from '../../kernel/errors.ts'
import { linkAvatar, type StoredAvatar, unlinkAvatar } from '../avatars/avatar.ts'
import { isSecondaryAddress, lockAddresses, ownsAddress } from '../emails/email.ts'
import { moveGroup } from '../groups/move-group.ts'
import { findOwnNamespace } from '../namespaces/namespace.ts'
import { isEmailTaken, updateUserRow } from './user.store.ts'
import type { User } from './user.ts'
import { userProblems } from './user-problems.ts'

/** `avatar` is a picture kept for the user, null to take away the one they have. */
export type UserChanges = Partial<User> & { avatarChange?: StoredAvatar | null }

/**
 * Changes a user, in the caller's transaction: their namespace is called as they are. 400 with the
 * messages of model validation; 404 for an address or name somebody else has (spec 1, Errors), with the
 * text clients know.
 */
export async function updateUser(
  tx: Db,
  clock: Clock,
  { user, changes: { avatarChange, ...changes } }: { user: User; changes: UserChanges },
): Promise<User> {
  const wanted = changes.email ?? changes.unconfirmed_email ?? undefined
  const problems = userProblems({ ...changes, email: wanted })
  // What somebody is called already was allowed once.
  if (changes.username === user.username) delete problems.username
  const { public_email } = changes
  if (public_email && !(await isOwnAddress(tx, user, changes, public_email))) {
    problems.public_email = ['is not an email you own']
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const now = timestamp(clock)
  if (wanted !== undefined && wanted.toLowerCase() !== user.email.toLowerCase()) {
    await lockAddresses(tx)
    const isTaken = await isEmailTaken(tx, wanted, { but: user.id })
    if (isTaken || (await isSecondaryAddress(tx, wanted))) throw taken('email')
  }
  await renameNamespace(tx, user, changes)
  if (avatarChange !== undefined) {
    const owner = { kind: 'user', id: user.id } as const
    if (avatarChange === null) await unlinkAvatar(tx, { owner, now })
    else await linkAvatar(tx, { owner, stored: avatarChange, now })
  }
  const isLeft = changes.email !== undefined && public_email === undefined
  // An address somebody no longer has is not shown as theirs.
  if (isLeft && user.public_email.toLowerCase() === user.email.toLowerCase()) {
    const isKept = await isOwnAddress(tx, user, changes, user.public_email)
    changes.public_email = isKept ? user.public_email : ''
  }
  const avatar = avatarChange === undefined ? {} : { avatar: avatarChange?.file_name ?? null }
  const updated = await updateUserRow(tx, user.id, { ...changes, ...avatar, updated_at: now })
  if (typeof updated === 'string') throw taken(updated)
  return updated
}

function taken(what: 'email' | 'username'): ApiError {
  return takenElsewhere(`${what === 'email' ? 'Email' : 'Username'} has already been taken`)
}

/** The address of the account, once it is confirmed, and others the user has confirmed. */
async function isOwnAddress(
  tx: Db,
  user: User,
  { email = user.email }: Partial<User>,
  address: string,
): Promise<boolean> {
  return user.confirmed_at !== null && ownsAddress(tx, { id: user.id, email }, address)
}

/** Paths of personal projects go along, and the old ones lead on. */
async function renameNamespace(
  tx: Db,
  user: User,
  { username = user.username, name = user.name }: Partial<User>,
): Promise<void> {
  if (username === user.username && name === user.name) return
  await lockAccess(tx)
  const namespace = await findOwnNamespace(tx, user.id)
  if (!namespace) return
  if (username.toLowerCase() !== user.username.toLowerCase()) {
    if (await hasUserNamed(tx, username)) throw taken('username')
  }
  try {
    await moveGroup(tx, namespace, { path: username, name })
  } catch (error) {
    // A group has the path.
    if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error
    throw invalid({ username: ['has already been taken'] })
  }
}

async function hasUserNamed(tx: Db, username: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where(lower('username'), '=', username.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}
