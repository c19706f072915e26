import type { Selectable } from 'kysely'
import type { AuditEventTable, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type AuditEventRow = Selectable<AuditEventTable>

export type AuditEventFilter = {
  entity_type?: string
  entity_id?: number
  author_id?: number
  created_after?: string
  created_before?: string
}

function eventsOf(db: Db, wanted: AuditEventFilter) {
  const { entity_type, entity_id, author_id, created_after, created_before } = wanted
  let query = db.selectFrom('audit_events')
  if (entity_type !== undefined) query = query.where('entity_type', '=', entity_type)
  if (entity_id !== undefined) query = query.where('entity_id', '=', entity_id)
  if (author_id !== undefined) query = query.where('author_id', '=', author_id)
  if (created_after !== undefined) query = query.where('created_at', '>=', created_after)
  if (created_before !== undefined) query = query.where('created_at', '<=', created_before)
  return query
}

/** Returns one page of events, newest first. */
export async function listAuditEvents(
  db: Db,
  wanted: AuditEventFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: AuditEventRow[]; total: number | undefined }> {
  const matching = eventsOf(db, wanted)
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

/** Returns a number of events before the one with that id, or the newest ones. */
export function listAuditEventsBefore(
  db: Db,
  wanted: AuditEventFilter,
  { id_before, limit }: { id_before: number | undefined; limit: number },
): Promise<AuditEventRow[]> {
  let query = eventsOf(db, wanted)
  if (id_before !== undefined) query = query.where('id', '<', id_before)
  return query.selectAll().orderBy('id', 'desc').limit(limit).execute()
}

export function findAuditEvent(
  db: Db,
  wanted: AuditEventFilter,
  id: number,
): Promise<AuditEventRow | undefined> {
  return eventsOf(db, wanted).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Deletes at most `limit` events up to `until`, the oldest first. */
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
  // Usually there is nothing to delete. Then no write transaction is opened.
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('audit_events').where('id', 'in', ids).execute()
}
