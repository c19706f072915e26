import {
  addressOf,
  type Examples,
  group,
  keep,
  project,
  unique,
  withBody,
} from '../../../../test/kit/examples.ts'

export const examples: Examples = {}

for (const [url, parent] of [
  ['/projects/:id/labels', project],
  ['/groups/:id/labels', group],
] as const) {
  const label = keep(async (world) => {
    const { path } = await parent(world)
    const body = { name: unique(), color: 'red' }
    await world.as('admin').post(addressOf(url, path), body)
    return { path: { ...path, name: body.name } }
  })
  const named = (more: object = {}) =>
    (async (world) => {
      const { path } = await label(world)
      return { path, body: { name: path.name, ...more } }
    }) satisfies Examples[string]
  const subscribed = keep(async (world) => {
    const { path } = await label(world)
    for (const who of ['guest', 'reporter', 'developer', 'maintainer', 'owner', 'admin'] as const) {
      await world.as(who).post(addressOf(`${url}/:name/subscribe`, path))
    }
    return { path }
  })
  examples[`GET ${url}`] = parent
  examples[`GET ${url}/:name`] = label
  examples[`POST ${url}`] = withBody(parent, () => ({ name: unique(), color: 'red' }))
  examples[`PUT ${url}/:name`] = withBody(label, { description: 'd' })
  examples[`PUT ${url}`] = named({ description: 'd' })
  examples[`DELETE ${url}/:name`] = label
  examples[`DELETE ${url}`] = named()
  examples[`POST ${url}/:name/subscribe`] = label
  examples[`POST ${url}/:name/unsubscribe`] = subscribed
}

const promoted = keep(async (world) => {
  const { id } = await world.newProject({ group: await world.newMemberedGroup() })
  const body = { name: unique(), color: 'red' }
  await world.as('admin').post(`/projects/${id}/labels`, body)
  return { path: { id, name: body.name } }
})
examples['PUT /projects/:id/labels/:name/promote'] = promoted
examples['PUT /projects/:id/labels/promote'] = async (world) => {
  const { path } = await promoted(world)
  return { path, body: { name: path.name } }
}
