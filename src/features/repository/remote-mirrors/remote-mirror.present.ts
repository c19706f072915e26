import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { RemoteMirror } from './remote-mirror.store.ts'

export const RemoteMirrorJson = namedObject('RemoteMirror', {
  id: Type.Integer(),
  enabled: Type.Boolean(),
  url: Type.String(),
  update_status: Type.String(),
  last_update_at: nullableText,
  last_update_started_at: nullableText,
  last_successful_update_at: nullableText,
  last_error: nullableText,
  only_protected_branches: Type.Boolean(),
  keep_divergent_refs: Type.Boolean(),
  auth_method: Type.String(),
  host_keys: Type.Array(Type.Unknown()),
})

export function presentRemoteMirror(mirror: RemoteMirror): Static<typeof RemoteMirrorJson> {
  return {
    id: mirror.id,
    enabled: mirror.enabled,
    url: mirror.shown_url,
    update_status: mirror.update_status,
    last_update_at: mirror.last_update_at,
    last_update_started_at: mirror.last_update_started_at,
    last_successful_update_at: mirror.last_successful_update_at,
    last_error: mirror.last_error,
    only_protected_branches: mirror.only_protected_branches,
    keep_divergent_refs: mirror.keep_divergent_refs,
    auth_method: 'password',
    host_keys: [],
  }
}
