import { Type } from 'typebox'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { optionalBoolean, optionalText, record } from '../../../http/schema.ts'
import { unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  aMergeRequest,
  findIssuable,
  type IssuableSubject,
  readIssuable,
} from '../../../subjects/issuable.ts'
import { cancelAutoMerge } from './auto-merge.ts'
import { getWholeRequest, mayMerge, requestMerge } from './request-merge.ts'
import { RequestJson, showRequest } from './show-request.ts'

const endpoint = endpointsWith({ tag: 'Merge requests', on: aMergeRequest, signIn: 'always' })
const base = '/projects/:id/merge_requests/:merge_request_iid'

const mergeInput = Type.Object({
  merge_commit_message: optionalText,
  squash_commit_message: optionalText,
  squash: optionalBoolean,
  should_remove_source_branch: optionalBoolean,
  merge_when_pipeline_succeeds: optionalBoolean,
  auto_merge: optionalBoolean,
  sha: optionalText,
})

async function showChanged(context: Context<IssuableSubject, unknown>) {
  const { db, actor, subject } = context
  const found = await findIssuable(db, actor, { id: subject.issuable.id })
  return showRequest(context, subject, found?.issuable ?? subject.issuable)
}

const CancelledJson = record('CancelledMerge', {
  status: Type.String(),
  message: Type.Optional(Type.String()),
  http_status: Type.Optional(Type.Integer()),
})

export const mergeEndpoints = [
  endpoint({
    route: `PUT ${base}/merge`,
    summary: 'Merge a merge request, at once or when its pipeline succeeds',
    allow: readIssuable,
    transaction: 'none',
    body_bytes_max: limits.form_body_bytes,
    input: mergeInput,
    answer: RequestJson,
    load: getWholeRequest,
    authorize: async (context) => (await mayMerge(context, context.loaded)) || unauthorized(),
    async run(context) {
      await requestMerge(context, context.loaded, context.input)
      return showChanged(context)
    },
  }),

  endpoint({
    route: `POST ${base}/cancel_merge_when_pipeline_succeeds`,
    summary: 'Call off a merge that waits for its pipeline',
    allow: readIssuable,
    transaction: 'none',
    status: 201,
    answer: CancelledJson,
    load: getWholeRequest,
    async authorize(context) {
      const { user, loaded } = context
      const isAllowed = await mayMerge(context, loaded)
      return isAllowed || loaded.issuable.author_id === user.id || unauthorized()
    },
    async run(context) {
      const { user } = context
      const { issuable } = context.loaded
      if (await cancelAutoMerge(context, issuable, user.id)) return { status: 'success' }
      return {
        message: "Can't cancel the automatic merge",
        status: 'error',
        http_status: 406,
      }
    },
  }),
]
