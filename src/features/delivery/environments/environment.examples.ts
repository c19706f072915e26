import { type Examples, keep, project, unique, withBody } from '../../../../test/kit/examples.ts'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'

const environment = keep(async (world) => {
  const { path } = await project(world)
  const url = `/projects/${path.id}/environments`
  const made = await world.as('developer').post(url, { name: unique() })
  return { path: { ...path, environment_id: made.json().id } }
})
const stopped = keep(async (world) => {
  const { path } = await environment(world)
  const url = `/projects/${path.id}/environments/${path.environment_id}/stop`
  await world.as('developer').post(url)
  return { path }
})
const deployment = keep(async (world) => {
  const made = await newCiProject(world, { ship: { script: 'true', environment: 'production' } })
  const pipeline = await newPipeline(world, made)
  const job = await jobOf(world, pipeline.id, 'ship')
  await tellJob(world, job, 'run')
  await tellJob(world, job, 'succeed')
  const [found] = (await world.as('owner').get(`/projects/${made.id}/deployments`)).json()
  return { path: { id: made.id, deployment_id: found.id } }
})
const blocked = keep(async (world) => {
  const made = await newCiProject(world, { ship: { script: 'true', environment: 'production' } })
  await world.as('owner').post(`/projects/${made.id}/protected_environments`, {
    name: 'production',
    deploy_access_levels: [{ access_level: 40 }],
    required_approval_count: 5,
  })
  await newPipeline(world, made)
  const [found] = (await world.as('owner').get(`/projects/${made.id}/deployments`)).json()
  return { path: { id: made.id, deployment_id: found.id } }
})
const one = '/projects/:id/environments/:environment_id'

export const examples: Examples = {
  'GET /projects/:id/environments': environment,
  [`GET ${one}`]: environment,
  'POST /projects/:id/environments': withBody(project, () => ({ name: unique() })),
  [`PUT ${one}`]: withBody(environment, { tier: 'staging' }),
  [`POST ${one}/stop`]: environment,
  [`DELETE ${one}`]: stopped,
  'GET /projects/:id/deployments': deployment,
  'GET /projects/:id/deployments/:deployment_id': deployment,
  'POST /projects/:id/deployments/:deployment_id/approval': withBody(blocked, {
    status: 'rejected',
  }),
}
