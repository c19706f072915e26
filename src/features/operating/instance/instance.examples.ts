import { type Examples, nothing, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /version': nothing,
  'GET /metadata': nothing,
  'GET /application/statistics': nothing,
  'GET /admin/health': nothing,
  'GET /admin/configuration': nothing,
  'GET /license': nothing,
  'POST /license': withBody(nothing, { license: 'x' }),
  'DELETE /license/:id': async () => ({ path: { id: 1 } }),
}
