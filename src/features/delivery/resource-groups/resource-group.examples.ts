import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'

const group = keep(async (world) => {
  const { path } = await project(world)
  const now = '2026-03-01T12:00:00.000Z'
  await world.app.db
    .insertInto('resource_groups')
    .values({ project_id: Number(path.id), key: 'production', created_at: now, updated_at: now })
    .execute()
  return { path: { ...path, key: 'production' } }
})

export const examples: Examples = {
  'GET /projects/:id/resource_groups': project,
  'GET /projects/:id/resource_groups/:key': group,
  'PUT /projects/:id/resource_groups/:key': withBody(group, { process_mode: 'oldest_first' }),
}
