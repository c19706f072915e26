import {
  type Examples,
  group,
  keep,
  project,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

const deploy_access_levels = [{ access_level: 40 }]
export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id/protected_environments', project],
  ['/groups/:id/protected_environments', group],
] as const) {
  const isOfGroup = parent === group
  const protection = keep(async (world) => {
    const { path } = await parent(world)
    const name = isOfGroup ? 'staging' : unique()
    const at = url.replace(':id', String(path.id))
    await world.as('admin').post(at, { name, deploy_access_levels })
    return { path: { ...path, name } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/:name`] = protection
  examples[`POST ${url}`] = withBody(parent, () => ({
    name: isOfGroup ? 'production' : unique(),
    deploy_access_levels,
  }))
  examples[`PUT ${url}/:name`] = withBody(protection, () => ({ required_approval_count: 1 }))
  examples[`DELETE ${url}/:name`] = protection
}
