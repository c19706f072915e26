import { type Examples, ofGuest } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /users/:user_id/contributed_projects': async (world) => ({ path: ofGuest(world) }),
}
