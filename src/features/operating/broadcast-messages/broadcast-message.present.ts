import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { BroadcastMessage } from './broadcast-message.store.ts'
import { isMessageActive } from './broadcast-rules.ts'

export const BroadcastMessageJson = namedObject('BroadcastMessage', {
  id: Type.Integer(),
  message: Type.String(),
  starts_at: Type.String(),
  ends_at: Type.String(),
  color: nullableText,
  font: nullableText,
  target_access_levels: Type.Array(Type.Integer()),
  target_path: nullableText,
  broadcast_type: Type.String(),
  dismissable: Type.Boolean(),
  active: Type.Boolean(),
})

export function presentMessage(
  row: BroadcastMessage,
  now: string,
): Static<typeof BroadcastMessageJson> {
  const { id, message, starts_at, ends_at, color, font } = row
  const { target_access_levels, target_path, broadcast_type, dismissable } = row
  return {
    id,
    message,
    starts_at,
    ends_at,
    color,
    font,
    target_access_levels,
    target_path,
    broadcast_type,
    dismissable,
    active: isMessageActive(row, now),
  }
}
