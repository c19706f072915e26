import { commit, type Examples, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/commits/:sha/statuses': commit,
  'POST /projects/:id/statuses/:sha': withBody(commit, { state: 'success' }),
}
