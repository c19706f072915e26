import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../../../http/schema.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import type { MemberWithUser } from './member.store.ts'

export const MemberJson = namedObject('Member', {
  ...BasicUserJson.properties,
  access_level: Type.Integer(),
  created_at: Type.String(),
  expires_at: nullableText,
})

/** The result of inviting several at once, with the reasons of failures. */
export const InvitationResultJson = namedObject('Invited', {
  status: Type.String(),
  message: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.String())])),
})

export function presentMember(member: MemberWithUser, baseUrl: string): Static<typeof MemberJson> {
  const { access_level, created_at, expires_at } = member
  return { ...presentBasicUser(member, baseUrl), access_level, created_at, expires_at }
}
