import { type Static, Type } from 'typebox'
import { nullable, nullableText } from '../../http/schema.ts'
import { OwnUserJson } from '../users/show-user.ts'
import type { SshKey } from './ssh-key.ts'

const fields = {
  id: Type.Integer(),
  title: Type.String(),
  created_at: Type.String(),
  expires_at: nullableText,
  key: Type.String(),
  usage_type: Type.String(),
}

/** As everybody sees it. */
export const SshKeyJson = Type.Object(fields)

/** As its user and administrators see it. */
export const OwnSshKeyJson = Type.Object({ ...fields, last_used_at: nullableText })

const LinkJson = Type.Object({
  id: Type.Integer(),
  deploy_key_id: Type.Integer(),
  project_id: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  can_push: Type.Boolean(),
})

/** As an administrator finds it: with whose it is, and for a deploy key where it is enabled. */
export const FoundSshKeyJson = Type.Object({
  ...OwnSshKeyJson.properties,
  user: nullable(OwnUserJson),
  deploy_keys_projects: Type.Optional(Type.Array(LinkJson)),
})

export function presentKey(key: SshKey): Static<typeof SshKeyJson> {
  const { id, title, created_at, expires_at, key: text, usage_type } = key
  return { id, title, created_at, expires_at, key: text, usage_type }
}

export function presentOwnKey(key: SshKey): Static<typeof OwnSshKeyJson> {
  return { ...presentKey(key), last_used_at: key.last_used_at }
}
