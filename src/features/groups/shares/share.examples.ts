import { type Examples, group, project, withBody } from '../../../../test/kit/examples.ts'
import type { World } from '../../../../test/kit/world.ts'

const share = async (world: World) => ({
  group_id: (await world.newMemberedGroup()).id,
  group_access: 10,
})

export const examples: Examples = {
  'POST /groups/:id/share': withBody(group, share),
  'DELETE /groups/:id/share/:group_id': async (world) => {
    const { path } = await group(world)
    const body = await share(world)
    await world.as('admin').post(`/groups/${path.id}/share`, body)
    return { path: { ...path, group_id: body.group_id } }
  },
  'POST /projects/:id/share': withBody(project, share),
  'DELETE /projects/:id/share/:group_id': async (world) => {
    const { path } = await project(world)
    const body = await share(world)
    await world.as('admin').post(`/projects/${path.id}/share`, body)
    return { path: { ...path, group_id: body.group_id } }
  },
}
