import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'

const body = { url: 'https://mirror.example.com/a/b.git', enabled: true }

const mirror = keep(async (world) => {
  const { path } = await project(world)
  const made = await world.as('admin').post(`/projects/${path.id}/remote_mirrors`, body)
  return { path: { ...path, mirror_id: made.json().id } }
})

export const examples: Examples = {
  'GET /projects/:id/remote_mirrors': project,
  'GET /projects/:id/remote_mirrors/:mirror_id': mirror,
  'POST /projects/:id/remote_mirrors': withBody(project, body),
  'PUT /projects/:id/remote_mirrors/:mirror_id': withBody(mirror, { enabled: false }),
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': mirror,
  'DELETE /projects/:id/remote_mirrors/:mirror_id': mirror,
}
