import { branch, type Examples, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/branches': project,
  'GET /projects/:id/repository/branches/:branch': branch,
  'POST /projects/:id/repository/branches': withBody(project, { branch: 'new', ref: 'main' }),
  'DELETE /projects/:id/repository/branches/:branch': branch,
  'PUT /projects/:id/repository/branches/:branch/protect': branch,
  'PUT /projects/:id/repository/branches/:branch/unprotect': branch,
  'DELETE /projects/:id/repository/merged_branches': project,
}
