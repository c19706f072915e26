import { type Static, Type } from 'typebox'
import { nullableText, record } from '../../../http/schema.ts'
import type { SshKey } from '../../people/ssh-keys/ssh-key.ts'
import type { EnabledKey } from './deploy-key.store.ts'

const fields = {
  id: Type.Integer(),
  title: Type.String(),
  created_at: Type.String(),
  expires_at: nullableText,
  key: Type.String(),
  fingerprint: Type.String(),
  fingerprint_sha256: Type.String(),
}

/** On its own, as administrators list it. */
export const DeployKeyJson = record('DeployKey', { ...fields, public: Type.Boolean() })

/** Within a project. */
export const EnabledKeyJson = record('EnabledKey', { ...fields, can_push: Type.Boolean() })

function presentFields(key: SshKey) {
  return {
    id: key.id,
    title: key.title,
    created_at: key.created_at,
    expires_at: key.expires_at,
    key: key.key,
    fingerprint: key.fingerprint,
    fingerprint_sha256: `SHA256:${key.fingerprint_sha256}`,
  }
}

export function presentDeployKey(key: SshKey): Static<typeof DeployKeyJson> {
  return { ...presentFields(key), public: key.is_public }
}

export function presentEnabledKey(key: EnabledKey): Static<typeof EnabledKeyJson> {
  return { ...presentFields(key), can_push: key.can_push }
}
