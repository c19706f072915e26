import { type Static, Type } from 'typebox'
import type { Tier } from '../../../config.ts'
import { namedObject, nullableInteger } from '../../../http/schema.ts'
import { describeProtectionEntry } from './describe-protection-entry.ts'
import type { BranchProtectionEntry, ProtectedBranch } from './protected-branch.store.ts'
import type { ProtectionAction } from './protected-branch.ts'

const EntryJson = namedObject('ProtectedBranchEntry', {
  id: Type.Integer(),
  access_level: nullableInteger,
  access_level_description: Type.String(),
  user_id: Type.Optional(nullableInteger),
  group_id: Type.Optional(nullableInteger),
})

export const ProtectedBranchJson = namedObject('ProtectedBranch', {
  id: Type.Integer(),
  name: Type.String(),
  push_access_levels: Type.Array(EntryJson),
  merge_access_levels: Type.Array(EntryJson),
  unprotect_access_levels: Type.Optional(Type.Array(EntryJson)),
  allow_force_push: Type.Boolean(),
  code_owner_approval_required: Type.Boolean(),
  inherited: Type.Optional(Type.Boolean()),
})

/**
 * Presents a rule. `unprotect_access_levels` and, in projects, `inherited` are shown on paid tiers; on the free tier only
 * the response that sets the former has them.
 */
export function presentProtectedBranch(
  rule: ProtectedBranch,
  { tier, isNew = false, isOfGroup = false }: { tier: Tier; isNew?: boolean; isOfGroup?: boolean },
): Static<typeof ProtectedBranchJson> {
  const { id, name, entries, allow_force_push, code_owner_approval_required } = rule
  const levels = (action: ProtectionAction) =>
    entries.filter((entry) => entry.action === action).map((entry) => presentEntry(entry, tier))
  return {
    id,
    name,
    push_access_levels: levels('push'),
    merge_access_levels: levels('merge'),
    ...(isNew || tier !== 'free' ? { unprotect_access_levels: levels('unprotect') } : {}),
    allow_force_push,
    code_owner_approval_required,
    ...(tier === 'free' || isOfGroup ? {} : { inherited: rule.project_id === null }),
  }
}

function presentEntry(entry: BranchProtectionEntry, tier: Tier): Static<typeof EntryJson> {
  const { id, access_level, user_id, group_id } = entry
  return {
    id,
    access_level,
    access_level_description: describeProtectionEntry(entry),
    ...(tier === 'free' ? {} : { user_id, group_id }),
  }
}
