import { type Examples, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'POST /projects/:id/housekeeping': project,
  'GET /projects/:id/storage': project,
}
