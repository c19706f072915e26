import { type Examples, nothing } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /namespaces': nothing,
  'GET /namespaces/:id': async (world) => ({ path: { id: world.groups.shut.id } }),
  'GET /namespaces/:path/exists': async () => ({ path: { path: 'nobody-has-this' } }),
}
