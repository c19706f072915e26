import { type Examples, group, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/dependencies': project,
  'GET /groups/:id/dependencies': group,
}
