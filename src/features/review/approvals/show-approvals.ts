// Returns the approvals of a merge request, and on paid tiers those still required (docs/api/approvals.md).
import { Type } from 'typebox'
import type { Context } from '../../../http/endpoint.ts'
import {
  namedObject,
  nullableInteger,
  nullableText,
  optionalBoolean,
  optionalInteger,
} from '../../../http/schema.ts'
import { type IssuableSubject, mayUpdateIssuable } from '../../../subjects/issuable.ts'
import { BasicUserJson, presentBasicUser, type User } from '../../../subjects/user.ts'
import {
  type ApprovalRuleState,
  type ApprovalState,
  findApprovalStates,
} from '../approval-states/approval-state.ts'
import {
  getRequestWithProjects,
  type MergeRequest,
  readBranchTips,
} from '../merge-requests/merge-request.ts'
import { syncCodeOwnerRules } from '../merge-requests/sync-code-owner-rules.ts'
import { hasUserCommittedToRequest, listApprovers } from './approval.ts'
import { findApprovalRulesByIds, loadApprovalRuleNames } from './approval-rule.store.ts'

export const ApprovalsJson = namedObject('Approvals', {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: nullableText,
  state: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  user_has_approved: Type.Boolean(),
  user_can_approve: Type.Boolean(),
  approved: Type.Boolean(),
  approved_by: Type.Array(Type.Object({ user: BasicUserJson })),
  approvals_required: optionalInteger,
  approvals_left: optionalInteger,
  require_password_to_approve: optionalBoolean,
  suggested_approvers: Type.Optional(Type.Array(BasicUserJson)),
  approvers: Type.Optional(Type.Array(Type.Unknown())),
  approver_groups: Type.Optional(Type.Array(Type.Unknown())),
  approval_rules_left: Type.Optional(
    Type.Array(
      namedObject('ApprovalRuleLeft', {
        id: nullableInteger,
        name: Type.String(),
        rule_type: Type.String(),
      }),
    ),
  ),
  has_approval_rules: optionalBoolean,
  merge_request_approvers_available: optionalBoolean,
  multiple_approval_rules_available: optionalBoolean,
})

/** Returns the merge request after updating its rules from CODEOWNERS. Do not call it within a transaction. */
export async function getRequestWithCodeOwnerRules(
  context: Context<IssuableSubject, unknown>,
): Promise<MergeRequest> {
  const whole = await getRequestWithProjects(context)
  if (whole.issuable.state === 'opened') {
    await syncCodeOwnerRules(context, whole.request, readBranchTips(context.config, whole))
  }
  return whole.request
}

export async function showMergeRequestApprovals(context: Context<IssuableSubject, unknown>) {
  const { db, actor, level, subject, baseUrl, config } = context
  const { request } = await getRequestWithProjects(context)
  const state =
    config.tier === 'free'
      ? undefined
      : (await findApprovalStates(db, [request])).get(request.issuable_id)
  const all = await listApprovers(db, subject.issuable.id)
  const approvers = state ? all.filter(({ id: one }) => state.approver_ids.includes(one)) : all
  const hasApproved = approvers.some(({ id: one }) => one === actor.user?.id)
  const mayApprove = mayUpdateIssuable({ subject, level, actor })
  const isForOthers = state?.settings.merge_requests_disable_committers_approval === true
  const isCommitter =
    isForOthers && mayApprove && actor.user !== undefined
      ? await hasUserCommittedToRequest(context, request, actor.user.id)
      : false
  const { id, iid, project_id, title, description, created_at, updated_at } = subject.issuable
  const missing = state?.rules.filter(({ left }) => left > 0) ?? []
  const suggested = state ? await listSuggested(context, missing, state) : []
  return {
    // The response repeats fields of the merge request, since clients update their copy from it.
    ...{ id, iid, project_id, title, description, created_at, updated_at },
    state: subject.issuable.state,
    user_has_approved: hasApproved,
    user_can_approve: !hasApproved && mayApprove && !isCommitter,
    approved: missing.length === 0 && (approvers.length > 0 || (state?.rules.length ?? 0) > 0),
    approved_by: approvers.map((user) => ({ user: presentBasicUser(user, baseUrl) })),
    ...(state && {
      approvals_required: sumOf(state.rules.map(({ approvals_required }) => approvals_required)),
      approvals_left: sumOf(missing.map(({ left }) => left)),
      require_password_to_approve: state.settings.require_password_to_approve,
      suggested_approvers: suggested.map((user) => presentBasicUser(user, baseUrl)),
      approvers: [],
      approver_groups: [],
      approval_rules_left: missing.map(({ id: rule, name, rule_type }) => ({
        ...{ id: rule, name, rule_type },
      })),
      has_approval_rules: state.rules.length > 0,
      merge_request_approvers_available: true,
      multiple_approval_rules_available: true,
    }),
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

/** Returns the users who can give the missing approvals of rules that name users and groups. */
async function listSuggested(
  { db, actor, subject }: Context<IssuableSubject, unknown>,
  missing: readonly ApprovalRuleState[],
  { approver_ids, settings }: ApprovalState,
): Promise<User[]> {
  const ids = missing
    .filter(({ rule_type }) => rule_type !== 'any_approver')
    .flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return []
  const rules = await loadApprovalRuleNames(db, actor, await findApprovalRulesByIds(db, ids))
  const byId = new Map(rules.flatMap(({ eligible }) => eligible).map((user) => [user.id, user]))
  const outside = new Set(approver_ids)
  if (!settings.merge_requests_author_approval) outside.add(subject.issuable.author_id)
  return [...byId.values()].filter(({ id }) => !outside.has(id))
}
