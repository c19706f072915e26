import { type Examples, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/dependencies': project,
}
