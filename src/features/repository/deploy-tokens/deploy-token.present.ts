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
/** As answered once, when the token is made. */
export const NewDeployTokenJson = namedObject('NewDeployToken', { ...fields, token: Type.String() })

/** One that somebody revoked is gone; `revoked` are those whose parent has ended. */
export function presentDeployToken(
  { id, name, username, expires_at, scopes, is_in_force = true }: DeployToken,
  now: string,
): Static<typeof DeployTokenJson> {
  const expired = expires_at !== null && expires_at <= now
  return { id, name, username, expires_at, scopes, revoked: !is_in_force, expired }
}
