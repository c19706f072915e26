// The state transitions of users, and the messages for administrators (docs/api/users.md, "States"). findAccountProblem
// says what a state forbids; all ways to sign in use it: tokens, passwords, keys.
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import { conflict, forbiddenWithMessage } from '../../../kernel/errors.ts'
import { isInternalUser, type User } from '../../../subjects/user.ts'
import { removeOtherSessions } from '../sessions/session.ts'
import { updateUserStateRow } from './user.store.ts'

type State = User['state']

/** States in which an account cannot be used until an administrator changes the state. */
export const barredUserStates: readonly State[] = ['blocked', 'banned', 'blocked_pending_approval']

/** Runs in the transaction in which an administrator blocks or deletes a user. */
export const userBlockedEffect = declareEffect<{ tx: Db; user_id: number; now: string }>(
  'a user is blocked',
)

const idle_days_min = 90
const day_ms = 24 * 60 * 60_000

/** Blocks a user. Returns true if they were not blocked, and null if they were. */
export async function blockUser(tx: Db, clock: Clock, user: User): Promise<true | null> {
  if (user.state === 'blocked') return null
  await updateUserState(tx, clock, user, 'blocked')
  return true
}

/** Unblocks a user; returns false if they are not blocked. A ban is lifted by another operation. */
export async function unblockUser(tx: Db, clock: Clock, user: User): Promise<boolean> {
  if (user.state !== 'blocked' && user.state !== 'blocked_pending_approval') return false
  await updateUserState(tx, clock, user, 'active')
  return true
}

/** Deactivates a user who has not been active for 90 days, or was created that long ago and never active. */
export async function deactivateUser(tx: Db, clock: Clock, user: User): Promise<true | null> {
  if (user.state === 'deactivated') return null
  if (barredUserStates.includes(user.state)) {
    throw forbiddenWithMessage('Error occurred. A blocked user cannot be deactivated')
  }
  if (isInternalUser(user)) throw forbiddenWithMessage('Internal users cannot be deactivated')
  const seen = [user.last_activity_on, user.current_sign_in_at].filter((at) => at !== null)
  const seen_ms = seen.length > 0 ? seen.map((at) => Date.parse(at)) : [Date.parse(user.created_at)]
  if (clock().getTime() - Math.max(...seen_ms) < idle_days_min * day_ms) {
    throw forbiddenWithMessage(
      `The user you are trying to deactivate has been active in the past ${idle_days_min} days and cannot be deactivated`,
    )
  }
  await updateUserState(tx, clock, user, 'deactivated')
  return true
}

/** Activates a deactivated user; returns false if they are not deactivated. */
export async function activateUser(tx: Db, clock: Clock, user: User): Promise<boolean> {
  if (user.state !== 'deactivated') return false
  await updateUserState(tx, clock, user, 'active')
  return true
}

export async function banUser(tx: Db, clock: Clock, user: User): Promise<true> {
  if (user.state !== 'active') throw forbiddenWithMessage(`You cannot ban ${user.state} users.`)
  await updateUserState(tx, clock, user, 'banned')
  return true
}

export async function unbanUser(tx: Db, clock: Clock, user: User): Promise<true> {
  if (user.state !== 'banned') throw forbiddenWithMessage(`You cannot unban ${user.state} users.`)
  await updateUserState(tx, clock, user, 'active')
  return true
}

export async function approveUser(tx: Db, clock: Clock, user: User): Promise<void> {
  if (user.state !== 'blocked_pending_approval') {
    throw conflict('The user you are trying to approve is not pending approval')
  }
  await updateUserState(tx, clock, user, 'active')
}

/** Changes the state of a user and ends their sessions, so that they are not signed in when they are unblocked. */
export async function updateUserState(
  tx: Db,
  clock: Clock,
  { id }: User,
  state: State,
): Promise<void> {
  const now = timestamp(clock)
  if (state !== 'active') await removeOtherSessions(tx, id)
  await updateUserStateRow(tx, { id, state, now })
  if (state === 'blocked' || state === 'banned')
    await userBlockedEffect.run({ tx, user_id: id, now })
}
