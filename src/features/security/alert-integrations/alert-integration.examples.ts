import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'

const url = '/projects/:id/alert_management/integrations'

const integration = keep(async (world) => {
  const { path } = await project(world)
  const made = await world
    .as('admin')
    .post(url.replace(':id', String(path.id)), { name: 'An integration' })
  return { path: { ...path, integration_id: made.json().id } }
})

export const examples: Examples = {
  [`GET ${url}`]: project,
  [`GET ${url}/:integration_id`]: integration,
  [`POST ${url}`]: withBody(project, { name: 'Another one' }),
  [`PUT ${url}/:integration_id`]: withBody(integration, { active: false }),
  [`DELETE ${url}/:integration_id`]: integration,
  [`POST ${url}/:integration_id/reset_token`]: integration,
  [`POST ${url}/:integration_id/test`]: withBody(integration, { payload: { title: 'A test' } }),
}
