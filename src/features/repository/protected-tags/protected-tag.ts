// Public functions of protected tags: which rules apply to a tag, and who may create it.
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import {
  type CallerWithLevel,
  isAllowedByProtectionEntry,
  type ProtectionEntry,
} from '../protected-branches/protected-branch.ts'

export type TagProtectionRule = {
  id: number
  name: string
  entries: Omit<ProtectionEntry, 'action'>[]
}

const entriesOf = defineListLoader(
  (db, { userId, projectId }: { userId: number; projectId: number }) =>
    db
      .selectFrom('protected_tags as rule')
      .leftJoin('protected_tag_access_levels as entry', 'entry.protected_tag_id', 'rule.id')
      .leftJoin('namespace_access as membership', (join) =>
        join
          .onRef('membership.namespace_id', '=', 'entry.group_id')
          .on('membership.user_id', '=', userId),
      )
      .select([
        'rule.id',
        'rule.name',
        'entry.id as entry_id',
        'entry.access_level',
        'entry.user_id',
        'entry.group_id',
        'membership.access_level as membership_level',
      ])
      .where('rule.project_id', '=', projectId)
      .orderBy('rule.id')
      .orderBy('entry.id'),
)

/** Returns all rules of a project with their entries, as they apply to the caller; one query. */
export async function listTagProtectionRules(
  db: Db,
  projectId: number,
  { user }: Pick<CallerWithLevel['actor'], 'user'>,
): Promise<TagProtectionRule[]> {
  const rules = new Map<number, TagProtectionRule>()
  for (const row of await entriesOf(db, { userId: user?.id ?? 0, projectId })) {
    const { id, name, entry_id, access_level, user_id, group_id } = row
    const rule = rules.get(id) ?? { id, name, entries: [] }
    rules.set(id, rule)
    const isMember = (row.membership_level ?? 0) >= Level.developer
    if (entry_id !== null) rule.entries.push({ access_level, user_id, group_id, isMember })
  }
  return [...rules.values()]
}

/** Returns the rules that match a tag: by its exact name or by a wildcard. */
export function rulesMatchingTag(
  rules: readonly TagProtectionRule[],
  tag: string,
): TagProtectionRule[] {
  return rules.filter(({ name }) => matchesWildcard(name, tag))
}

export function isProtectedTag(rules: readonly TagProtectionRule[], tag: string): boolean {
  return rulesMatchingTag(rules, tag).length > 0
}

/** Whether the caller, who may push, may create the tag. One matching rule that allows it is enough. */
export function mayCreateTag(
  rules: readonly TagProtectionRule[],
  tag: string,
  caller: CallerWithLevel,
): boolean {
  const matching = rulesMatchingTag(rules, tag)
  if (matching.length === 0 || isAdmin(caller.actor)) return true
  return matching.some(({ entries }) =>
    entries.some((entry) => isAllowedByProtectionEntry(entry, caller)),
  )
}

/** The messages of refusals, the same for pushes and operations. */
export const protectedTagRefusalTexts = {
  create: 'You are not allowed to create this tag as it is protected.',
  update: 'Protected tags cannot be updated.',
  delete:
    'You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.',
  deleteByPush: 'You can only delete protected tags using the web interface.',
  change: 'You are not allowed to change existing tags on this project.',
} as const
