import { type Examples, nothing, project, withBody } from '../../../../test/kit/examples.ts'

const content = 'job: { script: "true" }'

export const examples: Examples = {
  'GET /projects/:id/ci/lint': project,
  'POST /projects/:id/ci/lint': withBody(project, { content }),
  'POST /ci/lint': withBody(nothing, { content }),
}
