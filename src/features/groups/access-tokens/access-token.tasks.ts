import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { findUser } from '../../../subjects/user.ts'
import { defineTask } from '../../../tasks/task.ts'
import { enqueueUserRemoval } from '../../people/users/remove-user.ts'
import { deleteTokenBot, listOrphanedTokenBots } from './access-token.store.ts'

const bots_a_run = 100

/** Deletes the bots of deleted projects and groups. Recurring; each in its own transaction. */
export const removeOrphanedTokenBotsTask = defineTask({
  name: 'remove-orphaned-bots',
  lane: 'removal',
  every_ms: 60_000,
  async run({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
    for (const { user_id } of await listOrphanedTokenBots(db, bots_a_run)) {
      await runTransaction(db, async (tx) => {
        await deleteTokenBot(tx, user_id)
        const user = await findUser(tx, user_id)
        if (user) await enqueueUserRemoval(tx, clock, { user, isHard: false })
      })
    }
  },
})
