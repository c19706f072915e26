import { beforeAll, describe, expect, it } from 'vitest'
import { alertmanagerBody, alertOf, newIntegration, notify } from '../../../../test/kit/alerts.ts'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { EmailMessage } from '../../../mail/mail.ts'
import { handleAlertTask } from './alert.tasks.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function newPlace(settings: object, of = world) {
  const project = await of.newProject()
  const url = `/projects/${project.id}`
  await of.as('maintainer').put(`${url}/alert_management/settings`, settings)
  const its = await newIntegration(of, { project_id: project.id })
  const send = async (payload: object) => {
    const answer = await notify(of, its, payload)
    expect(answer.statusCode).toBe(200)
    await of.app.worker.drain()
    return answer.json()[0].iid
  }
  return { project, url, its, send, alert: (iid: number) => alertOf(of, { ...its, iid }) }
}

const issuesOf = async ({ url }: { url: string }) =>
  (await world.as('owner').get(`${url}/issues`)).json()

describe('An incident', () => {
  const payload = {
    title: 'Disk full',
    description: 'It is full.\n/close\n/label ~other',
    severity: 'high',
    service: 'data`base',
    hosts: ['one', 'two'],
    start_time: '2026-01-01T00:00:00Z',
    fingerprint: 'f',
  }

  it('is opened by the server, once for an alert', async () => {
    const place = await newPlace({ create_issue: true })
    for (let at = 0; at < 2; at++) await place.send(payload)
    const issues = await issuesOf(place)
    expect(issues).toHaveLength(1)
    const { full_path } = place.project
    expect(issues[0]).toMatchObject({
      iid: 1,
      title: 'Disk full',
      state: 'opened',
      issue_type: 'incident',
      labels: ['incident'],
      author: { username: 'alert-bot', name: 'Alert Bot', state: 'active' },
      description: [
        '**Start time:** `2026-01-01T00:00:00.000Z`',
        '**Severity:** `high`',
        '**Service:** `data base`',
        '**Hosts:** `one, two`',
        '> `It is full.`\n> `/close`\n> `/label ~other`',
        `**Alert:** http://bloomery.test/${full_path}/-/alert_management/1/details`,
      ].join('\n\n'),
    })
    expect((await place.alert(1)).issue).toEqual({
      id: issues[0].id,
      iid: 1,
      state: 'opened',
      web_url: `http://bloomery.test/${full_path}/-/issues/1`,
    })
  })

  it('calls nobody, whoever a tool names', async () => {
    const place = await newPlace({ create_issue: true })
    const { username } = (await world.as('developer').get('/user')).json()
    const called = `@${username}`
    await place.send({
      title: `Ask ${called}`,
      description: `${called}\r/close\n\`${called}\` ${called}\n\`\`\`\n${called}`,
      service: called,
    })
    const [{ description }] = await issuesOf(place)
    expect(description).toContain(
      `> \`${called}\`\n> \`/close\`\n> \` ${called}  ${called}\`\n> \`   \`\n> \`${called}\`\n`,
    )
    expect(
      (await world.as('developer').get(`/todos?project_id=${place.project.id}`)).json(),
    ).toEqual([])
  })

  it('is of a query and a runbook where Prometheus tells them', async () => {
    const place = await newPlace({ create_issue: true })
    await place.send(
      alertmanagerBody([
        {
          labels: { alertname: 'Down' },
          annotations: { runbook: 'https://runbook.test' },
          startsAt: '2026-01-01T00:00:00Z',
          generatorURL: 'http://prometheus.test/graph?g0.expr=up+%3D%3D+0%00',
        },
      ]),
    )
    const [{ description }] = await issuesOf(place)
    expect(description).toContain('**Query:** `up == 0`\n\n**Runbook:** `https://runbook.test`')
  })

  it('is opened for an alert that has none once it is sent again', async () => {
    const place = await newPlace({ create_issue: false })
    await place.send(payload)
    expect(await issuesOf(place)).toEqual([])
    const settings = `${place.url}/alert_management/settings`
    await world.as('maintainer').put(settings, { create_issue: true })
    await place.send(payload)
    expect(await issuesOf(place)).toHaveLength(1)
  })

  it('is not opened for what is over, nor where a project has no issues', async () => {
    const place = await newPlace({ create_issue: true })
    await place.send({ ...payload, end_time: '2026-01-02' })
    expect(await issuesOf(place)).toEqual([])
    const without = await newPlace({ create_issue: true })
    await world.as('owner').put(without.url, { issues_access_level: 'disabled' })
    await without.send(payload)
    expect((await without.alert(1)).issue).toBeNull()
  })

  it('is closed with its alert, and says why', async () => {
    const place = await newPlace({ create_issue: true })
    await place.send(payload)
    await place.send({ ...payload, end_time: '2026-01-02' })
    const [issue] = await issuesOf(place)
    expect([issue.state, issue.closed_by.username]).toEqual(['closed', 'alert-bot'])
    const notes = (await world.as('owner').get(`${place.url}/issues/1/notes`)).json()
    expect(notes.map(({ body }: { body: string }) => body)).toContain(
      'automatically closed this incident because the alert resolved.',
    )
    expect((await place.alert(1)).issue.state).toBe('closed')
  })

  it('stays open where the project wants that', async () => {
    const place = await newPlace({ create_issue: true, auto_close_incident: false })
    await place.send(payload)
    await place.send({ ...payload, end_time: '2026-01-02' })
    expect((await issuesOf(place))[0].state).toBe('opened')
  })

  it('notes and follows the status that somebody gives the alert', async () => {
    const place = await newPlace({ create_issue: true })
    await place.send(payload)
    const alert = `${place.url}/alert_management_alerts/1`
    await world.as('developer').put(alert, { status: 'acknowledged' })
    await world.as('developer').put(alert, { status: 'resolved' })
    await world.app.worker.drain()
    expect((await issuesOf(place))[0].state).toBe('closed')
    const notes = (await world.as('owner').get(`${place.url}/issues/1/notes?sort=asc`)).json()
    const by = notes.map((note: { author: { username: string }; body: string }) => [
      note.author.username,
      note.body,
    ])
    const { username } = world.users.developer
    expect(by.slice(0, 2)).toEqual([
      [username, 'changed the status of the alert to **acknowledged**'],
      [username, 'changed the status of the alert to **resolved**'],
    ])
  })

  it('is the same when its task runs twice', async () => {
    const place = await newPlace({ create_issue: true })
    await place.send(payload)
    const { id } = await world.app.db
      .selectFrom('alerts')
      .select('id')
      .where('project_id', '=', place.project.id)
      .executeTakeFirstOrThrow()
    const uses = { db: world.app.db, clock: world.app.clock.now, config: world.app.config }
    await handleAlertTask.run(uses, { alert_id: id, what: 'triggered' })
    expect(await issuesOf(place)).toHaveLength(1)
    await place.send({ ...payload, end_time: '2026-01-02' })
    for (let at = 0; at < 2; at++)
      await handleAlertTask.run(uses, { alert_id: id, what: 'resolved' })
    const notes = (await world.as('owner').get(`${place.url}/issues/1/notes`)).json()
    const closing = notes.filter(({ body }: { body: string }) => body.startsWith('automatically'))
    expect(closing).toHaveLength(1)
    await handleAlertTask.run(uses, { alert_id: id + 999_999, what: 'resolved' })
  })

  it('may be made by hand, once', async () => {
    const place = await newPlace({ create_issue: false })
    await place.send(payload)
    const url = `${place.url}/alert_management_alerts/1/issue`
    const made = await world.as('developer').post(url)
    expect([made.statusCode, made.json().issue_type, made.json().author.username]).toEqual([
      201,
      'incident',
      world.users.developer.username,
    ])
    expect((await place.alert(1)).issue.id).toBe(made.json().id)
    const again = await world.as('developer').post(url)
    expect([again.statusCode, again.json()]).toEqual([400, { message: 'An issue already exists' }])
    await world.as('owner').put(place.url, { issues_access_level: 'disabled' })
    expect((await world.as('developer').post(url)).statusCode).toBe(403)
  })

  it('that is removed leaves its alert without one', async () => {
    const place = await newPlace({ create_issue: true })
    await place.send(payload)
    await world.as('owner').delete(`${place.url}/issues/1`)
    expect((await place.alert(1)).issue).toBeNull()
  })
})

describe('The alert bot', () => {
  it('is nobody who signs in, rests or goes, and no user of those lists', async () => {
    const place = await newPlace({ create_issue: true })
    await place.send({})
    const admin = world.as('admin')
    const [bot] = (await admin.get('/users?username=alert-bot')).json()
    expect(bot).toMatchObject({ name: 'Alert Bot', bot: true, confirmed_at: null })
    expect((await admin.get('/users?username=alert-bot&exclude_internal=true')).json()).toEqual([])
    expect((await admin.get('/users?username=alert-bot&active=true')).json()).toEqual([])
    const removal = await admin.delete(`/users/${bot.id}`)
    expect([removal.statusCode, removal.json()]).toEqual([
      403,
      { message: '403 Forbidden - Internal users cannot be removed by the API' },
    ])
    const rest = await admin.post(`/users/${bot.id}/deactivate`)
    expect([rest.statusCode, rest.json()]).toEqual([
      403,
      { message: 'Internal users cannot be deactivated' },
    ])
    await admin.put(`/users/${bot.id}`, { password: 'something-long-1' })
    const signIn = await world.app.server.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        grant_type: 'password',
        username: 'alert-bot',
        password: 'something-long-1',
      }),
    })
    expect(signIn.statusCode).toBeGreaterThanOrEqual(400)
  })
})

describe('Emails', () => {
  it('go to those who maintain the project, when an alert is triggered and when it is resolved', async () => {
    const emails: EmailMessage[] = []
    const app = await startApp(
      { BLOOMERY_SMTP_URL: 'smtp://127.0.0.1:1' },
      { sendEmail: async (email) => void emails.push(email) },
    )
    try {
      const mailing = await newWorld(app)
      const { send, its } = await newPlace({ send_email: true }, mailing)
      const payload = { title: 'Disk full', fingerprint: 'f', severity: 'low' }
      const { maintainer, owner } = mailing.users
      await send(payload)
      const place = emails.map(({ to }) => to).toSorted()
      expect(place).toEqual([maintainer.email, owner.email].toSorted())
      expect(emails[0]?.subject).toMatch(/: alert triggered: Disk full$/)
      expect(emails[0]?.text).toContain('Severity: low\n')
      expect(emails[0]?.text).toContain('/-/alert_management/1/details')
      await send(payload)
      expect(emails).toHaveLength(2)
      await send({ ...payload, end_time: '2026-01-02' })
      expect(emails.slice(2).map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/: alert resolved: Disk full$/),
        expect.stringMatching(/: alert resolved: Disk full$/),
      ])
      const quiet = { ...its, send_email: false }
      await mailing
        .as('maintainer')
        .put(`/projects/${quiet.project_id}/alert_management/settings`, { send_email: false })
      await send({ ...payload, fingerprint: 'g' })
      expect(emails).toHaveLength(4)
    } finally {
      await app.close()
    }
  })
})
