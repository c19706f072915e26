import type { Db } from '../../../db/db.ts'

/** At most `limit` of those put down by `until`, the oldest first. */
export async function deleteOldAuditEvents(
  db: Db,
  { until, limit }: { until: string; limit: number },
): Promise<void> {
  const old = await db
    .selectFrom('audit_events')
    .select('id')
    .where('created_at', '<=', until)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  // Most of the time there is nothing to remove, and then no writer is held.
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('audit_events').where('id', 'in', ids).execute()
}
