import {
  type Examples,
  group,
  keep,
  nothing,
  project,
  withBody,
} from '../../../../test/kit/examples.ts'
import type { World } from '../../../../test/kit/world.ts'

async function makeRunner(world: World, project_id: number): Promise<number> {
  const body = { runner_type: 'project_type', project_id }
  return (await world.as('owner').post('/user/runners', body)).json().id
}

/** A runner that is assigned to two projects. */
const runner = keep(async (world) => {
  const { path } = await project(world)
  const runner_id = await makeRunner(world, Number(path.id))
  const other = await world.newProject()
  await world.as('owner').post(`/projects/${other.id}/runners`, { runner_id })
  return { path: { id: other.id, runner_id } }
})
const one = '/runners/:runner_id'
const token = { token: 'none' }

/** The runner is assigned to projects in which all roles are members. */
export const examples: Examples = {
  'POST /runners': withBody(nothing, token),
  'POST /runners/verify': withBody(nothing, token),
  'DELETE /runners': withBody(nothing, token),
  'DELETE /runners/managers': withBody(nothing, { ...token, system_id: 's' }),
  'POST /runners/reset_authentication_token': withBody(nothing, token),
  'POST /jobs/request': withBody(nothing, token),
  'GET /runners': nothing,
  'GET /runners/all': nothing,
  [`GET ${one}`]: runner,
  [`PUT ${one}`]: withBody(runner, { paused: false }),
  [`DELETE ${one}`]: runner,
  [`GET ${one}/jobs`]: runner,
  [`POST ${one}/reset_authentication_token`]: runner,
  'POST /runners/reset_registration_token': nothing,
  'POST /user/runners': async (world, who) =>
    withBody(nothing, {
      runner_type: 'project_type',
      project_id: (await project(world)).path.id,
    })(world, who),
  'GET /projects/:id/runners': project,
  'POST /projects/:id/runners': async (world, who) => {
    const made = await world.newProject()
    const runner_id = await makeRunner(world, made.id)
    return withBody(project, { runner_id })(world, who)
  },
  'DELETE /projects/:id/runners/:runner_id': runner,
  'POST /projects/:id/runners/reset_registration_token': project,
  'GET /groups/:id/runners': group,
  'POST /groups/:id/runners/reset_registration_token': group,
}
