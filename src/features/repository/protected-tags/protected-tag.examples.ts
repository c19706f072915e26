import { type Examples, keep, project, unique, withBody } from '../../../../test/kit/examples.ts'

const protectedTag = keep(async (world) => {
  const { path } = await project(world)
  const name = unique()
  await world.as('admin').post(`/projects/${path.id}/protected_tags`, { name })
  return { path: { ...path, name } }
})

export const examples: Examples = {
  'GET /projects/:id/protected_tags': project,
  'GET /projects/:id/protected_tags/:name': protectedTag,
  'POST /projects/:id/protected_tags': withBody(project, () => ({ name: unique() })),
  'DELETE /projects/:id/protected_tags/:name': protectedTag,
}
