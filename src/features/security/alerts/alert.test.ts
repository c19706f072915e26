import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  alertmanagerBody,
  alertOf,
  type Integration,
  newIntegration,
  notify,
} from '../../../../test/kit/alerts.ts'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { defaultAlertSettings, type ReceivedAlert } from './alert.ts'
import { parseAlert } from './parse-alert.ts'
import { recordAlertsBatched } from './record-alerts-batched.ts'

let world: World
let integration: Integration
beforeAll(async () => {
  world = await newWorld()
  ;({ integration } = await newPlace())
})

async function newPlace(body: Record<string, unknown> = {}, of: World = world) {
  const made = await of.newProject()
  const its = await newIntegration(of, { project_id: made.id, ...body })
  return { project: made, integration: its, url: `/projects/${made.id}/alert_management_alerts` }
}

const sha1 = (text: string) => hash('sha1', text)

/** The record of the only alert a payload makes. */
async function recordOf(payload: object, its = integration, of = world) {
  const answer = await notify(of, its, payload)
  expect(answer.statusCode).toBe(200)
  const [{ iid }] = answer.json()
  return alertOf(of, { project_id: its.project_id, iid })
}

const urlOf = (its: Integration) => `/projects/${its.project_id}/alert_management_alerts`

describe('An alert', () => {
  it('has what its payload says', async () => {
    const { project: mine, integration: its } = await newPlace()
    const environments = `/projects/${mine.id}/environments`
    const environment = await world.as('owner').post(environments, { name: 'production' })
    const payload = {
      title: 'Disk full',
      description: 'The disk of the database is full.',
      start_time: '2026-01-02T03:04:05+01:00',
      service: 'database',
      monitoring_tool: 'Nagios',
      hosts: ['one', 'two'],
      severity: 'High',
      fingerprint: 'disk-1',
      gitlab_environment_name: 'production',
      own: { deep: [1, null, { more: true }] },
    }
    const now = world.app.clock.now().toISOString()
    expect(await recordOf(payload, its)).toEqual({
      iid: 1,
      title: 'Disk full',
      description: 'The disk of the database is full.',
      status: 'triggered',
      severity: 'high',
      service: 'database',
      monitoring_tool: 'Nagios',
      hosts: ['one', 'two'],
      started_at: '2026-01-02T02:04:05.000Z',
      ended_at: null,
      events: 1,
      fingerprint: sha1('disk-1'),
      environment: { id: environment.json().id, name: 'production' },
      issue: null,
      assignees: [],
      created_at: now,
      updated_at: now,
      web_url: `http://bloomery.test/${mine.full_path}/-/alert_management/1/details`,
      payload,
    })
  })

  it('is not linked to an environment of another project', async () => {
    const other = await world.newProject()
    await world.as('owner').post(`/projects/${other.id}/environments`, { name: 'staging' })
    const payload = { title: 'Disk full', gitlab_environment_name: 'staging' }
    expect((await recordOf(payload)).environment).toBeNull()
  })

  it('has defaults for what is missing', async () => {
    const now = world.app.clock.now().toISOString()
    expect(await recordOf({})).toMatchObject({
      title: 'New: Alert',
      description: null,
      status: 'triggered',
      severity: 'critical',
      service: null,
      monitoring_tool: null,
      hosts: [],
      started_at: now,
      ended_at: null,
      environment: null,
      payload: {},
    })
  })

  it.each([
    ['critical', 'critical'],
    ['HIGH', 'high'],
    [' Medium ', 'medium'],
    ['low', 'low'],
    ['Info', 'info'],
    ['unknown', 'unknown'],
    ['warning', 'critical'],
    ['', 'critical'],
    [null, 'critical'],
    [3, 'critical'],
    [{ toString: 'low' }, 'critical'],
    ['constructor', 'critical'],
  ])('has of the severity %j %j', async (severity, expected) => {
    expect((await recordOf({ severity, fingerprint: JSON.stringify({ severity }) })).severity).toBe(
      expected,
    )
  })

  it.each([
    [{ title: '' }, { title: 'New: Alert' }],
    [{ title: '  ' }, { title: 'New: Alert' }],
    [{ title: 7 }, { title: '7' }],
    [{ title: false }, { title: 'false' }],
    [{ title: ['a'] }, { title: 'New: Alert' }],
    [{ title: 'a\u0000b\ud800' }, { title: 'ab\ufffd' }],
    [{ title: 'x'.repeat(200) }, { title: 'x'.repeat(200) }],
    [{ title: '😀'.repeat(201) }, { title: `${'😀'.repeat(197)}...` }],
    [{ description: 'x'.repeat(1001) }, { description: `${'x'.repeat(997)}...` }],
    [{ service: 'x'.repeat(101) }, { service: `${'x'.repeat(97)}...` }],
    [{ monitoring_tool: 'x'.repeat(101) }, { monitoring_tool: `${'x'.repeat(97)}...` }],
    [{ hosts: 'one' }, { hosts: ['one'] }],
    [{ hosts: ['one', ['two', [3]], {}, null] }, { hosts: ['one', 'two', '3'] }],
    [
      { hosts: ['a'.repeat(200), 'b'.repeat(200), 'c'] },
      { hosts: ['a'.repeat(200), 'b'.repeat(55)] },
    ],
    [{ hosts: { a: 1 } }, { hosts: [] }],
    [{ start_time: '2026-03-04 05:06:07' }, { started_at: '2026-03-04T05:06:07.000Z' }],
    [{ start_time: '2026-03-04' }, { started_at: '2026-03-04T00:00:00.000Z' }],
    [{ end_time: 'soon' }, { ended_at: null, status: 'triggered' }],
    [{ end_time: null }, { ended_at: null, status: 'triggered' }],
    [{ service_environment_name: 'nowhere' }, { environment: null }],
  ])('reads %j', async (payload, expected) => {
    const alone = { ...payload, fingerprint: JSON.stringify(payload) }
    expect(await recordOf(alone)).toMatchObject(expected)
  })

  it.each([
    'never',
    7,
    {},
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])('that started at %j started now', async (start_time) => {
    const now = world.app.clock.now().toISOString()
    const record = await recordOf({ start_time, fingerprint: `start ${start_time}` })
    expect(record.started_at).toBe(now)
  })

  it('keeps a payload with names that every object has', async () => {
    const { integration: its } = await newPlace()
    const text = '{"__proto__":{"title":"no"},"constructor":1,"title":"yes"}'
    const [{ iid }] = (await notify(world, its, text)).json()
    const record = await world.as('developer').get(`${urlOf(its)}/${iid}`)
    expect(record.body).toContain('"__proto__":{"title":"no"}')
    expect(record.json().title).toBe('yes')
  })
})

describe('Alerts of one fingerprint', () => {
  it('are one that is sent several times, while it is not resolved', async () => {
    const { integration: its, url } = await newPlace()
    const first = await recordOf({ title: 'One', fingerprint: 'f' }, its)
    for (const status of ['triggered', 'acknowledged', 'ignored']) {
      await world.as('developer').put(`${url}/1`, { status })
      const again = await recordOf({ title: 'Other', severity: 'low', fingerprint: 'f' }, its)
      const { events, updated_at, ...rest } = again
      const { events: before, updated_at: at, ...same } = first
      expect(rest).toEqual({ ...same, status })
    }
    expect((await alertOf(world, { project_id: its.project_id, iid: 1 })).events).toBe(4)
    await world.as('developer').put(`${url}/1`, { status: 'resolved' })
    expect((await recordOf({ title: 'Other', fingerprint: 'f' }, its)).iid).toBe(2)
    expect((await world.as('developer').get(url)).json()).toHaveLength(2)
  })

  it('may have it as a text, a number or a list of them', async () => {
    expect((await recordOf({ fingerprint: 7 })).fingerprint).toBe(sha1('7'))
    expect((await recordOf({ fingerprint: ['a', ['b', 1]] })).fingerprint).toBe(sha1('ab1'))
    const empty = await recordOf({ fingerprint: [], own: 'empty' })
    expect(empty.fingerprint).not.toBe(sha1(''))
  })

  it('are one when they are sent at the same time', async () => {
    const { integration: its, url } = await newPlace()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => notify(world, its, { title: 'x', fingerprint: 'same' })),
    )
    expect(answers.map((answer) => answer.json())).toEqual(
      Array.from({ length: 12 }, () => [{ iid: 1, title: 'x' }]),
    )
    const list = (await world.as('developer').get(url)).json()
    expect(list.map(({ events }: { events: number }) => events)).toEqual([12])
  })

  it('belong to their project alone', async () => {
    const [one, two] = [await newPlace(), await newPlace()]
    for (const { integration: its } of [one, two]) {
      expect((await recordOf({ fingerprint: 'f' }, its)).events).toBe(1)
    }
  })
})

describe('Alerts without a fingerprint', () => {
  it('are one where they say the same, whatever its order, its times and its hosts', async () => {
    const { integration: its } = await newPlace()
    const payload = { title: 'x', own: { a: [1, 2], b: null } }
    const first = await recordOf(payload, its)
    for (const same of [
      { own: { b: null, a: [1, 2] }, title: 'x' },
      { ...payload, start_time: '2026-01-01', hosts: ['other'] },
    ]) {
      expect((await recordOf(same, its)).iid).toBe(first.iid)
    }
    for (const other of [
      { ...payload, own: { a: [2, 1], b: null } },
      { ...payload, service: 's' },
    ]) {
      expect((await recordOf(other, its)).iid).not.toBe(first.iid)
    }
    const ended = await recordOf({ ...payload, end_time: '2026-01-02' }, its)
    expect(ended).toMatchObject({ iid: first.iid, status: 'resolved', events: 3 })
  })

  it('are each another one on the free tier', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const { integration: its } = await newPlace({}, free)
      const first = await recordOf({ title: 'x' }, its, free)
      expect(first.fingerprint).toBeNull()
      expect((await recordOf({ title: 'x' }, its, free)).iid).toBe(2)
      const known = await recordOf({ title: 'x', fingerprint: 'f' }, its, free)
      expect((await recordOf({ fingerprint: 'f' }, its, free)).iid).toBe(known.iid)
    } finally {
      await app.close()
    }
  })
})

describe('The end of an alert', () => {
  it('resolves the one that is open', async () => {
    const { integration: its } = await newPlace()
    await recordOf({ title: 'x', fingerprint: 'f' }, its)
    const over = { title: 'y', fingerprint: 'f', end_time: '2026-01-02T00:00:00Z' }
    expect(await recordOf(over, its)).toMatchObject({
      iid: 1,
      title: 'x',
      status: 'resolved',
      ended_at: '2026-01-02T00:00:00.000Z',
      events: 1,
    })
  })

  it('is recorded where nothing is open, once however often it is sent', async () => {
    const { integration: its, url } = await newPlace()
    const over = { fingerprint: 'f', start_time: '2026-01-01', end_time: '2026-01-02' }
    for (let at = 0; at < 2; at++) {
      expect(await recordOf(over, its)).toMatchObject({ iid: 1, status: 'resolved', events: 1 })
    }
    expect((await recordOf({ ...over, end_time: '2026-01-03' }, its)).iid).toBe(2)
    expect((await world.as('developer').get(url)).json()).toHaveLength(2)
    const other = await newPlace()
    expect((await notify(world, other.integration, over)).statusCode).toBe(200)
    expect((await world.as('developer').get(other.url)).json()).toHaveLength(1)
  })
})

describe('What Alertmanager sends', () => {
  const one = {
    status: 'firing',
    labels: { alertname: 'Down', severity: 'page', gitlab_environment_name: 'production' },
    annotations: { description: 'It is down.', runbook: 'https://runbook.test' },
    startsAt: '2026-01-01T00:00:00.123456789Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.test/graph?g0.expr=up%20%3D%3D%200&g0.tab=1',
  }

  it('is read alert by alert, by any integration', async () => {
    const { project: mine, integration: its } = await newPlace()
    await world.as('owner').post(`/projects/${mine.id}/environments`, { name: 'production' })
    const { project: another } = await newPlace()
    await world.as('owner').post(`/projects/${another.id}/environments`, { name: 'production' })
    const two = { ...one, annotations: { summary: 'S', title: 'T' }, labels: { severity: 'P4' } }
    const answer = await notify(world, its, alertmanagerBody([one, two, 'none', null] as object[]))
    expect(answer.json()).toEqual([
      { iid: 1, title: 'Down' },
      { iid: 2, title: 'T' },
    ])
    expect(await alertOf(world, { project_id: mine.id, iid: 1 })).toMatchObject({
      title: 'Down',
      description: 'It is down.',
      status: 'triggered',
      severity: 'high',
      service: null,
      monitoring_tool: 'Prometheus',
      hosts: [],
      started_at: '2026-01-01T00:00:00.123Z',
      ended_at: null,
      environment: { name: 'production' },
      fingerprint: sha1('2026-01-01T00:00:00.123456789Z/Down/up == 0'),
      payload: one,
    })
    expect((await alertOf(world, { project_id: mine.id, iid: 2 })).severity).toBe('low')
  })

  it.each([
    ['critical', 's1 p1 emergency fatal critical'],
    ['high', 's2 p2 major page high'],
    ['medium', 's3 p3 error alert medium'],
    ['low', 's4 p4 warn warning low'],
    ['info', 's5 p5 debug information notice INFO'],
    ['unknown', 'unknown'],
    ['critical', 'other'],
  ])('is %s where its label is one of: %s', async (severity, words) => {
    const { integration: its, url } = await newPlace()
    const alerts = words
      .split(' ')
      .map((word) => ({ labels: { alertname: word, severity: word }, startsAt: one.startsAt }))
    await notify(world, its, alertmanagerBody(alerts))
    const list = (await world.as('developer').get(url)).json()
    expect(list.map((each: { severity: string }) => each.severity)).toEqual(
      alerts.map(() => severity),
    )
  })

  it('is known by its labels where Alertmanager tells them', async () => {
    const { integration: its } = await newPlace()
    const alerts = [
      { ...one, fingerprint: 'aaaa' },
      { ...one, fingerprint: 'bbbb' },
    ]
    expect((await notify(world, its, alertmanagerBody(alerts))).json()).toHaveLength(2)
    const later = alerts.map((alert) => ({ ...alert, startsAt: '2026-02-01T00:00:00Z' }))
    expect((await notify(world, its, alertmanagerBody(later))).json()).toEqual([
      { iid: 1, title: 'Down' },
      { iid: 2, title: 'Down' },
    ])
    expect((await alertOf(world, { project_id: its.project_id, iid: 2 })).events).toBe(2)
  })

  it('resolves each at its own time, and begins those anew that fire again', async () => {
    const { integration: its, url } = await newPlace()
    const known = (fingerprint: string, more: object = {}) => ({ ...one, fingerprint, ...more })
    await notify(world, its, alertmanagerBody(['a', 'b', 'c'].map((name) => known(name))))
    const over = (day: string) => ({ status: 'resolved', endsAt: `2026-01-${day}T00:00:00Z` })
    const answer = await notify(
      world,
      its,
      alertmanagerBody([
        known('a', over('02')),
        known('b', over('03')),
        known('b'),
        known('c'),
        known('c'),
        known('d', over('04')),
      ]),
    )
    expect(answer.json().map(({ iid }: { iid: number }) => iid)).toEqual([1, 2, 3, 4, 5])
    const list = (await world.as('developer').get(`${url}?order_by=created_at&sort=asc`)).json()
    expect(
      list.map((each: Record<string, unknown>) => [each.status, each.ended_at, each.events]),
    ).toEqual([
      ['resolved', '2026-01-02T00:00:00.000Z', 1],
      ['resolved', '2026-01-03T00:00:00.000Z', 1],
      ['triggered', null, 3],
      ['resolved', '2026-01-04T00:00:00.000Z', 1],
      ['triggered', null, 1],
    ])
  })

  it('is its first hundred alerts, in as many statements as few', async () => {
    const { integration: its } = await newPlace()
    const many = (count: number, more: object = {}) =>
      alertmanagerBody(
        Array.from({ length: count }, (_, at) => ({ ...one, fingerprint: `f${at}`, ...more })),
      )
    const count = (body: object, to = its) =>
      world.app.count(async () => {
        expect((await notify(world, to, body)).statusCode).toBe(200)
      })
    const { integration: other } = await newPlace()
    const few = await count(many(2), other)
    expect(await count(many(120))).toEqual(few)
    expect((await notify(world, its, many(120))).json()).toHaveLength(100)
    const over = { status: 'resolved', endsAt: '2026-01-02T00:00:00Z' }
    expect(await count(many(100, over))).toEqual(await count(many(2, over), other))
  })
})

describe('GET /projects/:id/alert_management_alerts', () => {
  it('filters and sorts', async () => {
    const { integration: its, url } = await newPlace()
    const day = (at: number) => `2026-01-0${at}T00:00:00.000Z`
    await recordOf({ title: 'Apple', severity: 'low', start_time: day(3) }, its)
    await recordOf({ title: 'Pear', severity: 'high', start_time: day(1), service: 'Orchard' }, its)
    await recordOf({ title: 'Plum', severity: 'info', start_time: day(2), end_time: day(5) }, its)
    await recordOf({ title: 'Fig 100%', monitoring_tool: 'apple-watch', start_time: day(4) }, its)
    const developer = world.as('developer')
    await developer.put(`${url}/2`, { status: 'ignored', assignee_ids: [world.users.owner.id] })
    await notify(world, its, { title: 'Apple', severity: 'low' })
    const listed = async (query: string) => {
      const answer = await developer.get(`${url}?${query}`)
      expect(answer.statusCode).toBe(200)
      return answer.json().map(({ iid }: { iid: number }) => iid)
    }
    expect(await listed('')).toEqual([4, 1, 3, 2])
    expect(await listed('sort=asc')).toEqual([2, 3, 1, 4])
    expect(await listed('status=&severity=')).toEqual([4, 1, 3, 2])
    expect(await listed('status=triggered')).toEqual([4, 1])
    expect(await listed('status[]=resolved&status[]=ignored')).toEqual([3, 2])
    expect(await listed('severity=low,info')).toEqual([1, 3])
    expect(await listed('search=APPLE')).toEqual([4, 1])
    expect(await listed('search=orch')).toEqual([2])
    expect(await listed('search=0%25')).toEqual([4])
    expect(await listed('search=nothing')).toEqual([])
    expect(await listed(`assignee_username=${world.users.owner.username.toUpperCase()}`)).toEqual([
      2,
    ])
    expect(await listed('order_by=severity&sort=asc')).toEqual([4, 2, 1, 3])
    expect(await listed('order_by=status&sort=asc')).toEqual([1, 4, 3, 2])
    expect(await listed('order_by=events')).toEqual([1, 4, 3, 2])
    expect(await listed('order_by=ended_at')).toEqual([3, 4, 2, 1])
    expect(await listed('order_by=ended_at&sort=asc')).toEqual([3, 1, 2, 4])
    expect(await listed('order_by=updated_at')).toHaveLength(4)
    const page = await developer.get(`${url}?per_page=1&page=2&status=triggered`)
    expect(page.json()).toHaveLength(1)
    expect(page.headers).toMatchObject({ 'x-total': '2', 'x-next-page': '' })
  })

  it('has everything but the payload', async () => {
    const { integration: its, url } = await newPlace()
    const { payload: _, ...record } = await recordOf({ title: 'x' }, its)
    expect((await world.as('developer').get(url)).json()).toEqual([record])
  })

  it('takes as many queries for many as for few', async () => {
    const { integration: its, url } = await newPlace()
    const count = () => world.app.count(() => world.as('developer').get(url))
    const made = (name: string) => notify(world, its, { title: name })
    await made('a')
    await count()
    const few = await count()
    for (const name of ['b', 'c', 'd']) await made(name)
    expect(await count()).toEqual(few)
  })

  it.each([
    ['status=open', { error: 'status does not have a valid value' }],
    ['severity=worst', { error: 'severity does not have a valid value' }],
    ['order_by=title', { error: 'order_by does not have a valid value' }],
    ['sort=up', { error: 'sort does not have a valid value' }],
  ])('refuses %s', async (query, body) => {
    const answer = await world.as('developer').get(`${urlOf(integration)}?${query}`)
    expect([answer.statusCode, answer.json()]).toEqual([400, body])
  })
})

describe('PUT /projects/:id/alert_management_alerts/:alert_iid', () => {
  it('changes the status from any to any, and with it the end', async () => {
    const { integration: its, url } = await newPlace()
    await recordOf({ title: 'x' }, its)
    const now = world.app.clock.now().toISOString()
    const all = ['triggered', 'acknowledged', 'resolved', 'ignored']
    for (const from of all) {
      for (const status of all) {
        await world.as('developer').put(`${url}/1`, { status: from })
        const answer = await world.as('developer').put(`${url}/1`, { status })
        expect([answer.statusCode, answer.json().status, answer.json().ended_at]).toEqual([
          200,
          status,
          status === 'resolved' ? now : null,
        ])
      }
    }
  })

  it('opens none again while another one of its fingerprint is open', async () => {
    const { integration: its, url } = await newPlace()
    await recordOf({ fingerprint: 'f' }, its)
    await recordOf({ fingerprint: 'f', end_time: '2026-01-01' }, its)
    await recordOf({ fingerprint: 'f' }, its)
    const answer = await world.as('developer').put(`${url}/1`, { status: 'triggered' })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'Cannot have multiple unresolved alerts' },
    ])
    expect((await alertOf(world, { project_id: its.project_id, iid: 1 })).status).toBe('resolved')
  })

  it('assigns those who see alerts', async () => {
    const { project: mine, integration: its, url } = await newPlace()
    await recordOf({}, its)
    const { developer, maintainer, reporter } = world.users
    const { project: another } = await newPlace()
    const elsewhere = await world.newMemberedGroup()
    const [guest, stranger, member, outsider] = [
      (await world.newUser()).user,
      (await world.newUser()).user,
      (await world.newUser()).user,
      (await world.newUser()).user,
    ]
    await world
      .as('owner')
      .post(`/groups/${elsewhere.id}/members`, { user_id: outsider.id, access_level: 30 })
    for (const [{ id }, user_id, access_level] of [
      [mine, guest.id, 10],
      [another, stranger.id, 30],
      [mine, member.id, 30],
    ] as const) {
      await world.as('owner').post(`/projects/${id}/members`, { user_id, access_level })
    }
    const assign = async (ids: number[]) => {
      const answer = await world.as('developer').put(`${url}/1`, { assignee_ids: ids })
      return answer.json().assignees.map(({ id }: { id: number }) => id)
    }
    expect(await assign([maintainer.id, developer.id, reporter.id, maintainer.id])).toEqual([
      developer.id,
      maintainer.id,
    ])
    expect(await assign([reporter.id])).toEqual([developer.id, maintainer.id])
    expect(await assign([])).toEqual([])
    expect(await assign([guest.id, stranger.id, member.id, outsider.id])).toEqual([member.id])
  })

  it('changes neither the state nor the assignees of other alerts', async () => {
    const { integration: its, url } = await newPlace()
    for (const title of ['one', 'other']) await recordOf({ title }, its)
    const developer = world.as('developer')
    const { owner, maintainer } = world.users
    const other = await developer.put(`${url}/2`, { assignee_ids: [owner.id] })
    expect(other.json().assignees).toHaveLength(1)
    await developer.put(`${url}/1`, { status: 'resolved', assignee_ids: [maintainer.id] })
    expect((await developer.get(`${url}/2`)).json()).toEqual(other.json())
  })

  it('assigns one alone on the free tier', async () => {
    const app = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const free = await newWorld(app)
      const { integration: its, url } = await newPlace({}, free)
      await notify(free, its)
      const ids = [free.users.maintainer.id, free.users.developer.id]
      const answer = await free.as('developer').put(`${url}/1`, { assignee_ids: ids })
      expect(answer.json().assignees).toHaveLength(1)
    } finally {
      await app.close()
    }
  })

  it.each([
    [{}, { error: 'status, assignee_ids are missing, at least one parameter must be provided' }],
    [{ status: 'open' }, { error: 'status does not have a valid value' }],
    [{ assignee_ids: ['x'] }, { error: 'assignee_ids is invalid' }],
  ])('refuses %j', async (body, expected) => {
    await recordOf({})
    const answer = await world.as('developer').put(`${urlOf(integration)}/1`, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, expected])
  })
})

describe('Alerts are for Developers', () => {
  const cases = [
    ['anonymous', 401],
    ['outsider', 404],
    ['guest', 403],
    ['reporter', 403],
    ['developer', 200],
  ] as const satisfies [Who, number][]

  it.each(cases)('and answer a %s with %i', async (who, status) => {
    await recordOf({})
    const client = world.as(who)
    const url = urlOf(integration)
    expect((await client.get(url)).statusCode).toBe(status)
    expect((await client.get(`${url}/1`)).statusCode).toBe(status)
    expect((await client.put(`${url}/1`, { status: 'triggered' })).statusCode).toBe(status)
    const made = await client.post(`${url}/1/issue`)
    expect(made.statusCode).toBe(status === 200 ? 201 : status)
  })

  it('and do not change in an archived project', async () => {
    const { project: mine, integration: its, url } = await newPlace()
    await recordOf({}, its)
    await world.as('owner').post(`/projects/${mine.id}/archive`)
    const owner = world.as('owner')
    expect((await owner.get(`${url}/1`)).statusCode).toBe(200)
    expect((await owner.put(`${url}/1`, { status: 'resolved' })).statusCode).toBe(403)
    expect((await owner.post(`${url}/1/issue`)).statusCode).toBe(403)
  })

  it('and are not there beyond the last one, or in another project', async () => {
    const other = await newPlace()
    await recordOf({}, other.integration)
    const far = await recordOf({})
    for (const url of [`${urlOf(integration)}/99999`, `${other.url}/${far.iid + 1}`]) {
      for (const answer of [
        await world.as('developer').get(url),
        await world.as('developer').put(url, { status: 'resolved' }),
        await world.as('developer').post(`${url}/issue`),
      ]) {
        expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
      }
    }
  })
})

describe('Settings of alerts', () => {
  it('are for Maintainers, and what is not given stays', async () => {
    const { id } = await world.newProject()
    const url = `/projects/${id}/alert_management/settings`
    const usual = { create_issue: false, send_email: false, auto_close_incident: true }
    const maintainer = world.as('maintainer')
    expect((await maintainer.get(url)).json()).toEqual(usual)
    const changed = await maintainer.put(url, { create_issue: true })
    expect([changed.statusCode, changed.json()]).toEqual([200, { ...usual, create_issue: true }])
    await maintainer.put(url, { auto_close_incident: 'false' })
    const now = { create_issue: true, send_email: false, auto_close_incident: false }
    expect((await maintainer.get(url)).json()).toEqual(now)
    const { project: other } = await newPlace()
    const ofOther = `/projects/${other.id}/alert_management/settings`
    expect((await maintainer.get(ofOther)).json()).toEqual(usual)
    for (const [who, status] of [
      ['anonymous', 401],
      ['outsider', 404],
      ['developer', 403],
    ] as const) {
      expect((await world.as(who).get(url)).statusCode).toBe(status)
      expect((await world.as(who).put(url, { send_email: true })).statusCode).toBe(status)
    }
    const none = await maintainer.put(url, {})
    expect([none.statusCode, none.json()]).toEqual([
      400,
      {
        error:
          'create_issue, send_email, auto_close_incident are missing, at least one parameter must be provided',
      },
    ])
    expect((await maintainer.get(url)).json()).toEqual(now)
  })
})

describe('Alerts that come at the same time', () => {
  it('are recorded together, and each sender is told of its own', async () => {
    const { integration: its, url } = await newPlace()
    const send = (title: string, fingerprint = title) => notify(world, its, { title, fingerprint })
    await send('known')
    const { queries } = await world.app.count(() => send('alone'))
    const names = Array.from({ length: 20 }, (_, at) => `alert ${at}`)
    let answers: unknown[] = []
    const together = await world.app.count(async () => {
      const sent = await Promise.all([...names.map((name) => send(name)), send('again', 'known')])
      answers = sent.map((answer) => answer.json())
    })
    expect(answers).toEqual([
      ...names.map((title) => [{ iid: expect.any(Number), title }]),
      [{ iid: 1, title: 'known' }],
    ])
    expect(together.queries).toBeLessThan((queries * answers.length) / 2)
    const iids = (await world.as('developer').get(`${url}?per_page=100`)).json()
    expect(
      iids.map(({ iid }: { iid: number }) => iid).toSorted((a: number, b: number) => a - b),
    ).toEqual(Array.from({ length: 22 }, (_, at) => at + 1))
  })

  it('are recorded alone where one of them cannot be', async () => {
    const { project } = await newPlace()
    const { db, clock } = world.app
    const place = { project_id: project.id, settings: defaultAlertSettings }
    const reading = { mapping: {}, groupsByPayload: false, now: clock.now().toISOString() }
    const record = (sent: ReceivedAlert) =>
      recordAlertsBatched({ db, clock: clock.now }, place, [sent])
    const good = parseAlert({ title: 'good' }, reading)
    const settled = await Promise.allSettled([
      record(good),
      record({ ...good, title: null as never }),
      record({ ...good }),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const list = await world
      .as('developer')
      .get(`/projects/${project.id}/alert_management_alerts?sort=asc`)
    expect(list.json().map(({ iid }: { iid: number }) => iid)).toEqual([1, 2])
  })
})

it('alerts go with their project', async () => {
  const { project: mine, integration: its } = await newPlace()
  await recordOf({}, its)
  await world.as('owner').delete(`/projects/${mine.id}`)
  expect((await notify(world, its)).statusCode).toBe(404)
  await world.app.worker.drain()
  const left = await world.app.db
    .selectFrom('alerts')
    .select('id')
    .where('project_id', '=', mine.id)
    .execute()
  expect(left).toEqual([])
  expect((await notify(world, its)).statusCode).toBe(404)
})
