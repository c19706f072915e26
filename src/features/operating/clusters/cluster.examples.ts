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

const body = () => ({
  name: 'c',
  environment_scope: unique(),
  platform_orchestrator_attributes: { api_url: 'https://cluster.test', token: 't' },
})

for (const [url, verb, parent] of [
  ['/projects/:id/clusters', 'user', project],
  ['/groups/:id/clusters', 'user', group],
  ['/admin/clusters', 'add', nothing],
] as const) {
  const cluster = keep(async (world) => {
    const { path } = await parent(world)
    const place = url.replace(':id', String(path.id))
    const made = await world.as('admin').post(`${place}/${verb}`, body())
    return { path: { ...path, cluster_id: made.json().id } }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/:cluster_id`] = cluster
  examples[`POST ${url}/${verb}`] = withBody(parent, body)
  examples[`PUT ${url}/:cluster_id`] = withBody(cluster, { name: 'd' })
  examples[`DELETE ${url}/:cluster_id`] = cluster
}
