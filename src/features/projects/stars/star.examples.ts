import { type Examples, ofGuest, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'POST /projects/:id/star': project,
  'POST /projects/:id/unstar': project,
  'GET /projects/:id/starrers': project,
  'GET /users/:user_id/starred_projects': async (world) => ({ path: ofGuest(world) }),
}
