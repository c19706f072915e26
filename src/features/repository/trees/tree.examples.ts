import { type Examples, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/tree': project,
  'GET /projects/:id/repository/paths': project,
}
