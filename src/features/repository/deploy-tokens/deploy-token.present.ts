import { type Static, Type } from 'typebox'
import { nullableText } from '../../../http/schema.ts'
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

export const DeployTokenJson = Type.Object(fields)
/** As answered once, when the token is made. */
export const NewDeployTokenJson = Type.Object({ ...fields, token: Type.String() })

/** One that is revoked is gone. */
export function presentDeployToken(
  { id, name, username, expires_at, scopes }: DeployToken,
  now: string,
): Static<typeof DeployTokenJson> {
  const expired = expires_at !== null && expires_at <= now
  return { id, name, username, expires_at, scopes, revoked: false, expired }
}
