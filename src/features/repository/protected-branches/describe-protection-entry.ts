import { Level } from '../../../access/level.ts'

/** The descriptions of access levels (docs/api/repository.md, "Protected branches"). */
const descriptions: Record<number, string> = {
  [Level.none]: 'No one',
  [Level.developer]: 'Developers + Maintainers',
  [Level.maintainer]: 'Maintainers',
  [Level.admin]: 'Instance admins',
}

/** Describes whom an entry allows; a group that the reader cannot see has no name. */
export function describeProtectionEntry({
  access_level,
  user_name,
  group_id,
  group_name,
}: {
  access_level: number | null
  user_name: string | undefined
  group_id: number | null
  group_name: string | undefined
}): string {
  if (group_id !== null) return group_name ?? 'A private group'
  return user_name ?? descriptions[access_level ?? Level.none] ?? ''
}
