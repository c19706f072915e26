import { type Examples, group, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/search': withBody(project, { scope: 'blobs', search: 'a' }),
  'GET /projects/:id/-/search': withBody(project, { scope: 'blobs', search: 'a' }),
  'GET /groups/:id/search': withBody(group, { scope: 'users', search: 'a' }),
  'GET /groups/:id/-/search': withBody(group, { scope: 'users', search: 'a' }),
  'GET /search/quick': async () => ({ body: { q: 'a' } }),
  'GET /search': async () => ({ body: { scope: 'projects', search: 'a' } }),
}
