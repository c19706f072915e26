import { type Static, Type } from 'typebox'
import {
  namedObject,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
} from '../../../http/schema.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import type { ApprovalRuleState } from '../approval-states/approval-state.ts'
import type { ApprovalRuleWithNames } from './approval-rule.store.ts'

/** The types of rules that users create; `code_owner` rules are created from CODEOWNERS. */
export const approvalRuleTypes = ['regular', 'any_approver'] as const

const GroupJson = namedObject('ApprovalRuleGroup', {
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
  path: Type.String(),
  full_name: Type.String(),
  full_path: Type.String(),
  description: Type.String(),
  visibility: oneOf(['private', 'internal', 'public']),
})

const shared = {
  id: Type.Integer(),
  name: Type.String(),
  rule_type: oneOf([...approvalRuleTypes, 'code_owner']),
  report_type: Type.Null(),
  eligible_approvers: Type.Array(BasicUserJson),
  approvals_required: Type.Integer(),
  users: Type.Array(BasicUserJson),
  groups: Type.Array(GroupJson),
  contains_hidden_groups: Type.Boolean(),
}

export const ProjectApprovalRuleJson = namedObject('ProjectApprovalRule', {
  ...shared,
  protected_branches: Type.Array(
    namedObject('ApprovalRuleBranch', {
      id: Type.Integer(),
      project_id: Type.Integer(),
      name: Type.String(),
      created_at: Type.String(),
      updated_at: Type.String(),
      code_owner_approval_required: Type.Boolean(),
    }),
  ),
  applies_to_all_protected_branches: Type.Boolean(),
})

export const RequestApprovalRuleJson = namedObject('MergeRequestApprovalRule', {
  ...shared,
  section: nullableText,
  source_rule: nullable(
    namedObject('ApprovalRuleSource', { id: Type.Integer(), approvals_required: Type.Integer() }),
  ),
  overridden: Type.Boolean(),
})

export const ApprovalRuleStateJson = namedObject('ApprovalRuleState', {
  ...RequestApprovalRuleJson.properties,
  id: nullableInteger,
  code_owner: Type.Boolean(),
  approved_by: Type.Array(BasicUserJson),
  approved: Type.Boolean(),
})

type View = {
  baseUrl: string
  /** The number of approvals that a rule for all approvers requires. */
  count: number
  /** The number of approvals that each rule of code owners requires now, by rule id. */
  ownerCounts?: ReadonlyMap<number, number>
}

function presentShared(rule: ApprovalRuleWithNames, { baseUrl, count, ownerCounts }: View) {
  const { id, name, rule_type, users, groups, hasHiddenGroups, eligible, sourceRequired } = rule
  const required =
    rule_type === 'code_owner'
      ? (ownerCounts?.get(id) ?? 0)
      : Math.max(rule.approvals_required, sourceRequired ?? 0)
  return {
    id,
    name,
    rule_type,
    report_type: null,
    eligible_approvers: eligible.map((user) => presentBasicUser(user, baseUrl)),
    approvals_required: rule_type === 'any_approver' ? count : required,
    users: users.map((user) => presentBasicUser(user, baseUrl)),
    groups: groups.map((group) => ({ ...group, web_url: `${baseUrl}/groups/${group.full_path}` })),
    contains_hidden_groups: hasHiddenGroups,
  }
}

export function presentProjectApprovalRule(
  rule: ApprovalRuleWithNames,
  view: View,
): Static<typeof ProjectApprovalRuleJson> {
  const { project_id, applies_to_all_protected_branches } = rule
  return {
    ...presentShared(rule, view),
    protected_branches: rule.branches.map((branch) => ({
      ...branch,
      project_id,
      updated_at: branch.created_at,
    })),
    applies_to_all_protected_branches,
  }
}

export function presentRequestApprovalRule(
  rule: ApprovalRuleWithNames,
  view: View,
): Static<typeof RequestApprovalRuleJson> {
  const { source_rule_id, sourceRequired, isOverridden } = rule
  return {
    ...presentShared(rule, view),
    section: rule.section,
    source_rule:
      source_rule_id === null || sourceRequired === undefined
        ? null
        : { id: source_rule_id, approvals_required: sourceRequired },
    overridden: isOverridden,
  }
}

/** Presents the number of approvals of a project or merge request that has no rule for everybody. */
export function presentUnnamedApprovalRule({
  name,
  rule_type,
  approvals_required,
}: ApprovalRuleState) {
  return {
    ...{ id: null, name, rule_type, report_type: null, approvals_required },
    ...{ eligible_approvers: [], users: [], groups: [], contains_hidden_groups: false },
    ...{ section: null, source_rule: null, overridden: false },
  }
}
