import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import { limits } from '../../kernel/limits.ts'

/** One more failure; as many as are allowed lock the account, and the count begins anew. */
export async function countFailure(db: Db, clock: Clock, user_id: number): Promise<void> {
  const { failures_max, locked_ms } = limits.sign_in
  const until = new Date(clock().getTime() + locked_ms).toISOString()
  // One statement, so that no two nodes count the same failure once.
  const isLast = sql<boolean>`failed_sign_ins + 1 >= ${sql.lit(failures_max)}`
  await db
    .updateTable('users')
    .set((eb) => ({
      failed_sign_ins: eb
        .case()
        .when(isLast)
        .then(0)
        .else(eb('failed_sign_ins', '+', 1))
        .end(),
      sign_in_locked_until: eb
        .case()
        .when(isLast)
        .then(until as string | null)
        .else(eb.ref('sign_in_locked_until'))
        .end(),
    }))
    .where('id', '=', user_id)
    .where((eb) =>
      eb.or([
        eb('sign_in_locked_until', 'is', null),
        eb('sign_in_locked_until', '<=', timestamp(clock)),
      ]),
    )
    .execute()
}

/** A failure of nobody's, or of an account that is locked. */
export async function countUnknownFailure(db: Db): Promise<void> {
  await db
    .updateTable('unknown_sign_ins')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', 1)
    .execute()
}

export async function forgetFailures(db: Db, user_id: number): Promise<void> {
  await db.updateTable('users').set({ failed_sign_ins: 0 }).where('id', '=', user_id).execute()
}

/** Lets an account in again at once. */
export async function liftLock(db: Db, user_id: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ failed_sign_ins: 0, sign_in_locked_until: null })
    .where('id', '=', user_id)
    .execute()
}
