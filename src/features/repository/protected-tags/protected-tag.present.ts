import { type Static, Type } from 'typebox'
import type { Tier } from '../../../config.ts'
import { namedObject, nullableInteger } from '../../../http/schema.ts'
import { describeProtectionEntry } from '../protected-branches/describe-protection-entry.ts'
import type { ProtectedTag, TagProtectionEntry } from './protected-tag.store.ts'

const EntryJson = namedObject('ProtectedTagEntry', {
  id: Type.Integer(),
  access_level: nullableInteger,
  access_level_description: Type.String(),
  user_id: Type.Optional(nullableInteger),
  group_id: Type.Optional(nullableInteger),
})

export const ProtectedTagJson = namedObject('ProtectedTag', {
  name: Type.String(),
  create_access_levels: Type.Array(EntryJson),
})

export function presentProtectedTag(
  { name, entries }: ProtectedTag,
  tier: Tier,
): Static<typeof ProtectedTagJson> {
  return { name, create_access_levels: entries.map((entry) => presentEntry(entry, tier)) }
}

/** Presents an entry. Entries name users and groups on paid tiers only. */
function presentEntry(entry: TagProtectionEntry, tier: Tier): Static<typeof EntryJson> {
  const { id, access_level, user_id, group_id } = entry
  return {
    id,
    access_level,
    access_level_description: describeProtectionEntry(entry),
    ...(tier === 'free' ? {} : { user_id, group_id }),
  }
}
