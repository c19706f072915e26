import {
  type Examples,
  group,
  nothing,
  ofGuest,
  project,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects': nothing,
  'GET /users/:user_id/projects': async (world) => ({ path: ofGuest(world) }),
  'POST /projects': async () => ({ body: { name: unique() } }),
  'POST /projects/user/:user_id': async (world) => ({
    path: ofGuest(world),
    body: { name: unique() },
  }),
  'GET /projects/:id': project,
  'GET /projects/:id/forks': project,
  'POST /projects/:id/archive': project,
  'POST /projects/:id/unarchive': project,
  'PUT /projects/:id/transfer': withBody(project, async (world) => ({
    namespace: (await world.newMemberedGroup()).id,
  })),
  'GET /projects/:id/transfer_locations': project,
  'PUT /projects/:id': withBody(project, { description: 'd' }),
  'DELETE /projects/:id': project,
  'GET /groups/:id/projects': group,
  'GET /groups/:id/projects/shared': group,
}
