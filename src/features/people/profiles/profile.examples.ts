import { type Examples, nothing, ofGuest } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /user/status': nothing,
  'GET /users/:user_id/status': async (world) => ({ path: ofGuest(world) }),
  'PUT /user/status': async () => ({ body: { message: 'm' } }),
  'PATCH /user/status': async () => ({ body: { message: 'm' } }),
  'GET /user/preferences': nothing,
  'PUT /user/preferences': async () => ({ body: { view_diffs_file_by_file: true } }),
}
