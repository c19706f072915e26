import { type Selectable, sql } from 'kysely'
import { Level } from '../../../access/level.ts'
import { hasUserProjectLevelCondition } from '../../../access/visibility.ts'
import type { ApprovalRuleTable, ApprovalSettingTable, Db } from '../../../db/db.ts'
import { encodeIdSet, idSetQuery } from '../../../db/dialect.ts'
import { protectionRuleIdsQuery } from '../../repository/protected-branches/protected-branch.ts'

export type ApprovalRuleRow = {
  id: number
  project_id: number
  issuable_id: number | null
  source_rule_id: number | null
  rule_type: ApprovalRuleTable['rule_type']
  name: string
  /** The section of CODEOWNERS that the rule was created from; null for other rules. */
  section: string | null
  approvals_required: number
  applies_to_all_protected_branches: boolean
  /** The names of the protected branches that the rule applies to. An empty list means all branches. */
  branches: string[]
}

/** Returns the rules of these projects and merge requests, each once. */
export async function listApprovalRuleRows(
  db: Db,
  {
    project_ids,
    issuable_ids,
  }: { project_ids: readonly number[]; issuable_ids: readonly number[] },
): Promise<ApprovalRuleRow[]> {
  const rows = await db
    .selectFrom('approval_rules as rule')
    .leftJoin('approval_rules as source', 'source.id', 'rule.source_rule_id')
    .leftJoin('approval_rule_branches as scope', 'scope.approval_rule_id', 'rule.id')
    .leftJoin('protected_branches as branch', 'branch.id', 'scope.protected_branch_id')
    .select([
      'rule.id',
      'rule.project_id',
      'rule.issuable_id',
      'rule.source_rule_id',
      'rule.rule_type',
      'rule.name',
      'rule.section',
      'rule.approvals_required',
      'rule.applies_to_all_protected_branches',
      'source.approvals_required as source_required',
      'branch.name as branch',
    ])
    .where((eb) =>
      eb.or([
        eb.and([eb('rule.project_id', 'in', project_ids), eb('rule.issuable_id', 'is', null)]),
        eb('rule.issuable_id', 'in', issuable_ids),
      ]),
    )
    .orderBy('rule.id')
    .execute()
  const byId = new Map<number, ApprovalRuleRow>()
  for (const { branch, source_required, ...row } of rows) {
    // The project may have raised its number since the rule was copied to the merge request.
    const approvals_required = Math.max(row.approvals_required, source_required ?? 0)
    const known = byId.get(row.id) ?? { ...row, approvals_required, branches: [] }
    byId.set(row.id, known)
    if (branch !== null) known.branches.push(branch)
  }
  return [...byId.values()]
}

/** Returns the names of the protected branches of a project and of the groups it is in. */
export async function listProtectedBranchNames(db: Db, project_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('protected_branches')
    .select('name')
    .where('id', 'in', protectionRuleIdsQuery(db, project_id))
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns the names of the protected branches that require the approval of code owners. */
export async function listCodeOwnerBranchNames(db: Db, project_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('protected_branches')
    .select('name')
    .where('id', 'in', protectionRuleIdsQuery(db, project_id))
    .where('code_owner_approval_required', '=', true)
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns the number of approvals that each project requires from anybody. */
export async function listRequiredApprovalsOfProjects(
  db: Db,
  project_ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'approvals_before_merge'])
    .where('id', 'in', project_ids)
    .execute()
  return new Map(rows.map(({ id, approvals_before_merge }) => [id, approvals_before_merge]))
}

export type ApprovalRow = {
  issuable_id: number
  user_id: number
  head_sha: string | null
  author_id: number
  /** Whether the user is now a Developer of the project, or an administrator. */
  isDeveloper: boolean
}

/** Returns all approvals of these merge requests by active users, oldest first. */
export async function listApprovalRows(
  db: Db,
  issuable_ids: readonly number[],
): Promise<ApprovalRow[]> {
  const rows = await db
    .selectFrom('merge_request_approvals as approval')
    .innerJoin('issuables', 'issuables.id', 'approval.issuable_id')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .innerJoin('users', 'users.id', 'approval.user_id')
    .select([
      'approval.issuable_id',
      'approval.user_id',
      'approval.head_sha',
      'issuables.author_id',
    ])
    .select((eb) =>
      eb
        .case()
        .when(
          eb.or([
            eb('users.is_admin', '=', true),
            hasUserProjectLevelCondition(eb, eb.ref('approval.user_id'), Level.developer),
          ]),
        )
        .then(1)
        .else(0)
        .end()
        .as('is_developer'),
    )
    .where('approval.issuable_id', 'in', issuable_ids)
    .where('users.state', '=', 'active')
    .orderBy('approval.created_at')
    .orderBy('approval.user_id')
    .execute()
  return rows.map(({ is_developer, ...row }) => ({
    ...row,
    isDeveloper: Number(is_developer) === 1,
  }))
}

/** Revokes the approvals of these users without a note or event. Returns the ids of those who had approved. */
export async function revokeApprovals(
  tx: Db,
  { issuable_id, user_ids }: { issuable_id: number; user_ids: readonly number[] },
): Promise<number[]> {
  if (user_ids.length === 0) return []
  const gone = await tx
    .deleteFrom('merge_request_approvals')
    .where('issuable_id', '=', issuable_id)
    .where('user_id', 'in', user_ids)
    .returning('user_id')
    .execute()
  return gone.map(({ user_id }) => user_id)
}

/**
 * Selects the users whom rules name: directly, as Developers of a named group, or by a role in the project or its group.
 * `user_ids` and `group_ids` limit the result to these.
 */
export function approversNamedByRulesQuery(
  db: Db,
  rule_ids: readonly number[],
  { user_ids, group_ids }: { user_ids?: readonly number[]; group_ids?: readonly number[] } = {},
) {
  const rules = sql<number>`(${idSetQuery(db, encodeIdSet(db, rule_ids))})`
  return db
    .selectFrom('approval_rule_users')
    .select(['approval_rule_id', 'user_id'])
    .where('approval_rule_id', 'in', rules)
    .$if(user_ids !== undefined, (query) => query.where('user_id', 'in', user_ids ?? []))
    .union(
      db
        .selectFrom('approval_rule_groups')
        .innerJoin('namespace_access as access', 'access.namespace_id', 'group_id')
        .select(['approval_rule_id', 'access.user_id'])
        .where('approval_rule_id', 'in', rules)
        .where('access.access_level', '>=', sql.lit<number>(Level.developer))
        .$if(group_ids !== undefined, (query) =>
          query.where('group_id', 'in', [0, ...(group_ids ?? [])]),
        )
        .$if(user_ids !== undefined, (query) =>
          query.where('access.user_id', 'in', user_ids ?? []),
        ),
    )
    .union(
      db
        .selectFrom('approval_rule_roles as role')
        .innerJoin('approval_rules as rule', 'rule.id', 'role.approval_rule_id')
        .innerJoin('projects', 'projects.id', 'rule.project_id')
        .innerJoin('namespace_access as access', (join) =>
          join
            .onRef('access.namespace_id', '=', 'projects.namespace_id')
            .onRef('access.access_level', '=', 'role.access_level'),
        )
        .select(['role.approval_rule_id', 'access.user_id'])
        .where('role.approval_rule_id', 'in', rules)
        .$if(user_ids !== undefined, (query) =>
          query.where('access.user_id', 'in', user_ids ?? []),
        ),
    )
    .union(
      db
        .selectFrom('approval_rule_roles as role')
        .innerJoin('approval_rules as rule', 'rule.id', 'role.approval_rule_id')
        .innerJoin('project_access as access', (join) =>
          join
            .onRef('access.project_id', '=', 'rule.project_id')
            .onRef('access.access_level', '=', 'role.access_level'),
        )
        .select(['role.approval_rule_id', 'access.user_id'])
        .where('role.approval_rule_id', 'in', rules)
        .$if(user_ids !== undefined, (query) =>
          query.where('access.user_id', 'in', user_ids ?? []),
        ),
    )
}

/** Returns how many users can approve by each of these rules: all, and those who are not the author. */
export async function countApproversByRule(
  db: Db,
  rule_ids: readonly number[],
): Promise<Map<number, { all: number; others: number }>> {
  if (rule_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(approversNamedByRulesQuery(db, rule_ids).as('named'))
    .innerJoin('approval_rules', 'approval_rules.id', 'named.approval_rule_id')
    .innerJoin('issuables', 'issuables.id', 'approval_rules.issuable_id')
    .innerJoin('projects', 'projects.id', 'approval_rules.project_id')
    .innerJoin('users', 'users.id', 'named.user_id')
    .where('users.state', '=', 'active')
    .where((eb) =>
      eb.or([
        eb('users.is_admin', '=', true),
        hasUserProjectLevelCondition(eb, eb.ref('named.user_id'), Level.developer),
      ]),
    )
    .select(({ fn, ref }) => [
      'named.approval_rule_id',
      fn.countAll<number>().as('all'),
      sql<number>`sum(case when ${ref('named.user_id')} = ${ref('issuables.author_id')} then 0 else 1 end)`.as(
        'others',
      ),
    ])
    .groupBy('named.approval_rule_id')
    .execute()
  return new Map(
    rows.map(({ approval_rule_id, all, others }) => [
      approval_rule_id,
      { all: Number(all), others: Number(others) },
    ]),
  )
}

/** Returns which of the users each rule names. */
export async function findApproverIdsByRule(
  db: Db,
  { rule_ids, user_ids }: { rule_ids: readonly number[]; user_ids: readonly number[] },
): Promise<Map<number, Set<number>>> {
  if (rule_ids.length === 0 || user_ids.length === 0) return new Map()
  const rows = await approversNamedByRulesQuery(db, rule_ids, { user_ids }).execute()
  const byRule = Map.groupBy(rows, ({ approval_rule_id }) => approval_rule_id)
  return new Map([...byRule].map(([id, of]) => [id, new Set(of.map(({ user_id }) => user_id))]))
}

/** Which approvals count in a project, and what giving one requires (docs/api/approvals.md, "Settings"). */
export type ApprovalSettings = Omit<Selectable<ApprovalSettingTable>, 'project_id'>

/** The settings of a project without a row. */
const defaults: ApprovalSettings = {
  reset_approvals_on_push: true,
  selective_code_owner_removals: false,
  disable_overriding_approvers_per_merge_request: false,
  merge_requests_author_approval: false,
  merge_requests_disable_committers_approval: false,
  require_password_to_approve: false,
}

/** Returns settings by project id, with one query. */
export async function loadApprovalSettingsOfProjects(
  db: Db,
  project_ids: readonly number[],
): Promise<(project_id: number) => ApprovalSettings> {
  const rows =
    project_ids.length === 0
      ? []
      : await db
          .selectFrom('approval_settings')
          .selectAll()
          .where('project_id', 'in', project_ids)
          .execute()
  const byId = new Map(rows.map(({ project_id, ...settings }) => [project_id, settings]))
  return (project_id) => byId.get(project_id) ?? defaults
}

export async function findApprovalSettings(db: Db, project_id: number): Promise<ApprovalSettings> {
  return (await loadApprovalSettingsOfProjects(db, [project_id]))(project_id)
}

/** Changes some settings of a project and returns all of them. */
export async function saveApprovalSettings(
  tx: Db,
  project_id: number,
  changes: Partial<ApprovalSettings>,
): Promise<ApprovalSettings> {
  const settings = { ...(await findApprovalSettings(tx, project_id)), ...changes }
  await tx
    .insertInto('approval_settings')
    .values({ project_id, ...settings })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(settings))
    .execute()
  return settings
}
