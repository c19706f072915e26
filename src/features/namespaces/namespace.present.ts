import { type Static, Type } from 'typebox'
import { nullableInteger, nullableText } from '../../http/schema.ts'
import { avatarUrl } from '../avatars/avatar.ts'
import { presentBasicUser } from '../users/user.ts'
import type { NamespaceRow } from './namespace.store.ts'

export const NamespaceJson = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  kind: Type.String(),
  full_path: Type.String(),
  parent_id: nullableInteger,
  avatar_url: nullableText,
  web_url: Type.String(),
  members_count_with_descendants: Type.Optional(Type.Integer()),
})

/** `members` is given for groups the caller owns, and for no others shown. */
export function presentNamespace(
  namespace: NamespaceRow,
  { baseUrl, members }: { baseUrl: string; members: number | undefined },
): Static<typeof NamespaceJson> {
  const { id, name, path, kind, full_path, parent_id } = namespace
  return {
    id,
    name,
    path,
    kind,
    full_path,
    parent_id,
    ...presentLook(namespace, baseUrl),
    ...(members === undefined ? {} : { members_count_with_descendants: members }),
  }
}

/** A personal namespace looks like its owner. */
function presentLook(namespace: NamespaceRow, baseUrl: string) {
  const { owner_id, owner_username, owner_name, owner_state, owner_avatar, full_path } = namespace
  if (owner_id === null) {
    const { id, avatar } = namespace
    const avatar_url = avatarUrl(baseUrl, { kind: 'group', id, avatar })
    return { avatar_url, web_url: `${baseUrl}/groups/${full_path}` }
  }
  const owner = {
    id: owner_id,
    username: owner_username ?? '',
    name: owner_name ?? '',
    state: owner_state ?? 'active',
    avatar: owner_avatar,
  }
  const { avatar_url, web_url } = presentBasicUser(owner, baseUrl)
  return { avatar_url, web_url }
}
