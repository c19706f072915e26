import { type Examples, group, keep } from '../../../../test/kit/examples.ts'
import type { World } from '../../../../test/kit/world.ts'

const project = keep(async (world) => ({ path: { id: (await world.newProject()).id } }))

function examplesOf(kind: 'group' | 'project', owner: typeof group): Examples {
  const all = `/${kind}_repository_storage_moves`
  const own = `/${kind}s/:id/repository_storage_moves`
  const body = { destination_storage_name: 'default' }
  const move = keep(async (world) => {
    const { path } = await owner(world)
    const url = `/${kind}s/${path.id}/repository_storage_moves`
    const made = await world.as('admin').post(url, body)
    await world.app.worker.drain()
    return { path: { ...path, repository_storage_id: made.json().id } }
  })
  const fresh = async (world: World) => {
    const made = kind === 'group' ? await world.newMemberedGroup() : await world.newProject()
    return { path: { id: made.id }, body }
  }
  return {
    [`GET ${all}`]: async () => ({}),
    [`GET ${all}/:repository_storage_id`]: move,
    [`POST ${all}`]: async () => ({ body: { source_storage_name: 'default', ...body } }),
    [`GET ${own}`]: owner,
    [`GET ${own}/:repository_storage_id`]: move,
    [`POST ${own}`]: fresh,
  }
}

export const examples: Examples = {
  ...examplesOf('group', group),
  ...examplesOf('project', project),
}
