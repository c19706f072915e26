import { type Static, Type } from 'typebox'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import { OwnUserJson } from '../users/show-user.ts'
import { presentSshKey, type SshKey, SshKeyJson } from './ssh-key.ts'

/** As its user and administrators see it. */
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

/** As an administrator finds it: with whose it is, and for a deploy key where it is enabled. */
export const FoundSshKeyJson = namedObject('FoundSshKey', {
  ...OwnSshKeyJson.properties,
  user: nullable(OwnUserJson),
  deploy_keys_projects: Type.Optional(Type.Array(LinkJson)),
})

export function presentOwnSshKey(key: SshKey): Static<typeof OwnSshKeyJson> {
  return { ...presentSshKey(key), last_used_at: key.last_used_at }
}
