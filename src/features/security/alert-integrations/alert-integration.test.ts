import { beforeAll, describe, expect, it } from 'vitest'
import { alertmanagerBody, alertOf, newIntegration, notify } from '../../../../test/kit/alerts.ts'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function newPlace(of: World = world) {
  const project = await of.newProject()
  return { project, url: `/projects/${project.id}/alert_management/integrations` }
}

const hex = (characters: number) => expect.stringMatching(new RegExp(`^[0-9a-f]{${characters}}$`))

describe('Integrations are for Maintainers', () => {
  it.each([
    ['anonymous', 401],
    ['outsider', 404],
    ['guest', 403],
    ['reporter', 403],
    ['developer', 403],
  ] as const satisfies [Who, number][])('and answer a %s with %i', async (who, status) => {
    const { project, url } = await newPlace()
    const { id } = await newIntegration(world, { project_id: project.id })
    const client = world.as(who)
    for (const answer of [
      await client.get(url),
      await client.get(`${url}/${id}`),
      await client.post(url, {}),
      await client.put(`${url}/${id}`, { active: false }),
      await client.post(`${url}/${id}/reset_token`),
      await client.delete(`${url}/${id}`),
    ]) {
      expect(answer.statusCode).toBe(status)
      expect(answer.body).not.toContain('token')
    }
  })

  it('and are not there in another project', async () => {
    const [one, other] = [await newPlace(), await newPlace()]
    const { id } = await newIntegration(world, { project_id: other.project.id })
    const maintainer = world.as('maintainer')
    const url = `${one.url}/${id}`
    for (const answer of [
      await maintainer.get(url),
      await maintainer.put(url, { active: false }),
      await maintainer.post(`${url}/reset_token`),
      await maintainer.post(`${url}/test`),
      await maintainer.delete(url),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
    }
  })

  it('and do not change in an archived project', async () => {
    const { project, url } = await newPlace()
    const { id } = await newIntegration(world, { project_id: project.id })
    await world.as('owner').post(`/projects/${project.id}/archive`)
    const maintainer = world.as('maintainer')
    expect((await maintainer.get(`${url}/${id}`)).statusCode).toBe(200)
    for (const answer of [
      await maintainer.post(url, {}),
      await maintainer.put(`${url}/${id}`, { active: false }),
      await maintainer.post(`${url}/${id}/test`),
      await maintainer.delete(`${url}/${id}`),
    ]) {
      expect(answer.statusCode).toBe(403)
    }
  })
})

describe('An integration', () => {
  it('is added, listed, changed and removed', async () => {
    const { project, url } = await newPlace()
    const maintainer = world.as('maintainer')
    const made = await maintainer.post(url, { name: ' Nagios ' })
    const record = {
      id: expect.any(Number),
      name: 'Nagios',
      type: 'http',
      active: true,
      url: expect.stringMatching(
        new RegExp(`^http://bloomery.test/${project.full_path}/alerts/notify/nagios/\\w{16}.json$`),
      ),
      token: hex(32),
      payload_example: null,
      payload_attribute_mappings: [],
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    const { id } = made.json()
    const other = (await maintainer.post(url, { name: 'Other' })).json()
    expect((await maintainer.get(`${url}/${id}`)).json()).toEqual(made.json())
    expect((await maintainer.get(url)).json()).toEqual([made.json(), other])
    const changed = await maintainer.put(`${url}/${id}`, { name: '', active: false })
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      {
        ...made.json(),
        name: null,
        active: false,
        url: made.json().url.replace('nagios', 'http-endpoint'),
      },
    ])
    const gone = await maintainer.delete(`${url}/${id}`)
    expect([gone.statusCode, gone.body]).toEqual([204, ''])
    expect((await maintainer.get(url)).json()).toEqual([other])
  })

  it('has another key after a reset, and the same address', async () => {
    const { project, url } = await newPlace()
    const its = await newIntegration(world, { project_id: project.id })
    const answer = await world.as('maintainer').post(`${url}/${its.id}/reset_token`)
    const { project_id: _, ...before } = its
    expect([answer.statusCode, answer.json()]).toEqual([201, { ...before, token: hex(32) }])
    expect(answer.json().token).not.toBe(its.token)
  })

  it('has a key that is nowhere as it is', async () => {
    const { project } = await newPlace()
    const { id, token } = await newIntegration(world, { project_id: project.id })
    const row = await world.app.db
      .selectFrom('alert_integrations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token)
    expect(JSON.stringify(world.app.log)).not.toContain(token)
    const events = await world.app.db.selectFrom('audit_events').selectAll().execute()
    expect(JSON.stringify(events)).not.toContain(token)
  })

  it('is one of Prometheus at the most', async () => {
    const { url } = await newPlace()
    const maintainer = world.as('maintainer')
    const made = await maintainer.post(url, { type: 'prometheus' })
    expect([made.statusCode, made.json().name, made.json().type]).toEqual([201, null, 'prometheus'])
    const answers = await Promise.all([
      maintainer.post(url, { type: 'prometheus' }),
      maintainer.post(url, { type: 'prometheus' }),
    ])
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { message: 'Multiple Prometheus integrations are not supported for this project' },
      ])
    }
    expect((await maintainer.post(url, {})).statusCode).toBe(201)
    const other = await newPlace()
    expect((await maintainer.post(other.url, { type: 'prometheus' })).statusCode).toBe(201)
  })

  it('is one of a hundred at the most', async () => {
    const [{ url }, other] = [await newPlace(), await newPlace()]
    const maintainer = world.as('maintainer')
    for (let at = 0; at < 100; at++) {
      expect((await maintainer.post(url, {})).statusCode).toBe(201)
    }
    const answer = await maintainer.post(url, {})
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'Maximum number of alert integrations (100) exceeded' },
    ])
    const added = await maintainer.post(other.url, {})
    expect([added.statusCode, (await maintainer.get(other.url)).json()]).toEqual([
      201,
      [expect.objectContaining({ id: added.json().id })],
    ])
    expect((await maintainer.post(url, { type: 'prometheus' })).statusCode).toBe(201)
    const page = await maintainer.get(`${url}?per_page=30&page=4`)
    expect(page.json()).toHaveLength(11)
    expect(page.headers['x-total']).toBe('101')
  })

  it.each([
    [{ type: 'pagerduty' }, { error: 'type does not have a valid value' }],
    [{ active: 'maybe' }, { error: 'active is invalid' }],
    [{ name: 'x'.repeat(256) }, { message: { name: ['is too long (maximum is 255 characters)'] } }],
    [{ payload_example: '{' }, { message: { payload_example: ['must be a valid json object'] } }],
    [{ payload_example: [1] }, { message: { payload_example: ['must be a valid json object'] } }],
    [
      { payload_attribute_mappings: [{ field_name: 'colour', path: ['a'] }] },
      { message: { payload_attribute_mappings: ['has an unknown field'] } },
    ],
    [
      {
        payload_attribute_mappings: [
          { field_name: 'title', path: ['a'] },
          { field_name: 'TITLE', path: ['b'] },
        ],
      },
      { message: { payload_attribute_mappings: ['has a field twice'] } },
    ],
    [
      { payload_attribute_mappings: [{ field_name: 'title', path: Array(101).fill('a') }] },
      { message: { payload_attribute_mappings: ['has a path or label that is too long'] } },
    ],
    [
      { payload_attribute_mappings: [{ field_name: 'title', path: [] }] },
      { error: 'payload_attribute_mappings[0][path] is empty' },
    ],
    [
      { payload_attribute_mappings: [{ path: ['a'], type: 'COLOUR' }] },
      {
        error:
          'payload_attribute_mappings[0][field_name] is missing, payload_attribute_mappings[0][type] does not have a valid value',
      },
    ],
  ])('is not made of %j', async (body, expected) => {
    const { url } = await newPlace()
    const answer = await world.as('maintainer').post(url, body)
    expect([answer.statusCode, answer.json()]).toEqual([400, expected])
    expect((await world.as('maintainer').get(url)).json()).toEqual([])
  })
})

describe('A mapping', () => {
  const mappings = [
    { field_name: 'TITLE', path: ['event', 'name'], type: 'STRING', label: 'Name' },
    { field_name: 'description', path: ['event', 'lines', '1'] },
    { field_name: 'severity', path: ['event', 'level'] },
    { field_name: 'hosts', path: ['nodes'], type: 'ARRAY' },
    { field_name: 'end_time', path: ['event', 'closed'], type: 'DATETIME' },
    { field_name: 'GITLAB_ENVIRONMENT_NAME', path: ['stage'] },
  ]
  const example = { event: { name: 'n' } }

  it('says where fields are, and that alone', async () => {
    const { project } = await newPlace()
    const its = await newIntegration(world, {
      project_id: project.id,
      payload_example: JSON.stringify(example),
      payload_attribute_mappings: mappings,
    })
    const shown = await world
      .as('maintainer')
      .get(`/projects/${project.id}/alert_management/integrations/${its.id}`)
    expect(shown.json()).toMatchObject({
      payload_example: example,
      payload_attribute_mappings: [
        { ...mappings[0], field_name: 'title' },
        { ...mappings[1], type: 'STRING', label: null },
        { ...mappings[2], type: 'STRING', label: null },
        { ...mappings[3], label: null },
        { ...mappings[4], label: null },
        { field_name: 'service_environment_name', path: ['stage'], type: 'STRING', label: null },
      ],
    })
    await world.as('owner').post(`/projects/${project.id}/environments`, { name: 'staging' })
    const event = { name: 'Bellows', lines: ['one', 'two'], level: 'low' }
    const payload = { event, nodes: ['a'], stage: 'staging', title: 'Not this', hosts: ['b'] }
    await notify(world, its, payload)
    expect(await alertOf(world, { project_id: project.id, iid: 1 })).toMatchObject({
      title: 'Bellows',
      description: 'two',
      severity: 'low',
      hosts: ['a'],
      environment: { name: 'staging' },
      status: 'triggered',
    })
    // Where hosts and the end are by the mapping, nothing there tells alerts apart.
    const grouped = await notify(world, its, { ...payload, nodes: ['c'] })
    expect(grouped.json()).toEqual([{ iid: 1, title: 'Bellows' }])
    const named = await notify(world, its, { ...payload, end_time: '2026-01-01' })
    expect(named.json()).toEqual([{ iid: 2, title: 'Bellows' }])
    const over = { ...payload, event: { ...event, closed: '2026-01-02' } }
    expect((await notify(world, its, over)).json()).toEqual([{ iid: 1, title: 'Bellows' }])
    expect(await alertOf(world, { project_id: project.id, iid: 1 })).toMatchObject({
      status: 'resolved',
      ended_at: '2026-01-02T00:00:00.000Z',
      events: 2,
    })
  })

  it('leads nowhere by names that every object has', async () => {
    const { project } = await newPlace()
    const its = await newIntegration(world, {
      project_id: project.id,
      payload_attribute_mappings: [{ field_name: 'title', path: ['constructor', 'name'] }],
    })
    expect((await notify(world, its, { a: 1 })).json()[0].title).toBe('New: Alert')
  })

  it('stays when something else changes, and goes when an empty one is given', async () => {
    const { project, url } = await newPlace()
    const given = {
      payload_example: example,
      payload_attribute_mappings: [{ ...mappings[0], field_name: 'title' }],
    }
    const its = await newIntegration(world, { project_id: project.id, ...given })
    const change = async (body: object) =>
      (await world.as('maintainer').put(`${url}/${its.id}`, body)).json()
    expect(await change({ name: 'x' })).toMatchObject({ name: 'x', ...given })
    expect(await change({ payload_example: null, payload_attribute_mappings: [] })).toMatchObject({
      payload_example: null,
      payload_attribute_mappings: [],
    })
  })
})

describe('POST /projects/:id/alert_management/integrations/:integration_id/test', () => {
  it('sends an alert for Developers', async () => {
    const { project, url } = await newPlace()
    const { id } = await newIntegration(world, { project_id: project.id })
    const place = `${url}/${id}/test`
    for (const [who, status] of [
      ['anonymous', 401],
      ['outsider', 404],
      ['reporter', 403],
    ] as const) {
      expect((await world.as(who).post(place)).statusCode).toBe(status)
    }
    const usual = await world.as('developer').post(place)
    expect([usual.statusCode, usual.json()]).toEqual([200, [{ iid: 1, title: 'Test alert' }]])
    const own = await world.as('developer').post(place, { payload: { title: 'Own' } })
    expect(own.json()).toEqual([{ iid: 2, title: 'Own' }])
    const body = alertmanagerBody([{ labels: { alertname: 'Down' } }])
    const prometheus = await world.as('developer').post(place, { payload: body })
    expect(prometheus.json()).toEqual([{ iid: 3, title: 'Down' }])
    const wrong = await world.as('developer').post(place, { payload: [1] })
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'payload is invalid' }])
  })
})

it('on the free tier there is one of HTTP, beside that of Prometheus, without a mapping', async () => {
  const app = await startApp({ BLOOMERY_TIER: 'free' })
  try {
    const free = await newWorld(app)
    const { project, url } = await newPlace(free)
    const maintainer = free.as('maintainer')
    const mapping = [{ field_name: 'title', path: ['other'] }]
    const made = await maintainer.post(url, { payload_attribute_mappings: mapping })
    expect([made.statusCode, Object.keys(made.json())]).toEqual([
      201,
      ['id', 'name', 'type', 'active', 'url', 'token'],
    ])
    const sent = await notify(free, made.json(), { title: 'This', other: 'Not this' })
    expect(sent.json()).toEqual([{ iid: 1, title: 'This' }])
    const answers = await Promise.all([maintainer.post(url, {}), maintainer.post(url, {})])
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { message: 'Multiple HTTP integrations are not supported for this project' },
      ])
    }
    expect((await maintainer.post(url, { type: 'prometheus' })).statusCode).toBe(201)
    expect(project.id).toBeGreaterThan(0)
  } finally {
    await app.close()
  }
})
