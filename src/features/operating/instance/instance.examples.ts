import { type Examples, nothing } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /version': nothing,
  'GET /metadata': nothing,
  'GET /application/statistics': nothing,
}
