import { type Examples, mergeRequest } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/merge_requests/:merge_request_iid/reviewers': mergeRequest,
}
