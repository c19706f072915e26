import { type Examples, group, nothing, unique, withBody } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /groups': nothing,
  'POST /groups': async () => ({ body: { name: unique(), path: unique() } }),
  'GET /groups/:id': group,
  'PUT /groups/:id': withBody(group, { description: 'd' }),
  'DELETE /groups/:id': group,
  'GET /groups/:id/subgroups': group,
  'GET /groups/:id/descendant_groups': group,
  'GET /groups/:id/groups/shared': group,
  'GET /groups/:id/invited_groups': group,
  'POST /groups/:id/transfer': withBody(group, async (world) => ({
    group_id: (await world.newMemberedGroup()).id,
  })),
  'POST /groups/:id/projects/:project_id': async (world) => ({
    path: { ...(await group(world)).path, project_id: (await world.newProject()).id },
  }),
  'GET /groups/:id/transfer_locations': group,
}
