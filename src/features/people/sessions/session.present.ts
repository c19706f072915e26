import { type Static, Type } from 'typebox'
import { namedObject } from '../../../http/schema.ts'
import type { Session } from './session.store.ts'

export const SessionJson = namedObject('Session', {
  id: Type.Integer(),
  current: Type.Boolean(),
  impersonated: Type.Boolean({ description: 'Whether an administrator impersonates the user.' }),
  ip_address: Type.String(),
  user_agent: Type.String(),
  created_at: Type.String(),
  last_used_at: Type.String(),
  expires_at: Type.String(),
})

/** Presents a session. `current_id` is the session of the caller. */
export function presentSession(
  session: Session,
  current_id: number | undefined,
): Static<typeof SessionJson> {
  return {
    id: session.id,
    current: session.id === current_id,
    impersonated: session.impersonator_session_id !== null,
    ip_address: session.ip,
    user_agent: session.user_agent,
    created_at: session.created_at,
    last_used_at: session.last_used_at,
    expires_at: session.expires_at,
  }
}
