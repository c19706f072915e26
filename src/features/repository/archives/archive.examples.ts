import { type Examples, project, withPath } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/snapshot': project,
  'GET /projects/:id/repository/archive': project,
  'GET /projects/:id/repository/archive.:format': withPath(project, () => ({ format: 'zip' })),
}
