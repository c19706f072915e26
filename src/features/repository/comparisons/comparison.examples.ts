import { type Examples, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/compare': withBody(project, { from: 'main', to: 'main' }),
  'GET /projects/:id/repository/compare/diffs': withBody(project, { from: 'main', to: 'main' }),
  'GET /projects/:id/repository/merge_base': withBody(project, { refs: 'main,HEAD' }),
}
