// Prometheus Alertmanager sends an alert and its end; its incident comes and goes with it.
import { expect, it } from 'vitest'
import { startAlertmanager } from '../kit/alertmanager.ts'
import { alertOf, newIntegration } from '../kit/alerts.ts'
import { newWorld } from '../kit/world.ts'

it('Alertmanager opens an alert with its incident, and closes both', {
  timeout: 180_000,
}, async () => {
  const world = await newWorld()
  const { app } = world
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const project = await world.newProject()
  const settings = `/projects/${project.id}/alert_management/settings`
  await world.as('maintainer').put(settings, { create_issue: true })
  const its = await newIntegration(world, { project_id: project.id, type: 'prometheus' })
  const url = its.url.replace('http://bloomery.test', origin)
  const alertmanager = await startAlertmanager({ url, token: its.token })

  const alert = {
    labels: { alertname: 'HostDown', severity: 'critical', instance: 'db-1' },
    annotations: { summary: 'db-1 is down', description: 'No answer for a minute.' },
    startsAt: new Date().toISOString(),
    generatorURL: 'http://prometheus.test/graph?g0.expr=up%20%3D%3D%200',
  }
  await alertmanager.post([alert])
  const list = `/projects/${project.id}/alert_management_alerts`
  await expect
    .poll(async () => (await world.as('developer').get(list)).json(), { timeout: 20_000 })
    .toMatchObject([
      {
        iid: 1,
        title: 'db-1 is down',
        description: 'No answer for a minute.',
        severity: 'critical',
        status: 'triggered',
        monitoring_tool: 'Prometheus',
        started_at: alert.startsAt,
        ended_at: null,
        events: 1,
      },
    ])
  await app.worker.drain()
  const issue = `/projects/${project.id}/issues/1`
  expect((await world.as('owner').get(issue)).json()).toMatchObject({
    title: 'db-1 is down',
    state: 'opened',
    issue_type: 'incident',
    author: { username: 'alert-bot' },
  })

  const endsAt = new Date().toISOString()
  await alertmanager.post([{ ...alert, endsAt }])
  const place = { project_id: project.id, iid: 1 }
  await expect
    .poll(async () => (await alertOf(world, place)).status, { timeout: 20_000 })
    .toBe('resolved')
  expect(await alertOf(world, place)).toMatchObject({ ended_at: endsAt, events: 1 })
  await app.worker.drain()
  expect((await world.as('owner').get(issue)).json().state).toBe('closed')
  expect((await world.as('developer').get(list)).json()).toHaveLength(1)
  // It took both for delivered: it says so of every notification that was answered well.
  await expect
    .poll(
      () => alertmanager.notifications().filter((line) => line.includes('Notify success')).length,
    )
    .toBe(2)
})
