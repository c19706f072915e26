import { Type } from 'typebox'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nullable, optionalText } from '../../../http/schema.ts'
import { notFound, unauthorized } from '../../../kernel/errors.ts'
import {
  type IssuableSubject,
  mayReadIssuable,
  mayUpdateIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { getWholeRequest, staleShaError } from '../merge-requests/merge-request.ts'
import { approveRequest, listApprovers, unapproveRequest } from './approval.ts'

const endpoint = endpointFactory({ tag: 'Merge requests', on: mergeRequestLoader })

const base = '/projects/:id/merge_requests/:merge_request_iid'

const ApprovalsJson = namedObject('Approvals', {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: nullable(Type.String()),
  state: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  user_has_approved: Type.Boolean(),
  user_can_approve: Type.Boolean(),
  approved: Type.Boolean(),
  approved_by: Type.Array(Type.Object({ user: BasicUserJson })),
})

type RequestContext = Context<IssuableSubject, unknown>

async function approvals({ db, actor, level, subject, baseUrl }: RequestContext) {
  const approvers = await listApprovers(db, subject.issuable.id)
  const hasApproved = approvers.some(({ id }) => id === actor.user?.id)
  const { id, iid, project_id, title, description, state, created_at, updated_at } =
    subject.issuable
  return {
    // Clients take the answer for what they now know of the merge request.
    ...{ id, iid, project_id, title, description, state, created_at, updated_at },
    user_has_approved: hasApproved,
    user_can_approve: !hasApproved && mayUpdateIssuable({ subject, level, actor }),
    approved: approvers.length > 0,
    approved_by: approvers.map((user) => ({ user: presentBasicUser(user, baseUrl) })),
  }
}

export const approvalEndpoints = [
  endpoint({
    route: `GET ${base}/approvals`,
    summary: 'Get who has approved a merge request',
    allow: mayReadIssuable,
    answer: ApprovalsJson,
    run: approvals,
  }),

  endpoint({
    route: `GET ${base}/approval_state`,
    summary: 'Get the rules of approval of a merge request, of which there are none',
    allow: mayReadIssuable,
    answer: Type.Object({
      approval_rules_overwritten: Type.Boolean(),
      rules: Type.Array(Type.Unknown()),
    }),
    run: async () => ({ approval_rules_overwritten: false, rules: [] }),
  }),

  endpoint({
    route: `POST ${base}/approve`,
    summary: 'Approve a merge request',
    allow: mayUpdateIssuable,
    input: Type.Object({ sha: optionalText }),
    status: 201,
    answer: ApprovalsJson,
    async run(context) {
      const { db, clock, user, input } = context
      const { request, issuable } = await getWholeRequest(context)
      if (input.sha && input.sha !== request.head_sha) throw staleShaError(request.head_sha)
      const isNew = await approveRequest(db, clock, { issuable, user_id: user.id })
      if (!isNew) throw unauthorized()
      return approvals(context)
    },
  }),

  endpoint({
    route: `POST ${base}/unapprove`,
    summary: 'Take back the approval of a merge request',
    allow: mayUpdateIssuable,
    status: 201,
    answer: ApprovalsJson,
    async run(context) {
      const { db, clock, subject, user } = context
      const approval = { issuable: subject.issuable, user_id: user.id }
      if (!(await unapproveRequest(db, clock, approval))) throw notFound()
      return approvals(context)
    },
  }),
]
