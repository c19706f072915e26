import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Place, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const told = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  answer.json(),
]
const events = {
  new_note: false,
  new_issue: false,
  reopen_issue: false,
  close_issue: false,
  reassign_issue: false,
  issue_due: false,
  new_merge_request: false,
  push_to_merge_request: false,
  reopen_merge_request: false,
  close_merge_request: false,
  reassign_merge_request: false,
  merge_merge_request: false,
  failed_pipeline: true,
  fixed_pipeline: true,
  success_pipeline: false,
  moved_project: false,
  merge_when_pipeline_succeeds: false,
  new_epic: false,
}

describe('/notification_settings', () => {
  const url = '/notification_settings'

  it('are of the caller, who may have them sent to an address of theirs', async () => {
    const { user, client } = await world.newUser()
    const first = { level: 'participating', notification_email: user.email }
    expect(told(await client.get(url))).toEqual([200, first])
    expect(told(await client.put(url, { level: 'watch' }))).toEqual([
      200,
      { ...first, level: 'watch' },
    ])
    const foreign = await client.put(url, { notification_email: 'other@x.test' })
    expect(told(foreign)).toEqual([
      400,
      { message: { notification_email: ['is not an email you own'] } },
    ])
    const email = `second-${user.username}@x.test`
    await world.as('admin').post(`/users/${user.id}/emails`, { email, skip_confirmation: true })
    const moved = await client.put(url, { notification_email: email })
    expect(moved.json()).toEqual({ level: 'watch', notification_email: email })
    expect((await client.put(url, {})).json()).toEqual(moved.json())
    expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
    expect((await world.as('anonymous').put(url, { level: 'watch' })).statusCode).toBe(401)
  })

  it('have events at the level custom', async () => {
    const { user, client } = await world.newUser()
    const body = { level: 'custom', new_note: true, close_issue: 'true' }
    const custom = { ...events, new_note: true, close_issue: true }
    expect(told(await client.put(url, body))).toEqual([
      200,
      { level: 'custom', events: custom, notification_email: user.email },
    ])
    await client.put(url, { level: 'mention', new_note: false })
    expect((await client.get(url)).json()).not.toHaveProperty('events')
    const again = (await client.put(url, { level: 'custom' })).json()
    expect(again.events).toEqual({ ...custom, new_note: false })
    expect(told(await client.put(url, { level: 'loud', new_note: 'maybe' }))).toEqual([
      400,
      { error: 'level does not have a valid value, new_note is invalid' },
    ])
  })
})

describe('GET /notification_settings/places', () => {
  const url = '/notification_settings/places'

  it('tells where the caller has a level of their own and still sees the place', async () => {
    const { client, user } = await world.newUser()
    expect(told(await client.get(url))).toEqual([200, []])
    const { open } = world.projects
    const group = await world.newGroup({ visibility: 'public' })
    const shut = await world.newProject()
    const member = { user_id: user.id, access_level: 20 }
    await world.as('owner').post(`/projects/${shut.id}/members`, member)
    await client.put(`/projects/${open.id}/notification_settings`, { level: 'watch' })
    await client.put(`/projects/${shut.id}/notification_settings`, { level: 'mention' })
    await client.put(`/groups/${group.id}/notification_settings`, {
      level: 'custom',
      new_note: true,
    })
    await client.put(`/projects/${world.projects.inside.id}/notification_settings`, {
      level: 'global',
    })
    const listed = await client.get(url)
    expect(listed.statusCode).toBe(200)
    expect(listed.headers['x-total']).toBe('3')
    expect(listed.json()).toHaveLength(3)
    expect(listed.json()).toEqual(
      expect.arrayContaining([
        {
          ...{ level: 'watch', kind: 'project', id: open.id },
          ...{ full_name: open.full_name, full_path: open.full_path },
        },
        {
          ...{ level: 'custom', events: { ...events, new_note: true } },
          ...{ kind: 'group', id: group.id },
          ...{ full_name: group.full_name, full_path: group.full_path },
        },
        expect.objectContaining({ level: 'mention', id: shut.id }),
      ]),
    )
    expect((await client.get(`${url}?per_page=1&page=2`)).json()).toHaveLength(1)
    await world.as('owner').delete(`/projects/${shut.id}/members/${user.id}`)
    expect((await client.get(url)).json()).toHaveLength(2)
    expect((await world.as('guest').get(url)).json()).toEqual([])
    expect((await world.as('anonymous').get(url)).statusCode).toBe(401)
  })
})

describe.each(['projects', 'groups'] as const)('/%s/:id/notification_settings', (kind) => {
  const urlOf = (place: Place) =>
    `/${kind}/${(kind === 'projects' ? world.projects : world.groups)[place].id}/notification_settings`

  it('are kept for each place and user', async () => {
    const { client, user } = await world.newUser()
    expect(told(await client.get(urlOf('open')))).toEqual([200, { level: 'global' }])
    const body = { level: 'custom', new_issue: true }
    expect(told(await client.put(urlOf('open'), body))).toEqual([
      200,
      { level: 'custom', events: { ...events, new_issue: true } },
    ])
    expect((await client.get(urlOf('open'))).json().level).toBe('custom')
    expect((await world.as('guest').get(urlOf('open'))).json()).toEqual({ level: 'global' })
    expect((await client.get(urlOf('inside'))).json()).toEqual({ level: 'global' })
    const everywhere = { level: 'participating', notification_email: user.email }
    expect((await client.get('/notification_settings')).json()).toEqual(everywhere)
  })

  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 401],
    ['outsider', 'shut', 404],
    ['outsider', 'open', 200],
  ] as const)('answer %s of the %s place with %i', async (who, place, status) => {
    expect((await world.as(who).get(urlOf(place))).statusCode).toBe(status)
    expect((await world.as(who).put(urlOf(place), { level: 'watch' })).statusCode).toBe(status)
  })
})
