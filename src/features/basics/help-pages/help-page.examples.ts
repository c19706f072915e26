import { type Examples, nothing } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /help/pages': nothing,
  'GET /help/page': async () => ({ body: { path: 'docs/api/users.md' } }),
}
