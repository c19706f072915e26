import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteOldAuditEvents } from './audit-event.store.ts'

/** Deletes old events, some at a time. Recurring; safe to repeat. */
export async function removeOldAuditEvents({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  const { kept_ms, removed_max } = limits.audit_events
  const until = new Date(clock().getTime() - kept_ms).toISOString()
  await deleteOldAuditEvents(db, { until, limit: removed_max })
}

export const auditEventTasks = [
  defineTask({
    name: 'remove-old-audit-events',
    lane: 'expiry',
    every_ms: 60_000,
    run: removeOldAuditEvents,
  }),
]
