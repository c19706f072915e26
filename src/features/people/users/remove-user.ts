import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, today } from '../../../kernel/clock.ts'
import { conflict } from '../../../kernel/errors.ts'
import { isInternalUser, type User } from '../../../subjects/user.ts'
import { enqueue } from '../../../tasks/task.ts'
import { listSolelyOwnedGroups } from '../members/member.ts'
import { updateUserState } from './change-state.ts'
import { removeUserTask } from './user.tasks.ts'

/**
 * Blocks a user and enqueues the task that deletes them. `isHard` also deletes their contributions and the groups that only
 * they own; without it, throws 409 for an owner of such groups. Runs in the caller's transaction.
 */
export async function enqueueUserRemoval(
  tx: Db,
  clock: Clock,
  { user, isHard }: { user: User; isHard: boolean },
): Promise<void> {
  if (isInternalUser(user))
    throw new Error(`User ${user.id} is one of the server itself and stays.`)
  // The lock keeps the Owners of groups unchanged until the transaction ends.
  await lockAccessRecomputation(tx)
  const owned = await listSolelyOwnedGroups(tx, user.id, { today: today(clock), limit: 1 })
  if (owned.length > 0 && !isHard) {
    throw conflict('User cannot be removed while is the sole-owner of a group')
  }
  await updateUserState(tx, clock, user, 'blocked')
  const key = isHard ? `${user.id}:hard` : String(user.id)
  const payload = { user_id: user.id, hard_delete: isHard }
  await enqueue(tx, clock, { task: removeUserTask, key, payload })
}
