// Who must approve before a merge, by project and by merge request (docs/api/approvals.md).
import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import {
  namedObject,
  oneOf,
  optionalBoolean,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import {
  invalid,
  notAllowedInState,
  recordNotFound,
  unauthorized,
  unprocessable,
} from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type IssuableSubject,
  mayAdminIssuable,
  mayReadIssuable,
  mayReadMergeRequests,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { isUnarchived, type Project, projectLoader } from '../../../subjects/project.ts'
import { findUser, presentBasicUser } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  type ApprovalSettings,
  countApprovalsRequiredFromEverybody,
  everybodyRuleName,
  findApprovalSettings,
  findApprovalStates,
  listApprovalRulesInForce,
  saveApprovalSettings,
} from '../approval-states/approval-state.ts'
import { getRequestWithProjects } from '../merge-requests/merge-request.ts'
import { findRequiredApprovalsOfProject } from '../merge-requests/merge-settings.ts'
import { listApprovers, resetAllApprovals } from './approval.ts'
import {
  ApprovalRuleStateJson,
  approvalRuleTypes,
  ProjectApprovalRuleJson,
  presentProjectApprovalRule,
  presentRequestApprovalRule,
  presentUnnamedApprovalRule,
  RequestApprovalRuleJson,
} from './approval-rule.present.ts'
import {
  type ApprovalRule,
  countApprovalRules,
  findApprovalRulesByIds,
  listApprovalRules,
  loadApprovalRuleNames,
} from './approval-rule.store.ts'
import {
  changeApprovalRule,
  copyProjectApprovalRulesToRequest,
  copyProjectApprovalRuleToRequest,
  createApprovalRule,
  getApprovalRule,
  getRequestApprovalRule,
  removeApprovalRule,
  setRequiredApprovals,
} from './change-rule.ts'
import {
  ApprovalsJson,
  getRequestWithCodeOwnerRules,
  showMergeRequestApprovals,
} from './show-approvals.ts'

const common = { tag: 'Approval rules', tier: 'premium', signIn: 'always' } as const
const inProject = endpointFactory({ ...common, on: projectLoader })
const onRequest = endpointFactory({ ...common, on: mergeRequestLoader })
const onAnyTier = endpointFactory({ tag: 'Approval rules', on: mergeRequestLoader })
const base = '/projects/:id/approval_rules'
const requestBase = '/projects/:id/merge_requests/:merge_request_iid'

const readRules: Rule<Project> = (facts) =>
  facts.level >= Level.reporter && mayReadMergeRequests(facts)
const writeRules: Rule<Project> = ({ subject, level }) =>
  level >= Level.maintainer && isUnarchived(subject)
const writeRequestRules: Rule<IssuableSubject> = (facts) =>
  facts.actor.user !== undefined && mayAdminIssuable(facts)

const count = Type.Integer({ minimum: 0, maximum: limits.approvals_required_max })
const named = {
  user_ids: Type.Optional(Type.Array(Type.Integer())),
  usernames: Type.Optional(Type.Array(Type.String())),
  group_ids: Type.Optional(Type.Array(Type.Integer())),
}
const ofProject = {
  ...named,
  protected_branch_ids: Type.Optional(Type.Array(Type.Integer())),
  applies_to_all_protected_branches: optionalBoolean,
}
const hiddenInput = {
  remove_hidden_groups: Type.Optional(
    Type.Boolean({
      description: 'Groups that the caller does not see are kept unless this is true.',
    }),
  ),
}
const ruleId = { approval_rule_id: Type.Integer() }

const settingNames = [
  'reset_approvals_on_push',
  'disable_overriding_approvers_per_merge_request',
  'merge_requests_author_approval',
  'merge_requests_disable_committers_approval',
  'require_password_to_approve',
  'selective_code_owner_removals',
] as const

const SettingsJson = namedObject('ApprovalSettings', {
  approvals_before_merge: Type.Integer(),
  reset_approvals_on_push: Type.Boolean(),
  selective_code_owner_removals: Type.Boolean(),
  disable_overriding_approvers_per_merge_request: Type.Boolean(),
  merge_requests_author_approval: Type.Boolean(),
  merge_requests_disable_committers_approval: Type.Boolean(),
  require_password_to_approve: Type.Boolean(),
})

async function showSettings({ db, subject }: Pick<Context<Project, unknown>, 'db' | 'subject'>) {
  return {
    approvals_before_merge: await findRequiredApprovalsOfProject(db, subject.id),
    ...(await findApprovalSettings(db, subject.id)),
  }
}

const ownerOf = ({ subject }: { subject: Project }) => ({
  project_id: subject.id,
  namespace_id: subject.namespace_id,
  issuable_id: null,
})

async function showProjectRules(
  { db, actor, subject, baseUrl }: Context<Project, unknown>,
  rules: readonly ApprovalRule[],
) {
  const view = { baseUrl, count: await findRequiredApprovalsOfProject(db, subject.id) }
  return (await loadApprovalRuleNames(db, actor, rules)).map((rule) =>
    presentProjectApprovalRule(rule, view),
  )
}

async function showProjectRule(context: Context<Project, unknown>, id: number) {
  const rule = await getApprovalRule(context.db, ownerOf(context), id)
  const [shown] = await showProjectRules(context, [rule])
  return shown
}

type RuleAction = 'approval_rule_added' | 'approval_rule_changed' | 'approval_rule_removed'

function record(
  context: Context<Project, unknown>,
  action: RuleAction,
  { id, name }: Pick<ApprovalRule, 'id' | 'name'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  return recordAuditEvent(context, {
    action,
    entity: { kind: 'project', id: context.subject.id },
    target: { kind: 'approval_rule', id, name },
    details,
  })
}

const isOfCodeOwners = ({ rule_type }: ApprovalRule) => rule_type === 'code_owner'

type RequestContext = Context<IssuableSubject, unknown>

/** Records an audit event for a rule of a merge request. */
function recordOfRequest(
  context: RequestContext,
  action: RuleAction,
  rule: Pick<ApprovalRule, 'id' | 'name'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  const merge_request_iid = context.subject.issuable.iid
  return record(context, action, rule, { merge_request_iid, ...details })
}

/**
 * Returns the merge request whose rules are to be changed. Throws 422 if the project forbids such changes,
 * and 405 if the merge request is not open.
 */
async function getChangeable(context: RequestContext) {
  const { db, subject } = context
  const { request, issuable } = await getRequestWithProjects(context)
  const settings = await findApprovalSettings(db, subject.id)
  if (settings.disable_overriding_approvers_per_merge_request) {
    throw unprocessable('Overriding approvals is disabled')
  }
  if (issuable.state !== 'opened') throw notAllowedInState()
  const { id: project_id, namespace_id } = subject
  return { request, owner: { project_id, namespace_id, issuable_id: issuable.id } }
}

async function showRequestRules(context: RequestContext, rules: readonly ApprovalRule[]) {
  const { db, actor, baseUrl } = context
  const { request } = await getRequestWithProjects(context)
  const states = await findApprovalStates(db, rules.some(isOfCodeOwners) ? [request] : [])
  const state = states.get(request.issuable_id)
  const ownerCounts = new Map(
    state?.rules.map(({ id, approvals_required }) => [id ?? 0, approvals_required]),
  )
  const view = {
    baseUrl,
    count: await countApprovalsRequiredFromEverybody(db, request),
    ownerCounts,
  }
  return (await loadApprovalRuleNames(db, actor, rules)).map((rule) =>
    presentRequestApprovalRule(rule, view),
  )
}

async function showRequestRule(context: RequestContext, id: number) {
  const [shown] = await showRequestRules(context, await findApprovalRulesByIds(context.db, [id]))
  return shown
}

async function showApprovalState(context: RequestContext) {
  const { db, actor, baseUrl, config } = context
  const request = await getRequestWithCodeOwnerRules(context)
  const states = config.tier === 'free' ? undefined : await findApprovalStates(db, [request])
  const state = states?.get(request.issuable_id)
  if (!state) return { approval_rules_overwritten: false, rules: [] }
  const ids = state.rules.flatMap(({ id }) => id ?? [])
  const named = await loadApprovalRuleNames(db, actor, await findApprovalRulesByIds(db, ids))
  const approvers = await listApprovers(db, request.issuable_id)
  const rules = state.rules.map((rule) => {
    const found = named.find(({ id }) => id === rule.id)
    const { approvals_required } = rule
    const ownerCounts = new Map([[rule.id ?? 0, approvals_required]])
    const view = { baseUrl, count: approvals_required, ownerCounts }
    return {
      ...(found ? presentRequestApprovalRule(found, view) : presentUnnamedApprovalRule(rule)),
      code_owner: rule.rule_type === 'code_owner',
      approved_by: approvers
        .filter(({ id }) => rule.approver_ids.includes(id))
        .map((user) => presentBasicUser(user, baseUrl)),
      approved: rule.left === 0,
    }
  })
  return { approval_rules_overwritten: state.isOverwritten, rules }
}

export const approvalRuleEndpoints = [
  inProject({
    route: 'GET /projects/:id/approvals',
    summary: 'Get the approval settings of a project',
    allow: readRules,
    answer: SettingsJson,
    run: showSettings,
  }),

  inProject({
    route: 'POST /projects/:id/approvals',
    summary: 'Change the approval settings of a project',
    allow: writeRules,
    input: Type.Object({
      approvals_before_merge: Type.Optional(count),
      reset_approvals_on_push: optionalBoolean,
      selective_code_owner_removals: optionalBoolean,
      disable_overriding_approvers_per_merge_request: optionalBoolean,
      merge_requests_author_approval: optionalBoolean,
      merge_requests_disable_committers_approval: optionalBoolean,
      require_password_to_approve: optionalBoolean,
    }),
    rules: [atLeastOneOf('approvals_before_merge', ...settingNames)],
    status: 201,
    answer: SettingsJson,
    async run(context) {
      const { db, subject, input } = context
      const { approvals_before_merge } = input
      const given: Partial<ApprovalSettings> = Object.fromEntries(
        settingNames.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
      )
      const settings = await saveApprovalSettings(db, subject.id, given)
      if (settings.selective_code_owner_removals && settings.reset_approvals_on_push) {
        throw invalid({
          selective_code_owner_removals: [
            'can only be enabled when reset_approvals_on_push is disabled',
          ],
        })
      }
      if (approvals_before_merge !== undefined) {
        await setRequiredApprovals(db, ownerOf(context), approvals_before_merge)
      }
      await recordAuditEvent(context, {
        action: 'approval_settings_changed',
        entity: { kind: 'project', id: subject.id },
        details: {
          ...given,
          ...(approvals_before_merge !== undefined && { approvals_before_merge }),
        },
      })
      return showSettings(context)
    },
  }),

  inProject({
    route: `GET ${base}`,
    summary: 'List the approval rules of a project',
    allow: readRules,
    input: Type.Object(pageInput),
    answer: Type.Array(ProjectApprovalRuleJson),
    async run(context) {
      const { rows, total } = await listApprovalRules(context.db, ownerOf(context), context.range)
      return new Page({ items: await showProjectRules(context, rows), total })
    },
  }),

  inProject({
    route: `GET ${base}/:approval_rule_id`,
    summary: 'Get an approval rule of a project',
    allow: readRules,
    input: Type.Object(ruleId),
    answer: ProjectApprovalRuleJson,
    run: (context) => showProjectRule(context, context.input.approval_rule_id),
  }),

  inProject({
    route: `POST ${base}`,
    summary: 'Add an approval rule to a project',
    allow: writeRules,
    input: Type.Object({
      name: Type.String(),
      approvals_required: count,
      rule_type: Type.Optional(oneOf(approvalRuleTypes)),
      ...ofProject,
    }),
    status: 201,
    answer: ProjectApprovalRuleJson,
    async run(context) {
      const { db, input } = context
      const id = await createApprovalRule(context, ownerOf(context), input)
      const rule = await getApprovalRule(db, ownerOf(context), id)
      const { approvals_required, user_ids, group_ids, usernames } = input
      await record(context, 'approval_rule_added', rule, {
        ...{ approvals_required, user_ids, group_ids, usernames },
      })
      return showProjectRule(context, id)
    },
  }),

  inProject({
    route: `PUT ${base}/:approval_rule_id`,
    summary: 'Change an approval rule of a project',
    allow: writeRules,
    input: Type.Object({
      ...ruleId,
      name: optionalText,
      approvals_required: Type.Optional(count),
      rule_type: Type.Optional(oneOf(approvalRuleTypes)),
      ...ofProject,
      ...hiddenInput,
    }),
    answer: ProjectApprovalRuleJson,
    async run(context) {
      const { db, input } = context
      const { approval_rule_id, rule_type: _, ...given } = input
      const rule = await getApprovalRule(db, ownerOf(context), approval_rule_id)
      await changeApprovalRule(context, ownerOf(context), rule, given)
      await record(context, 'approval_rule_changed', rule, given)
      return showProjectRule(context, rule.id)
    },
  }),

  inProject({
    route: `DELETE ${base}/:approval_rule_id`,
    summary: 'Delete an approval rule of a project',
    allow: writeRules,
    input: Type.Object(ruleId),
    status: 204,
    async run(context) {
      const { db, input } = context
      const rule = await getApprovalRule(db, ownerOf(context), input.approval_rule_id)
      await removeApprovalRule(db, ownerOf(context), rule)
      await record(context, 'approval_rule_removed', rule)
    },
  }),

  onRequest({
    route: `POST ${requestBase}/approvals`,
    summary: 'Set the number of required approvals of a merge request',
    allow: writeRequestRules,
    input: Type.Object({ approvals_required: count }),
    status: 201,
    answer: ApprovalsJson,
    async run(context) {
      const { owner } = await getChangeable(context)
      const { approvals_required } = context.input
      await setRequiredApprovals(context.db, owner, approvals_required)
      const everybody = { id: 0, name: everybodyRuleName }
      await recordOfRequest(context, 'approval_rule_changed', everybody, { approvals_required })
      return showMergeRequestApprovals(context)
    },
  }),

  onRequest({
    route: `PUT ${requestBase}/reset_approvals`,
    summary: 'Revoke all approvals of a merge request, for the users of project and group tokens',
    allow: writeRequestRules,
    authorize: async ({ db, user }) =>
      (await findUser(db, user.id))?.user_type !== 'human' || unauthorized(),
    status: 202,
    answer: Type.Object({}),
    async run(context) {
      const { subject } = context
      await resetAllApprovals(context.db, subject.issuable.id)
      return {}
    },
  }),

  onAnyTier({
    route: `GET ${requestBase}/approval_state`,
    summary: 'Get the approval state of a merge request',
    allow: mayReadIssuable,
    answer: namedObject('ApprovalState', {
      approval_rules_overwritten: Type.Boolean(),
      rules: Type.Array(ApprovalRuleStateJson),
    }),
    run: showApprovalState,
  }),

  onRequest({
    route: `GET ${requestBase}/approval_rules`,
    summary: 'List the approval rules of a merge request',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(RequestApprovalRuleJson),
    async run(context) {
      const { db, range } = context
      const request = await getRequestWithCodeOwnerRules(context)
      const ids = (await listApprovalRulesInForce(db, request)).map(({ id }) => id)
      const page = ids.slice(range.offset, range.offset + range.per_page)
      const rules = await findApprovalRulesByIds(db, page)
      return new Page({ items: await showRequestRules(context, rules), total: ids.length })
    },
  }),

  onRequest({
    route: `GET ${requestBase}/approval_rules/:approval_rule_id`,
    summary: 'Get an approval rule of a merge request',
    allow: mayReadIssuable,
    input: Type.Object(ruleId),
    answer: RequestApprovalRuleJson,
    async run(context) {
      const { db, input } = context
      const request = await getRequestWithCodeOwnerRules(context)
      const ids = (await listApprovalRulesInForce(db, request)).map(({ id }) => id)
      if (!ids.includes(input.approval_rule_id)) throw recordNotFound()
      return showRequestRule(context, input.approval_rule_id)
    },
  }),

  onRequest({
    route: `POST ${requestBase}/approval_rules`,
    summary: 'Add an approval rule to a merge request',
    allow: writeRequestRules,
    input: Type.Object({
      name: Type.String(),
      approvals_required: count,
      approval_project_rule_id: Type.Optional(
        Type.Integer({ description: 'A rule of the project to begin with.' }),
      ),
      rule_type: Type.Optional(oneOf(approvalRuleTypes)),
      ...named,
    }),
    status: 201,
    answer: RequestApprovalRuleJson,
    async run(context) {
      const { db, input } = context
      const { request, owner } = await getChangeable(context)
      await copyProjectApprovalRulesToRequest(context, request)
      const { approval_project_rule_id: source, ...given } = input
      const copy =
        source === undefined
          ? undefined
          : await copyProjectApprovalRuleToRequest(
              context,
              owner,
              await getApprovalRule(db, ownerOf(context), source),
            )
      if (copy) await changeApprovalRule(context, owner, copy, given)
      const id = copy?.id ?? (await createApprovalRule(context, owner, given))
      await recordOfRequest(
        context,
        'approval_rule_added',
        await getApprovalRule(db, owner, id),
        given,
      )
      return showRequestRule(context, id)
    },
  }),

  onRequest({
    route: `PUT ${requestBase}/approval_rules/:approval_rule_id`,
    summary: 'Change an approval rule of a merge request',
    allow: writeRequestRules,
    input: Type.Object({
      ...ruleId,
      name: optionalText,
      approvals_required: Type.Optional(count),
      rule_type: Type.Optional(oneOf(approvalRuleTypes)),
      ...named,
      ...hiddenInput,
    }),
    answer: RequestApprovalRuleJson,
    async run(context) {
      const { db, input } = context
      const { request, owner } = await getChangeable(context)
      await copyProjectApprovalRulesToRequest(context, request)
      const { approval_rule_id, rule_type: _, ...given } = input
      const rule = await getRequestApprovalRule(db, owner, approval_rule_id)
      await changeApprovalRule(context, owner, rule, given)
      await recordOfRequest(context, 'approval_rule_changed', rule, given)
      return showRequestRule(context, rule.id)
    },
  }),

  onRequest({
    route: `DELETE ${requestBase}/approval_rules/:approval_rule_id`,
    summary: 'Delete an approval rule of a merge request',
    allow: writeRequestRules,
    input: Type.Object(ruleId),
    status: 204,
    async run(context) {
      const { db, input } = context
      const { request, owner } = await getChangeable(context)
      await copyProjectApprovalRulesToRequest(context, request)
      const rule = await getRequestApprovalRule(db, owner, input.approval_rule_id)
      if (rule.source_rule_id !== null && (await countApprovalRules(db, owner)) === 1) {
        // A merge request without rules of its own uses the rules of its project again.
        throw unprocessable('The last rule of the project cannot be deleted from a merge request')
      }
      await removeApprovalRule(db, owner, rule)
      await recordOfRequest(context, 'approval_rule_removed', rule)
    },
  }),
]
