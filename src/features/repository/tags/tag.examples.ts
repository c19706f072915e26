import { type Examples, project, tag, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/tags': project,
  'GET /projects/:id/repository/tags/:tag_name': tag,
  'POST /projects/:id/repository/tags': withBody(project, { tag_name: 'v1', ref: 'main' }),
  'DELETE /projects/:id/repository/tags/:tag_name': tag,
}
