import { commit, type Examples, tag } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/commits/:sha/signature': commit,
  'GET /projects/:id/repository/tags/:tag_name/signature': tag,
}
