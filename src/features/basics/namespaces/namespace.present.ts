import { type Static, Type } from 'typebox'
import type { Tier } from '../../../config.ts'
import { namedObject, nullableInteger, nullableText, oneOf } from '../../../http/schema.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import { presentBasicUser } from '../../../subjects/user.ts'
import type { NamespaceMemberCounts, NamespaceRow } from './namespace.store.ts'

export const NamespaceJson = namedObject('Namespace', {
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  kind: oneOf(['user', 'group']),
  full_path: Type.String(),
  parent_id: nullableInteger,
  avatar_url: nullableText,
  web_url: Type.String(),
  members_count_with_descendants: Type.Optional(Type.Integer()),
  billable_members_count: Type.Optional(Type.Integer()),
  plan: Type.Optional(Type.String()),
  trial_ends_on: Type.Optional(nullableText),
  trial: Type.Optional(Type.Boolean()),
})

/** `counts` are given for what the caller owns, and for nothing else shown. */
export function presentNamespace(
  namespace: NamespaceRow,
  {
    baseUrl,
    tier,
    counts,
  }: { baseUrl: string; tier: Tier; counts: NamespaceMemberCounts | undefined },
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
    ...(counts && kind === 'group' ? { members_count_with_descendants: counts.members } : {}),
    ...(counts && tier !== 'free' ? presentPlan(counts, tier) : {}),
  }
}

/**
 * There are no subscriptions, so each namespace has the plan `default` and no trial. On the highest tier Guests take no
 * seat.
 */
function presentPlan({ members, seated }: NamespaceMemberCounts, tier: Tier) {
  const billable_members_count = tier === 'ultimate' ? seated : members
  return { billable_members_count, plan: 'default', trial_ends_on: null, trial: false }
}

/** A personal namespace has the name and avatar of its owner. */
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
