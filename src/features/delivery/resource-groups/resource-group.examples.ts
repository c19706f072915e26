import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'
import { newCiProject } from '../../../../test/kit/pipelines.ts'

const group = keep(async (world) => {
  const config = { deploy: { script: 'true', resource_group: 'production' } }
  const { id } = await newCiProject(world, config)
  await world.as('owner').post(`/projects/${id}/pipeline`, { ref: 'main' })
  await world.app.worker.drain()
  return { path: { id, key: 'production' } }
})

export const examples: Examples = {
  'GET /projects/:id/resource_groups': project,
  'GET /projects/:id/resource_groups/:key': group,
  'GET /projects/:id/resource_groups/:key/current_job': group,
  'GET /projects/:id/resource_groups/:key/upcoming_jobs': group,
  'PUT /projects/:id/resource_groups/:key': withBody(group, { process_mode: 'oldest_first' }),
}
