import { type Static, Type } from 'typebox'
import { namedObject, nullableText } from '../http/schema.ts'
import { avatarUrl } from './avatar-url.ts'
import type { Group } from './group.ts'

/** A group that is invited into a project or another group, with the highest level that its members get there. */
export const InvitedGroupJson = namedObject('InvitedGroup', {
  group_id: Type.Integer(),
  group_name: Type.String(),
  group_full_path: Type.String(),
  group_access_level: Type.Integer(),
  expires_at: nullableText,
})

/** A group with only its name and URL. */
export const GroupLinkJson = namedObject('GroupLink', {
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
})

/** A group with only its name, avatar and URL. */
export const GroupSummaryJson = namedObject('GroupName', {
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
  avatar_url: nullableText,
  full_name: Type.String(),
  full_path: Type.String(),
})

export function presentGroupSummary(
  group: Pick<Group, 'id' | 'name' | 'full_name' | 'full_path' | 'avatar'>,
  baseUrl: string,
): Static<typeof GroupSummaryJson> {
  const { id, name, full_name, full_path, avatar } = group
  const avatar_url = avatarUrl(baseUrl, { kind: 'group', id, avatar })
  const web_url = `${baseUrl}/groups/${full_path}`
  return { id, web_url, name, avatar_url, full_name, full_path }
}
