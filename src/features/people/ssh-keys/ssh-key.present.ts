import { type Static, Type } from 'typebox'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { OwnUserJson } from '../users/show-user.ts'
import { presentSshKey, type SshKey, SshKeyJson } from './ssh-key.ts'

/** A key as its user and administrators see it. */
export const OwnSshKeyJson = namedObject('OwnSshKey', {
  ...SshKeyJson.properties,
  last_used_at: nullableText,
})

const LinkJson = namedObject('DeployKeyLink', {
  id: Type.Integer(),
  deploy_key_id: Type.Integer(),
  project_id: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  can_push: Type.Boolean(),
})

/** A key as administrators find it: with its user, and for a deploy key the projects it is enabled for. */
export const FoundSshKeyJson = namedObject('FoundSshKey', {
  ...OwnSshKeyJson.properties,
  user: nullable(OwnUserJson),
  deploy_keys_projects: Type.Optional(Type.Array(LinkJson)),
})

export function presentOwnSshKey(key: SshKey): Static<typeof OwnSshKeyJson> {
  return { ...presentSshKey(key), last_used_at: key.last_used_at }
}
