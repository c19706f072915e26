// Adding, changing and deleting approval rules of projects and merge requests (docs/api/approvals.md).

import type { Actor } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, type FieldErrors, invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import {
  filterBranchProtectionIds,
  filterUserIdsWithAccess,
} from '../../repository/protected-branches/protect-branch.ts'
import { everybodyRuleName, listApprovalRulesInForce } from '../approval-states/approval-state.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import { findRequiredApprovalsOfProject } from '../merge-requests/merge-settings.ts'
import {
  type ApprovalRule,
  type ApprovalRuleOwner,
  type ApprovalRuleTargets,
  copyApproversOfRule,
  countApprovalRules,
  deleteApprovalRule,
  filterVisibleGroupIds,
  findApprovalRule,
  findApprovalRulesByIds,
  findRequestCopyOfProjectRule,
  findUserIdsByName,
  hasRuleNamedApprovers,
  insertApprovalRule,
  listHiddenGroupIdsOfRule,
  replaceApprovalRuleTargets,
  updateApprovalRule,
  updateProjectRequiredApprovals,
  updateRequestRequiredApprovals,
} from './approval-rule.store.ts'

type Uses = Pick<Instance, 'db' | 'clock'> & { actor: Actor }

export type ApprovalRuleInput = {
  name?: string | undefined
  approvals_required?: number | undefined
  rule_type?: ApprovalRule['rule_type'] | undefined
  user_ids?: readonly number[] | undefined
  usernames?: readonly string[] | undefined
  group_ids?: readonly number[] | undefined
  protected_branch_ids?: readonly number[] | undefined
  applies_to_all_protected_branches?: boolean | undefined
  /** Whether a new list of groups also removes groups that the caller cannot see. */
  remove_hidden_groups?: boolean | undefined
}

/** The validation problem of a rule that nobody could satisfy. */
const namesNobodyProblem = { base: ['a regular rule must name users or groups'] }

type Owned = ApprovalRuleOwner & { namespace_id: number }

/** Adds a rule and returns its id. A rule that names nobody applies to everybody; there is at most one of these. */
export async function createApprovalRule(
  uses: Uses,
  owner: Owned,
  { name = '', approvals_required = 0, rule_type, ...given }: ApprovalRuleInput,
): Promise<number> {
  const { db, clock } = uses
  const { project_id, issuable_id } = owner
  await lockOwner(
    db,
    issuable_id === null
      ? { kind: 'project', id: project_id }
      : { kind: 'issuable', id: issuable_id },
  )
  if ((await countApprovalRules(db, owner)) >= limits.approval_rules_max) {
    throw badRequest(`There may be at most ${limits.approval_rules_max} approval rules.`)
  }
  const names = await checkNames(uses, owner, given)
  const namesNobody = !names.user_ids?.length && !names.group_ids?.length
  const isForEverybody = rule_type === 'any_approver' || (rule_type === undefined && namesNobody)
  if (rule_type === 'regular' && namesNobody && approvals_required > 0) {
    throw invalid(namesNobodyProblem)
  }
  const row = { project_id, issuable_id, source_rule_id: null, created_at: timestamp(clock) }
  if (isForEverybody) {
    const id = await unlessTaken(
      insertApprovalRule(db, {
        ...row,
        rule_type: 'any_approver',
        name: everybodyRuleName,
        approvals_required: 0,
      }),
      { rule_type: ['any-approver for the project already exists'] },
    )
    await setRequiredApprovals(db, owner, approvals_required)
    return id
  }
  checkRuleName(name)
  const { applies_to_all_protected_branches = false } = given
  const id = await unlessTaken(
    insertApprovalRule(db, {
      ...{ ...row, rule_type: 'regular', name, approvals_required },
      applies_to_all_protected_branches,
    }),
  )
  await replaceApprovalRuleTargets(db, id, names)
  return id
}

export async function changeApprovalRule(
  uses: Uses,
  owner: Owned,
  rule: ApprovalRule,
  { name, approvals_required, rule_type: _, ...given }: ApprovalRuleInput,
): Promise<void> {
  const { db } = uses
  if (rule.rule_type === 'any_approver') {
    if (approvals_required !== undefined) await setRequiredApprovals(db, owner, approvals_required)
    return
  }
  const names = await checkNames(uses, owner, given)
  if (names.group_ids && !given.remove_hidden_groups) {
    const hidden = await listHiddenGroupIdsOfRule(db, uses.actor, rule.id)
    names.group_ids = [...names.group_ids, ...hidden]
  }
  if (name !== undefined) checkRuleName(name)
  await refuseFewerThanSource(db, rule, approvals_required)
  const { applies_to_all_protected_branches } = given
  await unlessTaken(
    updateApprovalRule(db, rule.id, {
      ...(name !== undefined && { name }),
      ...(approvals_required !== undefined && { approvals_required }),
      ...(applies_to_all_protected_branches !== undefined && { applies_to_all_protected_branches }),
    }),
  )
  await replaceApprovalRuleTargets(db, rule.id, names)
  const required = approvals_required ?? rule.approvals_required
  if (required > 0 && !(await hasRuleNamedApprovers(db, rule.id))) throw invalid(namesNobodyProblem)
}

export async function removeApprovalRule(
  db: Db,
  owner: ApprovalRuleOwner,
  rule: ApprovalRule,
): Promise<void> {
  await deleteApprovalRule(db, rule.id)
  if (rule.rule_type !== 'any_approver') return
  const { project_id, issuable_id } = owner
  if (issuable_id === null) await updateProjectRequiredApprovals(db, project_id, 0)
  else await updateRequestRequiredApprovals(db, issuable_id, null)
}

/** Returns a rule of the project or merge request. Throws 404 if there is none with that id. */
export async function getApprovalRule(
  db: Db,
  owner: ApprovalRuleOwner,
  id: number,
): Promise<ApprovalRule> {
  const rule = await findApprovalRule(db, owner, id)
  if (!rule) throw recordNotFound()
  return rule
}

type OfRequest = Pick<MergeRequest, 'issuable_id' | 'project_id' | 'target_branch'>

/** Copies the project's current rules to a merge request that has no rules of its own yet. */
export async function copyProjectApprovalRulesToRequest(
  { db, clock }: Uses,
  request: OfRequest,
): Promise<void> {
  const { issuable_id, project_id } = request
  const inForce = (await listApprovalRulesInForce(db, request)).filter(
    ({ rule_type }) => rule_type !== 'code_owner',
  )
  if (inForce.some((rule) => rule.issuable_id === issuable_id)) return
  for (const rule of await findApprovalRulesByIds(
    db,
    inForce.map(({ id }) => id),
  )) {
    await copyProjectApprovalRuleToRequest({ db, clock }, { project_id, issuable_id }, rule)
  }
}

/** Copies a rule of the project to a merge request, unless it has a copy already, and returns the copy. */
export async function copyProjectApprovalRuleToRequest(
  { db, clock }: Pick<Uses, 'db' | 'clock'>,
  owner: ApprovalRuleOwner,
  source: ApprovalRule,
): Promise<ApprovalRule> {
  const known = await findRequestCopyOfProjectRule(db, owner, source.id)
  if (known) return known
  const { project_id, issuable_id } = owner
  const { rule_type, name, approvals_required } = source
  const to = await unlessTaken(
    insertApprovalRule(db, {
      ...{ project_id, issuable_id, source_rule_id: source.id },
      ...{ rule_type, name, approvals_required },
      created_at: timestamp(clock),
    }),
  )
  await copyApproversOfRule(db, { from: source.id, to })
  return getApprovalRule(db, owner, to)
}

/**
 * Returns the merge request's own rule with that id, or its copy of the project rule with that id. Throws 404 for others.
 * Call `copyProjectApprovalRulesToRequest` before.
 */
export async function getRequestApprovalRule(
  db: Db,
  owner: ApprovalRuleOwner,
  id: number,
): Promise<ApprovalRule> {
  const rule =
    (await findApprovalRule(db, owner, id)) ?? (await findRequestCopyOfProjectRule(db, owner, id))
  if (!rule) throw recordNotFound()
  return rule
}

function checkRuleName(name: string): void {
  if (name.trim() === '') throw invalid({ name: ["can't be blank"] })
  if (name.length > limits.title_characters) {
    throw invalid({ name: [`is too long (maximum is ${limits.title_characters} characters)`] })
  }
}

async function refuseFewerThanSource(
  db: Db,
  { source_rule_id }: ApprovalRule,
  approvals_required: number | undefined,
): Promise<void> {
  if (source_rule_id === null || approvals_required === undefined) return
  const [source] = await findApprovalRulesByIds(db, [source_rule_id])
  const least = source?.approvals_required ?? 0
  if (approvals_required < least) {
    throw invalid({ approvals_required: [`must be greater than or equal to ${least}`] })
  }
}

/** Sets how many approvals a project or merge request requires from anybody. Throws 400 for fewer than the project's. */
export async function setRequiredApprovals(
  db: Db,
  { project_id, issuable_id }: ApprovalRuleOwner,
  count: number,
): Promise<void> {
  if (issuable_id === null) return updateProjectRequiredApprovals(db, project_id, count)
  const least = await findRequiredApprovalsOfProject(db, project_id)
  if (count < least) {
    throw invalid({ approvals_required: [`must be greater than or equal to ${least}`] })
  }
  await updateRequestRequiredApprovals(db, issuable_id, count)
}

/** Returns the ids of everything that a rule names. Throws 400 with all problems. */
async function checkNames(
  { db, actor }: Uses,
  { project_id, namespace_id }: Owned,
  { user_ids, usernames, group_ids, protected_branch_ids }: ApprovalRuleInput,
): Promise<ApprovalRuleTargets> {
  const byName = await findUserIdsByName(
    db,
    (usernames ?? []).map((one) => one.toLowerCase()),
  )
  const users =
    user_ids || usernames ? new Set([...(user_ids ?? []), ...byName.values()]) : undefined
  const groups = group_ids && new Set(group_ids)
  const branches = protected_branch_ids && new Set(protected_branch_ids)
  const problems: FieldErrors = {}
  const most = limits.approval_rules_max
  if ((users?.size ?? 0) > most) problems.user_ids = [`must be at most ${most}`]
  if ((groups?.size ?? 0) > most) problems.group_ids = [`must be at most ${most}`]
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const project = { id: project_id, namespace_id }
  const members = await filterUserIdsWithAccess(db, project, [...(users ?? [])])
  const unknownName = (usernames ?? []).some((one) => !byName.has(one.toLowerCase()))
  if (unknownName || users?.difference(members).size) {
    problems.user_ids = ['must be members of the project']
  }
  const visible = await filterVisibleGroupIds(db, actor, [...(groups ?? [])])
  if (groups?.difference(visible).size) problems.group_ids = ['must exist']
  const own = new Set(await filterBranchProtectionIds(db, project_id, [...(branches ?? [])]))
  if (branches?.difference(own).size) {
    problems.protected_branches = ['all must exist within the project']
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return {
    user_ids: users && [...users],
    group_ids: groups && [...groups],
    protected_branch_ids: branches && [...branches],
  }
}

/** Runs the write. Throws 400 with `problem` if the same rule already exists. */
async function unlessTaken<T>(
  write: Promise<T>,
  problem: FieldErrors = { name: ['has already been taken'] },
): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    throw invalid(problem)
  }
}
