import { type Examples, keep, project, withBody, withPath } from '../../../../test/kit/examples.ts'

const schedule = keep(async (world) => {
  const { path } = await project(world)
  const body = { description: 'Nightly', ref: 'main', cron: '0 1 * * *' }
  const made = await world.as('developer').post(`/projects/${path.id}/pipeline_schedules`, body)
  const id: number = made.json().id
  const variable = { key: 'K', value: 'v' }
  const url = `/projects/${path.id}/pipeline_schedules/${id}/variables`
  await world.as('developer').post(url, variable)
  return { path: { ...path, pipeline_schedule_id: id } }
})
const variable = withPath(schedule, () => ({ key: 'K' }))
const url = '/projects/:id/pipeline_schedules'

/** The Developer owns the schedule. */
export const examples: Examples = {
  [`GET ${url}`]: project,
  [`GET ${url}/preview`]: withBody(project, { cron: '0 1 * * *' }),
  [`GET ${url}/:pipeline_schedule_id`]: schedule,
  [`GET ${url}/:pipeline_schedule_id/pipelines`]: schedule,
  [`POST ${url}`]: withBody(project, { description: 'd', ref: 'main', cron: '0 1 * * *' }),
  [`PUT ${url}/:pipeline_schedule_id`]: withBody(schedule, { active: false }),
  [`DELETE ${url}/:pipeline_schedule_id`]: schedule,
  [`POST ${url}/:pipeline_schedule_id/take_ownership`]: schedule,
  [`POST ${url}/:pipeline_schedule_id/play`]: schedule,
  [`POST ${url}/:pipeline_schedule_id/variables`]: withBody(schedule, { key: 'L', value: 'v' }),
  [`PUT ${url}/:pipeline_schedule_id/variables/:key`]: withBody(variable, { value: 'w' }),
  [`DELETE ${url}/:pipeline_schedule_id/variables/:key`]: variable,
}
