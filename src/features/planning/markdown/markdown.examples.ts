import { type Examples, nothing, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'POST /markdown': withBody(nothing, { text: '*a*' }),
  'GET /projects/:id/references': withBody(project, { names: ['#1', '@root'] }),
}
