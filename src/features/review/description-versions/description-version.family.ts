import { issueLoader, mergeRequestLoader } from '../../../subjects/issuable.ts'
import type { Family } from '../../family.ts'
import { descriptionVersionEndpointsOf } from './description-version.routes.ts'

export const descriptionVersionFamily: Family = {
  endpoints: [
    ...descriptionVersionEndpointsOf({
      noun: 'an issue',
      on: issueLoader,
      base: '/projects/:id/issues/:issue_iid',
    }),
    ...descriptionVersionEndpointsOf({
      noun: 'a merge request',
      on: mergeRequestLoader,
      base: '/projects/:id/merge_requests/:merge_request_iid',
    }),
  ],
}
