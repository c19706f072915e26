import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import type { PersonalAccessToken } from './token.ts'

const fields = {
  id: Type.Integer(),
  name: Type.String(),
  revoked: Type.Boolean(),
  created_at: Type.String(),
  scopes: Type.Array(Type.String()),
  user_id: Type.Integer(),
  last_used_at: nullableText,
  active: Type.Boolean(),
  expires_at: nullableText,
}

export const TokenJson = namedObject('PersonalAccessToken', fields)
/** The record with the token itself, returned only once. */
export const NewTokenJson = namedObject('NewPersonalAccessToken', {
  ...fields,
  token: Type.String(),
})

export function presentToken(token: PersonalAccessToken, today: string): Static<typeof TokenJson> {
  return {
    id: token.id,
    name: token.name,
    revoked: token.revoked,
    created_at: token.created_at,
    scopes: token.scopes,
    user_id: token.user_id,
    last_used_at: token.last_used_at,
    active: !token.revoked && (token.expires_at === null || token.expires_at > today),
    expires_at: token.expires_at,
  }
}

const impersonationFields = { ...fields, impersonation: Type.Boolean() }
export const ImpersonationTokenJson = namedObject('ImpersonationToken', impersonationFields)

/** The record with the token itself, returned only once. */
export const NewImpersonationTokenJson = namedObject('NewImpersonationToken', {
  ...impersonationFields,
  token: Type.String(),
})

export function presentImpersonationToken(
  token: PersonalAccessToken,
  today: string,
): Static<typeof ImpersonationTokenJson> {
  return { ...presentToken(token, today), impersonation: token.impersonation }
}
