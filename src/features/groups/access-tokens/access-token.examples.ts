import { type Examples, group, keep, project, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

const body = { name: 't', scopes: ['api'] }

for (const [base, parent] of [
  ['/projects/:id/access_tokens', project],
  ['/groups/:id/access_tokens', group],
] as const) {
  const token = keep(async (world) => {
    const { path } = await parent(world)
    const made = await world.as('admin').post(base.replace(':id', String(path.id)), body)
    return { path: { ...path, token_id: made.json().id } }
  })
  examples[`GET ${base}`] = parent
  examples[`GET ${base}/:token_id`] = token
  examples[`POST ${base}`] = withBody(parent, body)
  examples[`DELETE ${base}/:token_id`] = token
  examples[`POST ${base}/:token_id/rotate`] = token
  examples[`POST ${base}/self/rotate`] = parent
}
