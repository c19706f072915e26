import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'

const base = '/projects/:id/job_token_scope'
const listed = keep(async (world) => {
  const { path } = await project(world)
  const url = `/projects/${path.id}/job_token_scope`
  const target_project_id = (await world.newProject({ group: world.groups.open })).id
  const target_group_id = (await world.newGroup({ visibility: 'public' })).id
  await world.as('owner').post(`${url}/allowlist`, { target_project_id })
  await world.as('owner').post(`${url}/groups_allowlist`, { target_group_id })
  return { path: { ...path, target_project_id, target_group_id } }
})

export const examples: Examples = {
  [`GET ${base}`]: project,
  [`PATCH ${base}`]: withBody(project, { enabled: false }),
  [`GET ${base}/allowlist`]: project,
  [`POST ${base}/allowlist`]: async (world) => ({
    ...(await project(world)),
    body: { target_project_id: (await world.newProject({ group: world.groups.open })).id },
  }),
  [`DELETE ${base}/allowlist/:target_project_id`]: listed,
  [`GET ${base}/groups_allowlist`]: project,
  [`POST ${base}/groups_allowlist`]: async (world) => ({
    ...(await project(world)),
    body: { target_group_id: (await world.newGroup({ visibility: 'public' })).id },
  }),
  [`DELETE ${base}/groups_allowlist/:target_group_id`]: listed,
}
