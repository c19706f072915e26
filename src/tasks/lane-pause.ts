// Pauses lanes on all nodes, so that their tasks do not change what is being read.
import type { Db } from '../db/db.ts'
import { lockTable } from '../db/dialect.ts'
import { runTransaction } from '../db/run-transaction.ts'
import type { Clock } from '../kernel/clock.ts'
import { newRequestId } from '../kernel/ids.ts'
import { limits } from '../kernel/limits.ts'
import type { Lane } from './task.ts'

export type LanePause = {
  /** How many tasks of the lanes run still, of those begun before. */
  countRunning: () => Promise<number>
  release: () => Promise<void>
}

/**
 * Pauses lanes until `release` is called, or until a minute after this process has died. Running tasks continue, and the
 * caller waits for them. `onLost` is called if the pause could not be renewed in time.
 */
export async function pauseLanes(
  db: Db,
  clock: Clock,
  { lanes, onLost }: { lanes: readonly Lane[]; onLost: (error: unknown) => void },
): Promise<LanePause> {
  const holder = newRequestId()
  const { hold_ms, hold_renewal_ms } = limits.tasks
  const held_until = () => new Date(clock().getTime() + hold_ms).toISOString()
  await runTransaction(db, async (tx) => {
    // A claim under way does not see this yet; it has ended when the lock is ours, and is counted.
    await lockTable(tx, 'tasks')
    await tx
      .insertInto('lane_holds')
      .values(lanes.map((lane) => ({ holder, lane, held_until: held_until() })))
      .execute()
  })
  const timer = setInterval(() => {
    db.updateTable('lane_holds')
      .set({ held_until: held_until() })
      .where('holder', '=', holder)
      .execute()
      .catch(onLost)
  }, hold_renewal_ms)
  return {
    async countRunning() {
      const { count } = await db
        .selectFrom('tasks')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('lane', 'in', lanes)
        .where('owner_id', 'is not', null)
        .executeTakeFirstOrThrow()
      return count
    },
    async release() {
      clearInterval(timer)
      await db.deleteFrom('lane_holds').where('holder', '=', holder).execute()
    },
  }
}
