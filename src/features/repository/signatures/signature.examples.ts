import { commit, type Examples, project, tag, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/commits/:sha/signature': commit,
  'GET /projects/:id/repository/signatures': withBody(project, { shas: ['main'] }),
  'GET /projects/:id/repository/tags/:tag_name/signature': tag,
}
