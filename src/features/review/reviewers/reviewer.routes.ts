import { Type } from 'typebox'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, oneOf, pageInput } from '../../../http/schema.ts'
import { mayReadIssuable, mergeRequestLoader } from '../../../subjects/issuable.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import { listReviewerStates } from './reviewer.store.ts'

const endpoint = endpointFactory({ tag: 'Merge requests', on: mergeRequestLoader })

const states = [
  'unreviewed',
  'review_started',
  'reviewed',
  'requested_changes',
  'approved',
  'unapproved',
] as const

const ReviewerJson = namedObject('Reviewer', {
  user: BasicUserJson,
  state: oneOf(states),
  created_at: Type.String(),
})

export const reviewerEndpoints = [
  endpoint({
    route: 'GET /projects/:id/merge_requests/:merge_request_iid/reviewers',
    summary: 'List the reviewers of a merge request with their last action',
    allow: mayReadIssuable,
    input: Type.Object(pageInput),
    answer: Type.Array(ReviewerJson),
    async run({ db, subject, range, baseUrl }) {
      const { rows, total } = await listReviewerStates(db, subject.issuable.id, range)
      const items = rows.map(({ user, state, asked_at: created_at }) => ({
        user: presentBasicUser(user, baseUrl),
        state,
        created_at,
      }))
      return new Page({ items, total })
    },
  }),
]
