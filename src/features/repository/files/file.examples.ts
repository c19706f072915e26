import { type Examples, file, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/files/:file_path': file({ ref: 'main' }),
  'GET /projects/:id/repository/files/:file_path/blame': file({ ref: 'main' }),
  'GET /projects/:id/repository/files/:file_path/raw': file({ ref: 'main' }),
  'GET /projects/:id/repository/files/:file_path/rendered': file({ ref: 'main' }),
  'GET /projects/:id/repository/files/:file_path/code_owners': file({ ref: 'main' }),
  'POST /projects/:id/repository/files/:file_path': async (world) => ({
    path: { ...(await project(world)).path, file_path: 'b' },
    body: { branch: 'topic', start_branch: 'main', commit_message: 'm', content: '' },
  }),
  'PUT /projects/:id/repository/files/:file_path': file({
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'm',
    content: 'b',
  }),
  'DELETE /projects/:id/repository/files/:file_path': file({
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'm',
  }),
}
