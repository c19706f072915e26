import type { Examples } from '../../../../test/kit/examples.ts'
import { nothing } from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [kind, name] of [
  ['dockerfiles', 'Node'],
  ['gitignores', 'Node'],
  ['gitlab_ci_ymls', 'Nodejs'],
  ['licenses', 'mit'],
] as const) {
  examples[`GET /templates/${kind}`] = nothing
  examples[`GET /templates/${kind}/:name`] = async () => ({ path: { name } })
}
