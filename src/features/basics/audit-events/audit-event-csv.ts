// Audit events as a file for spreadsheets and archives (docs/api/audit-events.md, "Export").
import { stringify } from 'csv-stringify/sync'
import type { Db } from '../../../db/db.ts'
import { presentAuditEvent } from './audit-event.present.ts'
import {
  type AuditEventFilter,
  type AuditEventRow,
  listAuditEventsBefore,
} from './audit-event.store.ts'

const rows_max = 100_000
const batch_rows = 1000

const columns = [
  'id',
  'created_at',
  'event_name',
  'author_id',
  'author_name',
  'entity_type',
  'entity_id',
  'entity_path',
  'target_type',
  'target_id',
  'target_details',
  'ip_address',
]

/** Cells are escaped so that spreadsheets run none as a formula, since users choose their names. */
const options = { escape_formulas: true }

/** Yields the lines of a CSV file in UTF-8, in batches, the newest event first; `rows_max` events at most. */
export async function* exportAuditEvents(db: Db, wanted: AuditEventFilter): AsyncGenerator<Buffer> {
  yield Buffer.from(stringify([columns], options))
  let id_before: number | undefined
  for (let rows = 0; rows < rows_max; rows += batch_rows) {
    const batch = await listAuditEventsBefore(db, wanted, { id_before, limit: batch_rows })
    if (batch.length > 0) yield Buffer.from(stringify(batch.map(cellsOf), options))
    if (batch.length < batch_rows) return
    id_before = batch.at(-1)?.id
  }
}

function cellsOf(row: AuditEventRow): (string | number | null)[] {
  const { id, created_at, event_name, author_id, entity_type, entity_id } = presentAuditEvent(row)
  const { author_name, entity_path, target_type, target_id, target_details, ip_address } = row
  const target = [target_type ?? entity_type, target_id ?? entity_id, target_details ?? entity_path]
  const entity = [entity_type, entity_id, entity_path]
  return [id, created_at, event_name, author_id, author_name, ...entity, ...target, ip_address]
}
