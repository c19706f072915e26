import {
  type Examples,
  group,
  keep,
  nothing,
  project,
  withBody,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = { 'GET /deploy_tokens': nothing }

const body = { name: 't', scopes: ['read_repository'] }

for (const [base, parent] of [
  ['/projects/:id/deploy_tokens', project],
  ['/groups/:id/deploy_tokens', group],
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
}
