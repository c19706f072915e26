import { type Examples, nothing, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /events': nothing,
  'GET /users/:user_id/events': async ({ users }) => ({ path: { user_id: users.guest.id } }),
  'GET /users/:user_id/calendar': async ({ users }) => ({ path: { user_id: users.guest.id } }),
  'GET /projects/:id/events': project,
}
