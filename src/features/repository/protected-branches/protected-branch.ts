// Public functions of protected branches: which rules apply to a branch and whom they allow.
import type { Actor } from '../../../access/actor.ts'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { Db } from '../../../db/db.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'

export type ProtectionAction = 'push' | 'merge' | 'unprotect'

/** An entry of a rule; `isMember` is whether the caller is a member of `group_id`. */
export type ProtectionEntry = {
  action: ProtectionAction
  access_level: number | null
  user_id: number | null
  group_id: number | null
  isMember: boolean
}

export type ProtectionRule = {
  id: number
  /** Whether the rule belongs to a group, so that projects cannot loosen it. */
  isInherited: boolean
  name: string
  allow_force_push: boolean
  code_owner_approval_required: boolean
  entries: ProtectionEntry[]
}

/** Selects the ids of the rules of a project and of the groups it is in. */
export function protectionRuleIdsQuery(db: Db, projectId: number) {
  return db
    .selectFrom('protected_branches')
    .select('protected_branches.id')
    .where('protected_branches.project_id', '=', projectId)
    .unionAll(
      db
        .selectFrom('projects')
        .innerJoin(
          'namespace_ancestors',
          'namespace_ancestors.namespace_id',
          'projects.namespace_id',
        )
        .innerJoin(
          'protected_branches',
          'protected_branches.namespace_id',
          'namespace_ancestors.ancestor_id',
        )
        .select('protected_branches.id')
        .where('projects.id', '=', projectId),
    )
}

function allEntries(db: Db, userId: number) {
  return db
    .selectFrom('protected_branches as rule')
    .leftJoin('protected_branch_access_levels as entry', 'entry.protected_branch_id', 'rule.id')
    .leftJoin('namespace_access as membership', (join) =>
      join
        .onRef('membership.namespace_id', '=', 'entry.group_id')
        .on('membership.user_id', '=', userId),
    )
    .select([
      'rule.id',
      'rule.name',
      'rule.project_id',
      'rule.allow_force_push',
      'rule.code_owner_approval_required',
      'entry.id as entry_id',
      'entry.action',
      'entry.access_level',
      'entry.user_id',
      'entry.group_id',
      'membership.access_level as membership_level',
    ])
    .orderBy('rule.id')
    .orderBy('entry.id')
}

function entriesQuery(db: Db, { userId, projectId }: { userId: number; projectId: number }) {
  return allEntries(db, userId).where('rule.id', 'in', protectionRuleIdsQuery(db, projectId))
}

const entriesOf = defineListLoader(entriesQuery)

/** Returns all rules of a project and its groups with their entries, as they apply to the caller; one query. */
export async function listBranchProtectionRules(
  db: Db,
  projectId: number,
  actor: Actor,
): Promise<ProtectionRule[]> {
  return rulesIn(await entriesOf(db, { userId: actor.user?.id ?? 0, projectId }))
}

/** Returns one rule, as it applies to the caller. */
export async function findBranchProtectionRule(
  db: Db,
  id: number,
  actor: Actor,
): Promise<ProtectionRule | undefined> {
  const query = allEntries(db, actor.user?.id ?? 0).where('rule.id', '=', id)
  return rulesIn(await query.execute())[0]
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof allEntries>['execute']>>[number]

function rulesIn(rows: readonly EntryRow[]): ProtectionRule[] {
  const rules = new Map<number, ProtectionRule>()
  for (const row of rows) {
    const { id, name, allow_force_push, code_owner_approval_required } = row
    const isInherited = row.project_id === null
    const flags = { isInherited, allow_force_push, code_owner_approval_required }
    const rule = rules.get(id) ?? { id, name, ...flags, entries: [] }
    rules.set(id, rule)
    if (row.action === null) continue
    rule.entries.push({
      action: row.action,
      access_level: row.access_level,
      user_id: row.user_id,
      group_id: row.group_id,
      isMember: (row.membership_level ?? 0) >= Level.developer,
    })
  }
  return [...rules.values()]
}

/** Returns the rules that match a branch: by its exact name or by a wildcard. */
export function rulesMatchingBranch(
  rules: readonly ProtectionRule[],
  branch: string,
): ProtectionRule[] {
  return rules.filter(({ name }) => matchesWildcard(name, branch))
}

export type CallerWithLevel = { actor: Actor; level: number }

/**
 * Whether a condition holds for the rules of the project and for those of its groups, where there are any: a project
 * cannot loosen what its group protects.
 */
export function holdsForOwnAndInheritedRules(
  matching: readonly ProtectionRule[],
  holds: (rules: readonly ProtectionRule[]) => boolean,
): boolean {
  const levels = [true, false].map((wanted) =>
    matching.filter(({ isInherited }) => isInherited === wanted),
  )
  return matching.length > 0 && levels.every((rules) => rules.length === 0 || holds(rules))
}

/**
 * Whether matching rules allow the caller `action`. Permissions of several rules of the project add up, as do those
 * of its groups; if both have rules, both have to allow it.
 */
export function isAllowedByProtectionRules(
  matching: readonly ProtectionRule[],
  action: ProtectionAction,
  { actor, level }: CallerWithLevel,
): boolean {
  if (isAdmin(actor)) return true
  return holdsForOwnAndInheritedRules(matching, (rules) =>
    rules
      .flatMap(({ entries }) => entries)
      .some(
        (entry) => entry.action === action && isAllowedByProtectionEntry(entry, { actor, level }),
      ),
  )
}

/** Whether an entry of a branch or tag protection applies to the caller. */
export function isAllowedByProtectionEntry(
  { access_level, user_id, group_id, isMember }: Omit<ProtectionEntry, 'action'>,
  { actor, level }: CallerWithLevel,
): boolean {
  if (user_id !== null) return user_id === actor.user?.id && level >= Level.developer
  if (group_id !== null) return isMember && level >= Level.developer
  return access_level !== null && access_level > Level.none && level >= access_level
}

/** Whether the caller, who has the push ability, may push to the branch. */
export function mayPushToBranch(
  rules: readonly ProtectionRule[],
  branch: string,
  caller: CallerWithLevel,
): boolean {
  const matching = rulesMatchingBranch(rules, branch)
  return matching.length === 0 || isAllowedByProtectionRules(matching, 'push', caller)
}

/** The push and merge levels of the first branch for each `default_branch_protection` of the group. */
const defaultLevels: Record<number, { push: number; merge: number }> = {
  1: { push: Level.developer, merge: Level.maintainer },
  2: { push: Level.maintainer, merge: Level.maintainer },
  3: { push: Level.maintainer, merge: Level.developer },
  4: { push: Level.maintainer, merge: Level.maintainer },
}

/** Whether Developers may push the first branch of an empty repository at this level of default protection. */
export function allowsFirstPushByDevelopers(protection: number): boolean {
  return protection === 0 || protection === 1 || protection === 4
}

/**
 * Protects a project's first branch as its group or the instance requires. An existing rule with that name stays. Returns
 * the id of a new rule.
 */
export async function protectDefaultBranch(
  db: Db,
  rule: { project_id: number; name: string; protection: number; now: string },
): Promise<number | undefined> {
  const levels = defaultLevels[rule.protection]
  if (!levels) return undefined
  const inserted = await db
    .insertInto('protected_branches')
    .values({ project_id: rule.project_id, name: rule.name, created_at: rule.now })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return undefined
  const entry = (action: ProtectionAction, access_level: number) => ({
    protected_branch_id: inserted.id,
    action,
    access_level,
  })
  await db
    .insertInto('protected_branch_access_levels')
    .values([
      entry('push', levels.push),
      entry('merge', levels.merge),
      entry('unprotect', Level.maintainer),
    ])
    .execute()
  return inserted.id
}
