import {
  type Examples,
  keep,
  newSshKey,
  nothing,
  project,
  withBody,
} from '../../../../test/kit/examples.ts'

const deployKey = keep(async (world) => {
  const { path } = await project(world)
  const made = await world.as('owner').post(`/projects/${path.id}/deploy_keys`, newSshKey())
  return { path: { ...path, key_id: made.json().id } }
})

export const examples: Examples = {
  'GET /deploy_keys': nothing,
  'POST /deploy_keys': async () => ({ body: newSshKey() }),
  'GET /projects/:id/deploy_keys': project,
  'GET /projects/:id/deploy_keys/:key_id': deployKey,
  'POST /projects/:id/deploy_keys': withBody(project, newSshKey),
  'PUT /projects/:id/deploy_keys/:key_id': withBody(deployKey, { can_push: true }),
  'POST /projects/:id/deploy_keys/:key_id/enable': deployKey,
  'DELETE /projects/:id/deploy_keys/:key_id': deployKey,
}
