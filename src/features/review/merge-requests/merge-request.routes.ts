import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { optionalBoolean } from '../../../http/schema.ts'
import {
  mayReadIssuable,
  mayResolveThreads,
  mergeRequestLoader,
} from '../../../subjects/issuable.ts'
import {
  presentAbilitiesAndVersion,
  presentIssuableAbilities,
} from '../../planning/issuables/issuable-endpoints.ts'
import { MergeRequestJson, showMergeRequest } from './show-request.ts'

const tag = 'Merge requests'

const onRequest = endpointFactory({ tag, on: mergeRequestLoader })

export const mergeRequestEndpoints = [
  onRequest({
    route: 'GET /projects/:id/merge_requests/:merge_request_iid',
    summary: 'Get a merge request',
    allow: mayReadIssuable,
    input: Type.Object({
      render_html: optionalBoolean,
      include_diverged_commits_count: optionalBoolean,
      include_rebase_in_progress: optionalBoolean,
      with_abilities: optionalBoolean,
      with_labels_details: optionalBoolean,
      with_changes_requested: optionalBoolean,
    }),
    answer: MergeRequestJson,
    async run(context) {
      const { subject, input } = context
      const forPages = input.with_abilities
        ? await presentAbilitiesAndVersion(context, {
            ...presentIssuableAbilities(context),
            resolve_threads: mayResolveThreads(context),
          })
        : {}
      const shown = await showMergeRequest(context, subject, subject.issuable, {
        isRendered: input.render_html,
        withLabelDetails: input.with_labels_details,
        withChangesRequested: input.with_changes_requested,
        withDivergence: input.include_diverged_commits_count,
        withRebase: input.include_rebase_in_progress,
        isRead: true,
      })
      return { ...shown, ...forPages }
    },
  }),
]
