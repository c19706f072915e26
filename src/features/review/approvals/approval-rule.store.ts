import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import {
  hasUserProjectLevelCondition,
  visibleNamespaceCondition,
} from '../../../access/visibility.ts'
import type { ApprovalRuleTable, Db, NamespaceTable, ProtectedBranchTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import { findUsersByIds, type User } from '../../../subjects/user.ts'
import { approversNamedByRulesQuery } from '../approval-states/approval-state.ts'

export type ApprovalRule = Selectable<ApprovalRuleTable>

type Branch = Pick<
  Selectable<ProtectedBranchTable>,
  'id' | 'name' | 'code_owner_approval_required' | 'created_at'
>
type Group = Pick<
  Selectable<NamespaceTable>,
  'id' | 'name' | 'path' | 'full_name' | 'full_path' | 'description' | 'visibility'
>

/** A rule with the users and groups that it names, as the caller sees them. */
export type ApprovalRuleWithNames = ApprovalRule & {
  users: User[]
  groups: Group[]
  hasHiddenGroups: boolean
  /** The users who can approve by the rule now, by id; at most `limits.approval_rules_max`. */
  eligible: User[]
  branches: Branch[]
  /** The number of approvals that the rule of the project requires which this rule was copied from. */
  sourceRequired: number | undefined
  /** Whether the number of approvals differs from that of the rule which this rule was copied from. */
  isOverridden: boolean
}

/** The owner of rules: a project, or a merge request with rules of its own. Rules of code owners cannot be changed. */
export type ApprovalRuleOwner = { project_id: number; issuable_id: number | null }

function rulesOf(db: Db, { project_id, issuable_id }: ApprovalRuleOwner) {
  return db
    .selectFrom('approval_rules')
    .where('approval_rules.project_id', '=', project_id)
    .where('approval_rules.issuable_id', issuable_id === null ? 'is' : '=', issuable_id)
    .where('approval_rules.rule_type', '<>', 'code_owner')
}

export async function listApprovalRules(
  db: Db,
  owner: ApprovalRuleOwner,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ApprovalRule[]; total: number | undefined }> {
  const query = rulesOf(db, owner)
  const rows = await query.selectAll().orderBy('id').offset(offset).limit(per_page).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export function findApprovalRule(
  db: Db,
  owner: ApprovalRuleOwner,
  id: number,
): Promise<ApprovalRule | undefined> {
  return rulesOf(db, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

export function findApprovalRulesByIds(db: Db, ids: readonly number[]): Promise<ApprovalRule[]> {
  return db
    .selectFrom('approval_rules')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id')
    .execute()
}

/** Returns the merge request's copy of a project rule. */
export function findRequestCopyOfProjectRule(
  db: Db,
  owner: ApprovalRuleOwner,
  source_rule_id: number,
): Promise<ApprovalRule | undefined> {
  return rulesOf(db, owner)
    .selectAll()
    .where('source_rule_id', '=', source_rule_id)
    .executeTakeFirst()
}

export async function countApprovalRules(db: Db, owner: ApprovalRuleOwner): Promise<number> {
  const { count } = await rulesOf(db, owner)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertApprovalRule(
  tx: Db,
  rule: Insertable<ApprovalRuleTable>,
): Promise<number> {
  const { id } = await tx
    .insertInto('approval_rules')
    .values(rule)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateApprovalRule(
  tx: Db,
  id: number,
  fields: Updateable<ApprovalRuleTable>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('approval_rules').set(fields).where('id', '=', id).execute()
}

export async function deleteApprovalRule(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('approval_rules').where('id', '=', id).execute()
}

/** The users, groups and branches that a rule names; omitted ones stay. */
export type ApprovalRuleTargets = {
  user_ids?: readonly number[] | undefined
  group_ids?: readonly number[] | undefined
  protected_branch_ids?: readonly number[] | undefined
}

export async function replaceApprovalRuleTargets(
  tx: Db,
  approval_rule_id: number,
  { user_ids, group_ids, protected_branch_ids }: ApprovalRuleTargets,
): Promise<void> {
  if (user_ids) {
    await tx
      .deleteFrom('approval_rule_users')
      .where('approval_rule_id', '=', approval_rule_id)
      .execute()
    const rows = user_ids.map((user_id) => ({ approval_rule_id, user_id }))
    if (rows.length > 0) await tx.insertInto('approval_rule_users').values(rows).execute()
  }
  if (group_ids) {
    await tx
      .deleteFrom('approval_rule_groups')
      .where('approval_rule_id', '=', approval_rule_id)
      .execute()
    const rows = group_ids.map((group_id) => ({ approval_rule_id, group_id }))
    if (rows.length > 0) await tx.insertInto('approval_rule_groups').values(rows).execute()
  }
  if (protected_branch_ids) {
    await tx
      .deleteFrom('approval_rule_branches')
      .where('approval_rule_id', '=', approval_rule_id)
      .execute()
    const rows = protected_branch_ids.map((id) => ({ approval_rule_id, protected_branch_id: id }))
    if (rows.length > 0) await tx.insertInto('approval_rule_branches').values(rows).execute()
  }
}

/** Copies the users and groups of a rule to another one. */
export async function copyApproversOfRule(
  tx: Db,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx
    .insertInto('approval_rule_users')
    .columns(['approval_rule_id', 'user_id'])
    .expression(
      tx
        .selectFrom('approval_rule_users')
        .select([sql.lit<number>(to).as('approval_rule_id'), 'user_id'])
        .where('approval_rule_id', '=', from),
    )
    .execute()
  await tx
    .insertInto('approval_rule_groups')
    .columns(['approval_rule_id', 'group_id'])
    .expression(
      tx
        .selectFrom('approval_rule_groups')
        .select([sql.lit<number>(to).as('approval_rule_id'), 'group_id'])
        .where('approval_rule_id', '=', from),
    )
    .execute()
}

/** Returns the ids of the users with these names, given in lower case. */
export async function findUserIdsByName(
  db: Db,
  usernames: readonly string[],
): Promise<Map<string, number>> {
  if (usernames.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where(sql`lower(username)`, 'in', usernames)
    .execute()
  return new Map(rows.map(({ id, username }) => [username.toLowerCase(), id]))
}

/** Returns the groups that the caller can see. */
export async function filterVisibleGroupIds(
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('namespaces')
    .select('id')
    .where('kind', '=', 'group')
    .where('state', '=', 'ready')
    .where('id', 'in', ids)
    .where(visibleNamespaceCondition(actor))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Whether a rule names a user or a group. */
export async function hasRuleNamedApprovers(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('approval_rule_users')
    .select('user_id')
    .where('approval_rule_id', '=', id)
    .unionAll(
      db
        .selectFrom('approval_rule_groups')
        .select('group_id as user_id')
        .where('approval_rule_id', '=', id),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the groups of a rule that the caller cannot see. */
export async function listHiddenGroupIdsOfRule(
  db: Db,
  actor: Actor,
  id: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('approval_rule_groups')
    .select('group_id')
    .where('approval_rule_id', '=', id)
    .execute()
  const ids = rows.map(({ group_id }) => group_id)
  const visible = await filterVisibleGroupIds(db, actor, ids)
  return ids.filter((group_id) => !visible.has(group_id))
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

/** Groups rows by the id of their rule and removes that id from them. The order is kept. */
function byRule<T extends { approval_rule_id: number }>(
  rows: readonly T[],
): (id: number) => Omit<T, 'approval_rule_id'>[] {
  const ofRules = new Map<number, Omit<T, 'approval_rule_id'>[]>()
  for (const { approval_rule_id, ...row } of rows) {
    const known = ofRules.get(approval_rule_id)
    if (known) known.push(row)
    else ofRules.set(approval_rule_id, [row])
  }
  return (id) => ofRules.get(id) ?? []
}

/** Adds the users, groups and branches that the rules name. Runs six queries for any number of rules. */
export async function loadApprovalRuleNames(
  db: Db,
  actor: Actor,
  rules: readonly ApprovalRule[],
): Promise<ApprovalRuleWithNames[]> {
  if (rules.length === 0) return []
  const source_ids = rules.flatMap(({ source_rule_id }) => source_rule_id ?? [])
  const sources = await findApprovalRulesByIds(db, source_ids)
  const ids = [...rules.map(({ id }) => id), ...source_ids]
  const named = await db
    .selectFrom('approval_rule_users')
    .select(['approval_rule_id', 'user_id'])
    .where('approval_rule_id', 'in', ids)
    .orderBy('user_id')
    .execute()
  const groups = await db
    .selectFrom('approval_rule_groups')
    .innerJoin('namespaces', 'namespaces.id', 'approval_rule_groups.group_id')
    .select([
      'approval_rule_id',
      'namespaces.id',
      'namespaces.name',
      'namespaces.path',
      'namespaces.full_name',
      'namespaces.full_path',
      'namespaces.description',
      'namespaces.visibility',
    ])
    .select((eb) => [
      eb.case().when(visibleNamespaceCondition(actor)(eb)).then(1).else(0).end().as('is_visible'),
    ])
    .where('approval_rule_id', 'in', ids)
    .orderBy('namespaces.id')
    .execute()
  const visible = groups
    .filter(({ is_visible }) => Number(is_visible) === 1)
    .map(({ is_visible: _, ...group }) => group)
  const eligible = await listEligible(db, ids, [...new Set(visible.map(({ id }) => id))])
  // Many rules name the same users, so each user is loaded once.
  const users = await findUsersByIds(
    db,
    [...named, ...eligible].map(({ user_id }) => user_id),
  )
  const branches = await db
    .selectFrom('approval_rule_branches')
    .innerJoin('protected_branches as branch', 'branch.id', 'protected_branch_id')
    .select([
      'approval_rule_id',
      'branch.id',
      'branch.name',
      'branch.code_owner_approval_required',
      'branch.created_at',
    ])
    .where('approval_rule_id', 'in', ids)
    .orderBy('branch.id')
    .execute()
  const [namedOf, eligibleOf] = [byRule(named), byRule(eligible)]
  const [groupsOf, visibleOf, branchesOf] = [byRule(groups), byRule(visible), byRule(branches)]
  const usersOf = (pairs: readonly { user_id: number }[]) =>
    pairs.flatMap(({ user_id }) => users.get(user_id) ?? [])
  const namedBy = (id: number) => JSON.stringify([namedOf(id), idsOf(groupsOf(id))])
  const isOverridden = ({ id, approvals_required, source_rule_id }: ApprovalRule) => {
    const source = sources.find((one) => one.id === source_rule_id)
    if (!source) return false
    return approvals_required > source.approvals_required || namedBy(id) !== namedBy(source.id)
  }
  return rules.map((rule) => ({
    ...rule,
    users: usersOf(namedOf(rule.id)),
    groups: visibleOf(rule.id),
    hasHiddenGroups: groupsOf(rule.id).length > visibleOf(rule.id).length,
    eligible: usersOf(eligibleOf(rule.id)),
    branches: branchesOf(rule.id),
    sourceRequired: sources.find(({ id }) => id === rule.source_rule_id)?.approvals_required,
    isOverridden: isOverridden(rule),
  }))
}

/**
 * Lists the Developers of the project whom each rule names, directly or through one of the groups, up to a
 * limit.
 */
function listEligible(db: Db, rule_ids: readonly number[], group_ids: readonly number[]) {
  const ranked = db
    .selectFrom(approversNamedByRulesQuery(db, rule_ids, { group_ids }).as('named'))
    .innerJoin('approval_rules', 'approval_rules.id', 'named.approval_rule_id')
    .innerJoin('projects', 'projects.id', 'approval_rules.project_id')
    .innerJoin('users as member', 'member.id', 'named.user_id')
    .where('member.state', '=', 'active')
    .where((eb) =>
      eb.or([
        eb('member.is_admin', '=', true),
        hasUserProjectLevelCondition(eb, eb.ref('named.user_id'), Level.developer),
      ]),
    )
    .select([
      'named.approval_rule_id',
      'named.user_id',
      sql<number>`row_number() over (partition by named.approval_rule_id order by named.user_id)`.as(
        'position',
      ),
    ])
  return db
    .selectFrom(ranked.as('ranked'))
    .select(['ranked.approval_rule_id', 'ranked.user_id'])
    .where('ranked.position', '<=', limits.approval_rules_max)
    .orderBy('ranked.user_id')
    .execute()
}

/** Sets how many approvals the merge requests of a project require from anybody. */
export async function updateProjectRequiredApprovals(
  tx: Db,
  id: number,
  count: number,
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ approvals_before_merge: count })
    .where('id', '=', id)
    .execute()
}

/** Sets how many approvals a merge request requires from anybody; never fewer than its project does. */
export async function updateRequestRequiredApprovals(
  tx: Db,
  issuable_id: number,
  count: number | null,
): Promise<void> {
  await tx
    .updateTable('merge_requests')
    .set({ approvals_before_merge: count })
    .where('issuable_id', '=', issuable_id)
    .execute()
}
