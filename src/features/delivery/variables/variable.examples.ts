import {
  type Examples,
  group,
  keep,
  nothing,
  project,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id/variables', project],
  ['/groups/:id/variables', group],
  ['/admin/ci/variables', nothing],
] as const) {
  const variable = keep(async (world) => {
    const { path } = await parent(world)
    const key = unique().replace('-', '_')
    const at = url.replace(':id', String(path.id))
    await world.as('admin').post(at, { key, value: 'v' })
    return { path: { ...path, key } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/:key`] = variable
  examples[`POST ${url}`] = withBody(parent, () => ({
    key: unique().replace('-', '_'),
    value: 'v',
  }))
  examples[`PUT ${url}/:key`] = withBody(variable, { value: 'w' })
  examples[`DELETE ${url}/:key`] = variable
}
