import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'
import { findUser } from '../../../subjects/user.ts'
import { defineTask } from '../../../tasks/task.ts'
import { unlinkAvatar } from '../../basics/avatars/avatar.ts'
import { reassignContributionsToGhost } from './ghost.ts'
import { deleteUser } from './user.store.ts'
import { userChangedEffect } from './user-changed.ts'

type Removal = Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & {
  user_id: number
  hard_delete: boolean
}

/** Runs before the row of a user is deleted. Every step must be safe to repeat. */
export const userRemovedEffect = declareEffect<Removal>('a user is removed')

/**
 * Deletes a blocked user: first what is deleted with them, then the rest in one transaction. An interrupted run is simply
 * repeated.
 */
export const removeUserTask = defineTask({
  name: 'remove-user',
  lane: 'removal',
  async run(
    { db, git, clock, config }: Omit<Removal, 'user_id' | 'hard_delete'>,
    { user_id, hard_delete }: Pick<Removal, 'user_id' | 'hard_delete'>,
  ) {
    const user = await findUser(db, user_id)
    if (!user) return
    await userRemovedEffect.run({ db, git, clock, config, user_id, hard_delete })
    await runTransaction(db, async (tx) => {
      await lockAccessRecomputation(tx)
      if (!hard_delete) await reassignContributionsToGhost(tx, clock, user_id)
      await unlinkAvatar(tx, { owner: { kind: 'user', id: user_id }, now: timestamp(clock) })
      await userChangedEffect.run({ tx, clock, user, action: 'destroy' })
      await deleteUser(tx, user_id)
    })
  },
})

export const userTasks = [removeUserTask]
