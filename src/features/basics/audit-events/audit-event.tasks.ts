import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'

/** Removes events that are too old, some at a time. Recurring; doing it twice removes nothing more. */
export async function removeOldAuditEvents({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const { kept_ms, removed_max } = limits.audit_events
  const old = await db
    .selectFrom('audit_events')
    .select('id')
    .where('created_at', '<=', new Date(clock().getTime() - kept_ms).toISOString())
    .orderBy('created_at')
    .limit(removed_max)
    .execute()
  // Most of the time there is nothing to remove, and then no writer is held.
  if (old.length === 0) return
  await db
    .deleteFrom('audit_events')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute()
}

export const auditEventTasks = [
  defineTask({
    name: 'remove-old-audit-events',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeOldAuditEvents,
  }),
]
