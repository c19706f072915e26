import { beforeAll, describe, expect, it } from 'vitest'
import {
  alertmanagerBody,
  alertOf,
  type Integration,
  newIntegration,
  notify,
} from '../../../../test/kit/alerts.ts'
import { startApp } from '../../../../test/kit/app.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
let project: Project
let integration: Integration
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject({ group: world.groups.open })
  integration = await newIntegration(world, { project_id: project.id })
})

const statusOf = async (answer: ReturnType<typeof notify>) => {
  const { statusCode, body } = await answer
  return [statusCode, body]
}

async function newPlace(body: Record<string, unknown> = {}) {
  const made = await world.newProject({ group: world.groups.open })
  return { project: made, its: await newIntegration(world, { project_id: made.id, ...body }) }
}

describe('Where alerts are sent', () => {
  it('is an address of the integration, with and without its ending, whatever the name in it', async () => {
    const { project: mine, its } = await newPlace({ name: 'The House, 2nd floor!' })
    expect(its.url).toMatch(
      new RegExp(
        `^http://bloomery\\.test/${mine.full_path}/alerts/notify/the-house-2nd-floor/[0-9a-f]{16}\\.json$`,
      ),
    )
    for (const url of [
      its.url,
      its.url.replace('.json', ''),
      its.url.replace('the-house-2nd-floor', 'other'),
      its.url.replace(mine.full_path, mine.full_path.toUpperCase()),
      `${its.url}?a=b`,
    ]) {
      const answer = await notify(world, { ...its, url }, { title: 'Up', fingerprint: 'one' })
      expect([answer.statusCode, answer.json()]).toEqual([200, [{ iid: 1, title: 'Up' }]])
    }
    expect((await alertOf(world, { project_id: mine.id, iid: 1 })).events).toBe(5)
  })

  it('is that of the first active integration without a name, where the address names none', async () => {
    const { project: mine, its } = await newPlace({ name: 'Named' })
    const url = `/${mine.full_path}/alerts/notify`
    expect(await statusOf(notify(world, { ...its, url }))).toEqual([403, ''])
    const first = await newIntegration(world, { project_id: mine.id })
    const second = await newIntegration(world, { project_id: mine.id })
    expect(await statusOf(notify(world, { ...second, url }))).toEqual([401, ''])
    for (const form of [url, `${url}.json`]) {
      expect((await notify(world, { ...first, url: form })).statusCode).toBe(200)
    }
    const place = `/projects/${mine.id}/alert_management/integrations/${first.id}`
    await world.as('maintainer').put(place, { active: false })
    expect((await notify(world, { ...second, url })).statusCode).toBe(200)
  })

  it('is an address of Prometheus, also in a project that is called so', async () => {
    const { project: mine, its } = await newPlace({ type: 'prometheus' })
    expect(its.url).toBe(`http://bloomery.test/${mine.full_path}/prometheus/alerts/notify.json`)
    const body = alertmanagerBody([
      { labels: { alertname: 'Down' }, startsAt: '2026-01-01T00:00:00Z' },
    ])
    for (const url of [its.url, its.url.replace('.json', '')]) {
      const answer = await notify(world, { ...its, url }, body)
      expect([answer.statusCode, answer.json()]).toEqual([200, [{ iid: 1, title: 'Down' }]])
    }
    const group = await world.newGroup({ parent: world.groups.shut })
    await world.as('admin').post('/projects', { path: 'prometheus', namespace_id: group.id })
    const made = await world.as('admin').get(`/groups/${group.id}/projects`)
    const [{ id, path_with_namespace }] = made.json()
    const named = await newIntegration(world, { project_id: id })
    const url = `/${path_with_namespace}/alerts/notify.json`
    expect((await notify(world, { ...named, url })).statusCode).toBe(200)
  })

  it('is found by a path the project had before', async () => {
    const { project: mine, its } = await newPlace()
    await world.as('owner').put(`/projects/${mine.id}`, { path: `${mine.path}-moved` })
    expect((await notify(world, its)).statusCode).toBe(200)
  })

  it.each([
    ['a project nobody has', (url: string) => url.replace('project-', 'projekt-')],
    ['a group', () => `/${world.groups.open.full_path}/sub/alerts/notify.json`],
    ['no project at all', () => '/alerts/notify.json'],
    ['bytes that are no text', () => '/a/%ff/alerts/notify.json'],
    ['NUL', () => '/a/b%00/alerts/notify.json'],
    ['an identifier with signs', (url: string) => url.replace('.json', '-x.json')],
  ])('is unknown for %s', async (_, change) => {
    const answer = await notify(world, { ...integration, url: change(integration.url) })
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: '404 Not Found' }])
  })

  it('takes nothing but POST', async () => {
    const url = integration.url.replace('http://bloomery.test', '')
    const headers = { host: 'bloomery.test', authorization: `Bearer ${integration.token}` }
    for (const method of ['GET', 'PUT'] as const) {
      const answer = await world.app.server.inject({ method, url, headers })
      expect(answer.statusCode).toBe(404)
    }
  })
})

describe('Who sends alerts', () => {
  const basic = (name: string, key: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${key}`).toString('base64')}`,
  })

  it('has the key, as a bearer or as the password of anybody', async () => {
    const { url, token } = integration
    for (const headers of [
      { authorization: `Bearer ${token}` },
      basic('', token),
      basic('anybody', token),
    ]) {
      expect((await notify(world, { url }, {}, headers)).statusCode).toBe(200)
    }
  })

  it('is refused without a body otherwise', async () => {
    const { url, token } = integration
    const other = await newIntegration(world, { project_id: project.id, name: 'Other' })
    const all: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${token}0` },
      { authorization: `Bearer ${other.token}` },
      { authorization: token },
      basic(token, ''),
      { 'private-token': world.token('owner') },
      { authorization: `Bearer ${world.token('owner')}` },
    ]
    for (const headers of all) {
      expect(await statusOf(notify(world, { url }, {}, headers))).toEqual([401, ''])
    }
  })

  it('has the new key alone, once it was renewed', async () => {
    const { project: mine, its } = await newPlace()
    const place = `/projects/${mine.id}/alert_management/integrations/${its.id}/reset_token`
    const renewed = (await world.as('maintainer').post(place)).json()
    expect(await statusOf(notify(world, its))).toEqual([401, ''])
    expect((await notify(world, { ...its, token: renewed.token })).statusCode).toBe(200)
  })

  it('is forbidden where there is no active integration, with its key or without', async () => {
    const { project: mine, its } = await newPlace({ active: false })
    const unknown = its.url.replace(/[0-9a-f]{16}/, '0123456789abcdef')
    const prometheus = `/${mine.full_path}/prometheus/alerts/notify.json`
    for (const url of [its.url, unknown, prometheus]) {
      expect(await statusOf(notify(world, { ...its, url }))).toEqual([403, ''])
      expect(await statusOf(notify(world, { url }))).toEqual([403, ''])
    }
  })

  it('learns of a private project by the identifier of an integration or by the key alone', async () => {
    const hidden = await world.newProject()
    const named = await newIntegration(world, { project_id: hidden.id, name: 'Named' })
    const nameless = await newIntegration(world, { project_id: hidden.id })
    const guessable = `/${hidden.full_path}/alerts/notify.json`
    const wrong = { authorization: 'Bearer wrong' }
    expect(await statusOf(notify(world, named, {}, wrong))).toEqual([401, ''])
    const unknown = named.url.replace(/[0-9a-f]{16}/, '0123456789abcdef')
    const absent = await statusOf(notify(world, { url: `/nobody${guessable}` }, {}, wrong))
    expect(absent[0]).toBe(404)
    for (const url of [guessable, unknown]) {
      expect(await statusOf(notify(world, { url }, {}, wrong))).toEqual(absent)
    }
    expect((await notify(world, { ...nameless, url: guessable })).statusCode).toBe(200)
  })

  it('is forbidden in an archived project', async () => {
    const { project: mine, its } = await newPlace()
    await world.as('owner').post(`/projects/${mine.id}/archive`)
    expect(await statusOf(notify(world, its))).toEqual([403, ''])
  })

  it('is counted by project, once they have the key, and told when to come again', async () => {
    const limits = '{"incident_management_notification":{"requests":2,"period_s":60}}'
    const app = await startApp({ BLOOMERY_RATE_LIMITS: limits })
    try {
      const small = await newWorld(app)
      const of = async () => {
        const { id } = await small.newProject({ group: world.groups.open })
        return newIntegration(small, { project_id: id })
      }
      const [one, two] = [await of(), await of()]
      for (let at = 0; at < 4; at++) await notify(small, { url: one.url })
      for (const status of [200, 200, 429]) {
        expect((await notify(small, one)).statusCode).toBe(status)
      }
      const refused = await notify(small, one)
      expect([refused.statusCode, refused.body]).toEqual([429, 'Retry later\n'])
      expect(refused.headers['ratelimit-name']).toBe('throttle_incident_management_notification')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await notify(small, two)).statusCode).toBe(200)
      app.clock.advance(60_000)
      expect((await notify(small, one)).statusCode).toBe(200)
      await small.as('admin').put('/application/settings', {
        throttle_incident_management_notification_enabled: true,
        throttle_incident_management_notification_requests_per_period: 3,
        throttle_incident_management_notification_period_in_seconds: 60,
      })
      app.clock.advance(60_000)
      for (const status of [200, 200, 200, 429]) {
        expect((await notify(small, one)).statusCode).toBe(status)
      }
    } finally {
      await app.close()
    }
  })
})

describe('What is sent', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`
  const sized = (bytes: number) => {
    const empty = JSON.stringify({ description: '' }).length
    return JSON.stringify({ description: 'x'.repeat(bytes - empty) })
  }
  const mebibyte = 1024 * 1024

  it('may be a megabyte and a hundred levels', async () => {
    const { project: mine, its } = await newPlace()
    expect((await notify(world, its, sized(mebibyte))).statusCode).toBe(200)
    expect((await notify(world, its, nested(100))).statusCode).toBe(200)
    expect((await alertOf(world, { project_id: mine.id, iid: 2 })).payload).toEqual(
      JSON.parse(nested(100)),
    )
  })

  it.each([
    ['more than a megabyte', () => sized(mebibyte + 1)],
    ['more than a hundred levels', () => nested(101)],
    ['a long text of too many levels', () => nested(20_000)],
    ['no JSON', () => '{"title":'],
    ['a list', () => '[]'],
    ['a text', () => '"x"'],
    [
      'too many values',
      () => JSON.stringify({ a: Array.from({ length: 6 }, () => Array(9000).fill(1)) }),
    ],
    ['too many members', () => JSON.stringify({ a: Array.from({ length: 10_001 }, () => 1) })],
  ])('may not be %s, and nothing is recorded then', async (_, body) => {
    const { project: mine, its } = await newPlace()
    expect(await statusOf(notify(world, its, body()))).toEqual([400, ''])
    const list = await world.as('developer').get(`/projects/${mine.id}/alert_management_alerts`)
    expect(list.json()).toEqual([])
  })

  it('is refused for its size or depth before its sender is', async () => {
    const { url } = integration
    expect(await statusOf(notify(world, { url }, sized(mebibyte + 1)))).toEqual([400, ''])
    expect(await statusOf(notify(world, { url }, nested(101)))).toEqual([400, ''])
    // What is long is read for who has the key alone.
    expect(await statusOf(notify(world, { url }, nested(20_000)))).toEqual([401, ''])
  })

  it('may be nothing', async () => {
    const answer = await notify(world, integration, '')
    expect([answer.statusCode, answer.json()[0].title]).toEqual([200, 'New: Alert'])
  })

  it('is one of Alertmanager where Prometheus sends it', async () => {
    const { its } = await newPlace({ type: 'prometheus' })
    for (const body of [{}, { title: 'x' }, alertmanagerBody([], { version: '5' })]) {
      expect(await statusOf(notify(world, its, body))).toEqual([422, ''])
    }
    const { receiver: _, ...rest } = alertmanagerBody([])
    expect(await statusOf(notify(world, its, rest))).toEqual([422, ''])
    expect(await statusOf(notify(world, its, alertmanagerBody([])))).toEqual([200, '[]'])
  })
})
