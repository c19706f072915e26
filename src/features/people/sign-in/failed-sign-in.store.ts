import { sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { recordAuditEventsForUsers } from '../../basics/audit-events/audit-event.ts'

/** Counts a failed sign-in of a user. The last one allowed locks the account and resets the count. */
export async function incrementSignInFailures(
  tx: Db,
  clock: Clock,
  { user_id, ip }: { user_id: number; ip: string },
): Promise<void> {
  const { failures_max, locked_ms } = limits.sign_in
  const until = new Date(clock().getTime() + locked_ms).toISOString()
  // One statement, so that no failure is lost when two nodes count at the same time.
  const isLast = sql<boolean>`failed_sign_ins + 1 >= ${sql.lit(failures_max)}`
  await tx
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
  await recordFailure(tx, clock, { user_id, ip, locked_until: until })
}

/** Records a failure for an unknown user or a locked account, with as many statements as for a known one. */
export async function recordSignInFailureOfUnknownUser(
  tx: Db,
  clock: Clock,
  { ip }: { ip: string },
): Promise<void> {
  await tx
    .updateTable('unknown_sign_ins')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', 1)
    .execute()
  await recordFailure(tx, clock, { user_id: 0, ip, locked_until: timestamp(clock) })
}

/**
 * Records an audit event if the counted failure is the account's first, or locks the account. The condition
 * is part of the statement, so that the number of statements does not reveal whether an account exists.
 */
async function recordFailure(
  tx: Db,
  clock: Clock,
  { user_id, ip, locked_until }: { user_id: number; ip: string; locked_until: string },
): Promise<void> {
  await recordAuditEventsForUsers(
    { db: tx, clock, request: { ip } },
    tx
      .selectFrom('users')
      .select(({ eb }) => [
        'id',
        'username',
        eb
          .case()
          .when('failed_sign_ins', '=', 1)
          .then('sign_in_failed' as const)
          .else('account_locked' as const)
          .end()
          .as('action'),
      ])
      .where('id', '=', user_id)
      .where((eb) =>
        eb.or([eb('failed_sign_ins', '=', 1), eb('sign_in_locked_until', '=', locked_until)]),
      ),
  )
}

/** Resets the count of failed sign-ins. */
export async function resetSignInFailures(db: Db, user_id: number): Promise<void> {
  await db.updateTable('users').set({ failed_sign_ins: 0 }).where('id', '=', user_id).execute()
}

/** Unlocks sign-in to an account. */
export async function unlockSignIn(db: Db, user_id: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ failed_sign_ins: 0, sign_in_locked_until: null })
    .where('id', '=', user_id)
    .execute()
}
