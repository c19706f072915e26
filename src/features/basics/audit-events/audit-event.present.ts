import { type Static, Type } from 'typebox'
import { namedObject } from '../../../http/schema.ts'
import type { AuditEventRow } from './audit-event.store.ts'

export const AuditEventJson = namedObject('AuditEvent', {
  id: Type.Integer(),
  author_id: Type.Integer(),
  entity_id: Type.Integer(),
  entity_type: Type.String(),
  event_name: Type.String(),
  details: Type.Object({}, { additionalProperties: true }),
  created_at: Type.String(),
})

/** The entity of events about the instance (docs/api/audit-events.md, "The record"). */
export const instanceScope = { entity_type: 'Gitlab::Audit::InstanceScope', entity_id: 1 } as const

/** The author of events by anonymous callers and by the server itself. */
const nobody = -1

export function presentAuditEvent(row: AuditEventRow): Static<typeof AuditEventJson> {
  const { id, author_id, action, created_at } = row
  const isInstance = row.entity_type === 'Instance'
  return {
    id,
    author_id: author_id ?? nobody,
    entity_id: isInstance ? instanceScope.entity_id : row.entity_id,
    entity_type: isInstance ? instanceScope.entity_type : row.entity_type,
    event_name: action,
    details: {
      ...row.details,
      custom_message: sentenceOf(action),
      author_name: row.author_name,
      target_id: row.target_id ?? row.entity_id,
      target_type: row.target_type ?? row.entity_type,
      target_details: row.target_details ?? row.entity_path,
      ip_address: row.ip_address,
      entity_path: row.entity_path,
    },
    created_at,
  }
}

/** Returns `Member added` for `member_added`. */
function sentenceOf(action: string): string {
  const words = action.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
