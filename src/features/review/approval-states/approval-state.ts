// Which approvals merge requests still need (docs/api/approvals.md, "What counts").

import type { Selectable } from 'kysely'
import type { Tier } from '../../../config.ts'
import type { Db, MergeRequestTable } from '../../../db/db.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import {
  type ApprovalRow,
  type ApprovalRuleRow,
  type ApprovalSettings,
  countApproversByRule,
  findApproverIdsByRule,
  listApprovalRows,
  listApprovalRuleRows,
  listCodeOwnerBranchNames,
  listProtectedBranchNames,
  listRequiredApprovalsOfProjects,
  loadApprovalSettingsOfProjects,
} from './approval-state.store.ts'

export {
  type ApprovalSettings,
  approversNamedByRulesQuery,
  findApprovalSettings,
  findApproverIdsByRule,
  revokeApprovals,
  saveApprovalSettings,
} from './approval-state.store.ts'

type Asked = Pick<
  Selectable<MergeRequestTable>,
  'issuable_id' | 'project_id' | 'target_branch' | 'head_sha' | 'approvals_before_merge'
>

export type ApprovalRuleState = {
  /** Null for the number of approvals that the project or merge request requires without a rule. */
  id: number | null
  source_rule_id: number | null
  name: string
  section: string | null
  rule_type: ApprovalRuleRow['rule_type']
  approvals_required: number
  /** The users whose approvals count for the rule. */
  approver_ids: number[]
  /** The number of missing approvals. */
  left: number
}

export type ApprovalState = {
  settings: ApprovalSettings
  /** Whether the merge request has rules of its own instead of those of the project. */
  isOverwritten: boolean
  rules: ApprovalRuleState[]
  /** The users who have approved the current head, in the order of their approvals. */
  approver_ids: number[]
}

export const everybodyRuleName = 'All Members'
/** The implicit rule for a required number of approvals that no `any_approver` rule defines. */
const ruleForEverybody = {
  id: null,
  source_rule_id: null,
  section: null,
  name: everybodyRuleName,
  rule_type: 'any_approver',
} as const

/** The required approvals, regardless of the approvals given so far. */
type Requirements = { rules: ApprovalRuleRow[]; counts: Map<number, number> }

async function findRequirements(db: Db, requests: readonly Asked[]): Promise<Requirements> {
  const project_ids = [...new Set(requests.map(({ project_id }) => project_id))]
  const issuable_ids = requests.map(({ issuable_id }) => issuable_id)
  const rules = await listApplicableRows(db, { project_ids, issuable_ids })
  return { rules, counts: await listRequiredApprovalsOfProjects(db, project_ids) }
}

/** Returns how many approvals a merge request requires from anybody. */
export async function countApprovalsRequiredFromEverybody(db: Db, request: Asked): Promise<number> {
  return countFor(
    { counts: await listRequiredApprovalsOfProjects(db, [request.project_id]) },
    request,
  )
}

function countFor({ counts }: Pick<Requirements, 'counts'>, request: Asked): number {
  return Math.max(counts.get(request.project_id) ?? 0, request.approvals_before_merge ?? 0)
}

/**
 * Returns the approval states by merge request id. Runs five queries for any number of merge requests, and one more for each
 * project with a rule about all its protected branches.
 */
export async function findApprovalStates(
  db: Db,
  requests: readonly Asked[],
): Promise<Map<number, ApprovalState>> {
  if (requests.length === 0) return new Map()
  return evaluate(db, requests, await findRequirements(db, requests))
}

async function evaluate(
  db: Db,
  requests: readonly Asked[],
  required: Requirements,
): Promise<Map<number, ApprovalState>> {
  const { rules } = required
  const settingsOf = await loadApprovalSettingsOfProjects(
    db,
    requests.map(({ project_id }) => project_id),
  )
  const approvals = await listApprovalRows(
    db,
    requests.map(({ issuable_id }) => issuable_id),
  )
  const admits = await findApproverIdsByRule(db, {
    rule_ids: rules.filter(({ rule_type }) => rule_type !== 'any_approver').map(({ id }) => id),
    user_ids: [...new Set(approvals.map(({ user_id }) => user_id))],
  })
  const requiredOf = await findOwnerRequirements(db, rules, settingsOf)
  const stateOf = (request: Asked): ApprovalState => {
    const { issuable_id, project_id, head_sha } = request
    const settings = settingsOf(project_id)
    const atHead = approvals.filter(
      (one) =>
        one.issuable_id === issuable_id &&
        (one.head_sha === head_sha || !doApprovalsCountAtHeadOnly(settings)),
    )
    const counted = atHead.filter((one) => doesCount(one, settings)).map(({ user_id }) => user_id)
    const inForce = rulesInForce(rules, request)
    const stateOfRule = (
      {
        id,
        source_rule_id,
        name,
        section,
        rule_type,
      }: Pick<ApprovalRuleState, 'id' | 'source_rule_id' | 'name' | 'section' | 'rule_type'>,
      {
        approvals_required,
        approver_ids,
      }: Pick<ApprovalRuleState, 'approvals_required' | 'approver_ids'>,
    ): ApprovalRuleState => ({
      ...{ id, source_rule_id, name, section, rule_type, approvals_required, approver_ids },
      left: Math.max(0, approvals_required - approver_ids.length),
    })
    const naming = inForce
      .filter(({ rule_type }) => rule_type !== 'any_approver')
      .map((rule) => {
        const approver_ids = counted.filter((user_id) => admits.get(rule.id)?.has(user_id))
        const approvals_required = requiredOf(rule, request)
        return stateOfRule(rule, { approvals_required, approver_ids })
      })
    const everybody = inForce.find(({ rule_type }) => rule_type === 'any_approver')
    const approvals_required = countFor(required, request)
    const any = stateOfRule(everybody ?? ruleForEverybody, {
      approvals_required,
      approver_ids: counted,
    })
    return {
      settings,
      isOverwritten: inForce.some((rule) => isOwnRule(rule, request)),
      rules: everybody || approvals_required > 0 ? [any, ...naming] : naming,
      approver_ids: atHead.map(({ user_id }) => user_id),
    }
  }
  return new Map(requests.map((request) => [request.issuable_id, stateOf(request)]))
}

/**
 * Returns how many approvals each rule requires. A rule of code owners applies only if the protected branch requires it,
 * and never requires more approvals than there are owners.
 */
async function findOwnerRequirements(
  db: Db,
  rules: readonly ApprovalRuleRow[],
  settingsOf: (project_id: number) => ApprovalSettings,
): Promise<(rule: ApprovalRuleRow, request: Pick<Asked, 'target_branch'>) => number> {
  const made = rules.filter(isOfCodeOwners)
  const branches = new Map<number, string[]>()
  for (const { project_id } of made) {
    if (branches.has(project_id)) continue
    branches.set(project_id, await listCodeOwnerBranchNames(db, project_id))
  }
  const binding = made.filter(({ project_id }) => branches.get(project_id)?.length)
  const counts = await countApproversByRule(
    db,
    binding.map(({ id }) => id),
  )
  return (rule, { target_branch }) => {
    if (!isOfCodeOwners(rule)) return rule.approvals_required
    const { project_id, approvals_required } = rule
    const binds = branches
      .get(project_id)
      ?.some((branchName) => matchesWildcard(branchName, target_branch))
    if (!binds) return 0
    const { merge_requests_author_approval } = settingsOf(project_id)
    const count = counts.get(rule.id)
    const most = (merge_requests_author_approval ? count?.all : count?.others) ?? 0
    return Math.min(approvals_required, most)
  }
}

function isOfCodeOwners({ rule_type }: Pick<ApprovalRuleRow, 'rule_type'>): boolean {
  return rule_type === 'code_owner'
}

/** Returns whether the rule was set on the merge request itself, and so replaces those of the project. */
function isOwnRule(rule: ApprovalRuleRow, { issuable_id }: Pick<Asked, 'issuable_id'>): boolean {
  return rule.issuable_id === issuable_id && !isOfCodeOwners(rule)
}

/**
 * Returns whether an approval of this head counts: the user must be a Developer, and not the author unless
 * the project allows that.
 */
function doesCount(
  { isDeveloper, user_id, author_id }: ApprovalRow,
  { merge_requests_author_approval }: ApprovalSettings,
): boolean {
  return isDeveloper && (merge_requests_author_approval || user_id !== author_id)
}

/** Lists rules. For rules that apply to all protected branches, `branches` contains the names of these. */
async function listApplicableRows(
  ...[db, of]: Parameters<typeof listApprovalRuleRows>
): Promise<ApprovalRuleRow[]> {
  const rules = await listApprovalRuleRows(db, of)
  const names = new Map<number, string[]>()
  for (const { project_id, applies_to_all_protected_branches } of rules) {
    if (!applies_to_all_protected_branches || names.has(project_id)) continue
    names.set(project_id, await listProtectedBranchNames(db, project_id))
  }
  return rules.map((rule) =>
    rule.applies_to_all_protected_branches
      ? { ...rule, branches: names.get(rule.project_id) ?? [] }
      : rule,
  )
}

/** Returns whether a rule of a project applies to merge requests into the branch. */
function isAboutBranch(rule: ApprovalRuleRow, target_branch: string): boolean {
  const { branches, applies_to_all_protected_branches } = rule
  if (branches.length === 0) return !applies_to_all_protected_branches
  return branches.some((name) => matchesWildcard(name, target_branch))
}

/**
 * Returns the rules that apply to a merge request: its own rules if it has any, otherwise those of its
 * project; and the rules of code owners.
 */
function rulesInForce(
  rules: readonly ApprovalRuleRow[],
  request: Pick<Asked, 'issuable_id' | 'project_id' | 'target_branch'>,
): ApprovalRuleRow[] {
  const { issuable_id, project_id, target_branch } = request
  const ofOwners = rules.filter((rule) => rule.issuable_id === issuable_id && isOfCodeOwners(rule))
  const own = rules.filter((rule) => isOwnRule(rule, request))
  if (own.length > 0) return [...own, ...ofOwners]
  const ofProject = rules.filter(
    (rule) =>
      rule.issuable_id === null &&
      rule.project_id === project_id &&
      isAboutBranch(rule, target_branch),
  )
  return [...ofProject, ...ofOwners]
}

/** Returns the rules that apply to a merge request. */
export async function listApprovalRulesInForce(
  db: Db,
  request: Pick<Asked, 'issuable_id' | 'project_id' | 'target_branch'>,
): Promise<ApprovalRuleRow[]> {
  const { project_id, issuable_id } = request
  const rows = await listApplicableRows(db, {
    project_ids: [project_id],
    issuable_ids: [issuable_id],
  })
  return rulesInForce(rows, request)
}

/** Returns the ids of the merge requests that still need approvals: none on the free tier. */
export async function filterRequestIdsMissingApprovals(
  db: Db,
  tier: Tier,
  requests: readonly Asked[],
): Promise<Set<number>> {
  if (tier === 'free' || requests.length === 0) return new Set()
  const required = await findRequirements(db, requests)
  const asking = requests.filter(
    (request) =>
      countFor(required, request) > 0 || rulesInForce(required.rules, request).length > 0,
  )
  if (asking.length === 0) return new Set()
  const states = await evaluate(db, asking, required)
  return new Set(
    [...states].filter(([, { rules }]) => rules.some(({ left }) => left > 0)).map(([id]) => id),
  )
}

/** Whether approvals count only for the head they were given at. */
export function doApprovalsCountAtHeadOnly(settings: ApprovalSettings): boolean {
  // Otherwise somebody could approve first and then push commits of their own.
  return settings.reset_approvals_on_push || settings.merge_requests_disable_committers_approval
}
