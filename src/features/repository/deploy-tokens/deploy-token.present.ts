import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { DeployToken } from './deploy-token.store.ts'

const fields = {
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  expires_at: nullableText,
  scopes: Type.Array(Type.String()),
  revoked: Type.Boolean(),
  expired: Type.Boolean(),
}

export const DeployTokenJson = namedObject('DeployToken', fields)
/** The record with the token itself, returned only once. */
export const NewDeployTokenJson = namedObject('NewDeployToken', { ...fields, token: Type.String() })

/** Presents a deploy token. Tokens that a user revoked are deleted; `revoked` is true for those whose parent has ended. */
export function presentDeployToken(
  { id, name, username, expires_at, scopes, is_in_force = true }: DeployToken,
  now: string,
): Static<typeof DeployTokenJson> {
  const expired = expires_at !== null && expires_at <= now
  return { id, name, username, expires_at, scopes, revoked: !is_in_force, expired }
}
