import { Type } from 'typebox'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { optionalText } from '../../../http/schema.ts'
import { notFound, unauthorized } from '../../../kernel/errors.ts'
import {
  mayReadIssuable,
  mayUpdateIssuable,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import { findUser } from '../../../subjects/user.ts'
import { clearSignInFailures, verifyPasswordOfUser } from '../../people/sign-in/check-password.ts'
import { approveMergeRequest, unapproveMergeRequest } from './approval.ts'
import {
  ApprovalsJson,
  getRequestWithCodeOwnerRules,
  showMergeRequestApprovals,
} from './show-approvals.ts'

const endpoint = endpointFactory({ tag: 'Merge requests', on: mergeRequestLoader })

const base = '/projects/:id/merge_requests/:merge_request_iid'

async function isOwnPassword(
  context: Pick<Context<unknown, unknown>, 'db' | 'clock' | 'config' | 'user' | 'request'>,
  password: string | undefined,
): Promise<boolean> {
  if (password === undefined) return false
  const user = await findUser(context.db, context.user.id)
  const { ip } = context.request
  const proven = await verifyPasswordOfUser(context, { user, password, ip })
  if (proven) await clearSignInFailures(context.db, proven)
  return proven !== undefined
}

export const approvalEndpoints = [
  endpoint({
    route: `GET ${base}/approvals`,
    summary: 'Get the approvals of a merge request',
    allow: mayReadIssuable,
    answer: ApprovalsJson,
    async run(context) {
      await getRequestWithCodeOwnerRules(context)
      return showMergeRequestApprovals(context)
    },
  }),

  endpoint({
    route: `POST ${base}/approve`,
    summary: 'Approve a merge request',
    allow: mayUpdateIssuable,
    // Comparing a password takes long, so no transaction is open meanwhile.
    transaction: 'none',
    input: Type.Object({
      sha: optionalText,
      approval_password: Type.Optional(
        Type.String({ description: "The caller's, where the project asks for it." }),
      ),
    }),
    status: 201,
    answer: ApprovalsJson,
    async run(context) {
      const { user, subject, input } = context
      const approval = { issuable: subject.issuable, user_id: user.id }
      const hasProvenPassword = await isOwnPassword(context, input.approval_password)
      const given = { sha: input.sha, hasProvenPassword }
      const isNew = await runTransaction(context.db, (db) =>
        approveMergeRequest({ ...context, db }, approval, given),
      )
      if (!isNew) throw unauthorized()
      return showMergeRequestApprovals(context)
    },
  }),

  endpoint({
    route: `POST ${base}/unapprove`,
    summary: 'Revoke your approval of a merge request',
    allow: mayUpdateIssuable,
    status: 201,
    answer: ApprovalsJson,
    async run(context) {
      const { db, clock, subject, user } = context
      const approval = { issuable: subject.issuable, user_id: user.id }
      if (!(await unapproveMergeRequest(db, clock, approval))) throw notFound()
      return showMergeRequestApprovals(context)
    },
  }),
]
