import {
  aUser,
  type Examples,
  group,
  keep,
  project,
  withBody,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [source, parent] of [
  ['users', aUser],
  ['projects', project],
  ['groups', group],
] as const) {
  const url = `/${source}/:id/custom_attributes`
  const noted = keep(async (world) => {
    const { path } = await parent(world)
    await world.as('admin').put(`/${source}/${path.id}/custom_attributes/k`, { value: 'v' })
    return { path: { ...path, key: 'k' } }
  })
  examples[`GET ${url}`] = noted
  examples[`GET ${url}/:key`] = noted
  examples[`PUT ${url}/:key`] = withBody(noted, { value: 'w' })
  examples[`DELETE ${url}/:key`] = noted
}
