import {
  type Examples,
  group,
  keep,
  project,
  unique,
  withBody,
  withPath,
} from '../../../../test/kit/examples.ts'

const groupRule = keep(async (world) => {
  const { id } = await world.newMemberedGroup()
  await world.as('owner').post(`/groups/${id}/protected_branches`, { name: 'main' })
  return { path: { id, name: 'main' } }
})

export const examples: Examples = {
  'GET /projects/:id/protected_branches': project,
  'GET /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'POST /projects/:id/protected_branches': withBody(project, { name: 'stable/*' }),
  'PATCH /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'DELETE /projects/:id/protected_branches/:name': withPath(project, () => ({ name: 'main' })),
  'GET /groups/:id/protected_branches': group,
  'GET /groups/:id/protected_branches/:name': groupRule,
  'POST /groups/:id/protected_branches': async (world) => ({
    ...(await group(world)),
    body: { name: unique() },
  }),
  'PATCH /groups/:id/protected_branches/:name': withBody(groupRule, { allow_force_push: true }),
  'DELETE /groups/:id/protected_branches/:name': groupRule,
}
