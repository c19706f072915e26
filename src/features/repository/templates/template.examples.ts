import type { Examples } from '../../../../test/kit/examples.ts'
import { nothing, project } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/templates/:type': async (world) => ({
    path: { ...(await project(world)).path, type: 'gitignores' },
  }),
  'GET /projects/:id/templates/:type/:name': async (world) => ({
    path: { ...(await project(world)).path, type: 'gitignores', name: 'Node' },
  }),
}

for (const [kind, name] of [
  ['dockerfiles', 'Node'],
  ['gitignores', 'Node'],
  ['gitlab_ci_ymls', 'Nodejs'],
  ['licenses', 'mit'],
] as const) {
  examples[`GET /templates/${kind}`] = nothing
  examples[`GET /templates/${kind}/:name`] = async () => ({ path: { name } })
}
