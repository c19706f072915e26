import { newIntegration, notify } from '../../../../test/kit/alerts.ts'
import { type Examples, keep, project, withBody } from '../../../../test/kit/examples.ts'

const url = '/projects/:id/alert_management_alerts'
const settingsUrl = '/projects/:id/alert_management/settings'

/** A project with an alert. */
const alert = keep(async (world) => {
  const { id } = await world.newProject()
  const integration = await newIntegration(world, { project_id: id })
  const sent = await notify(world, integration, { title: 'An alert' })
  return { path: { id, alert_iid: sent.json()[0].iid } }
})

export const examples: Examples = {
  [`GET ${url}`]: project,
  [`GET ${url}/:alert_iid`]: alert,
  [`PUT ${url}/:alert_iid`]: withBody(alert, { status: 'acknowledged' }),
  [`POST ${url}/:alert_iid/issue`]: alert,
  [`GET ${settingsUrl}`]: project,
  [`PUT ${settingsUrl}`]: withBody(project, { create_issue: true }),
}
