import { type Examples, project, withBody, withPath } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/protected_branches': project,
  'GET /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'POST /projects/:id/protected_branches': withBody(project, { name: 'stable/*' }),
  'PATCH /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'DELETE /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
}
