import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Event = { action_name: string; target_type: string | null; target_title: string | null }
const names = (events: Event[]) => events.map(({ action_name }) => action_name)

async function newPlace() {
  const project = await world.newProject()
  const { user, client } = await world.newUser()
  const member = { user_id: user.id, access_level: 40 }
  await world.as('owner').post(`/projects/${project.id}/members`, member)
  return { project, user, client, url: `/projects/${project.id}` }
}

describe('Events', () => {
  it('tell what happened in a project in the words clients read', async () => {
    const { project, user, client, url } = await newPlace()
    const issue = (await client.post(`${url}/issues`, { title: 'An issue' })).json()
    const note = (await client.post(`${url}/issues/1/notes`, { body: 'Said' })).json()
    await client.put(`${url}/issues/1`, { state_event: 'close' })
    await client.put(`${url}/issues/1`, { state_event: 'reopen' })
    await client.post(`${url}/milestones`, { title: 'A milestone' })
    const list = (await client.get(`${url}/events`)).json()
    expect(names(list)).toEqual([
      'opened',
      'opened',
      'closed',
      'commented on',
      'opened',
      'joined',
      'created',
    ])
    const shared = {
      id: expect.any(Number),
      project_id: project.id,
      author_id: user.id,
      created_at: world.app.clock.now().toISOString(),
      author: expect.objectContaining({ id: user.id }),
      author_username: user.username,
      imported: false,
    }
    expect(list[4]).toEqual({
      ...shared,
      action_name: 'opened',
      target_id: issue.id,
      target_iid: 1,
      target_type: 'Issue',
      target_title: 'An issue',
    })
    expect(list[3]).toEqual({
      ...shared,
      action_name: 'commented on',
      target_id: note.id,
      target_iid: note.id,
      target_type: 'Note',
      target_title: 'An issue',
      note,
    })
    expect(list[0]).toMatchObject({ target_type: 'Milestone', target_title: 'A milestone' })
  })

  it('tell of pushes', async () => {
    const { project, url } = await newPlace()
    const first = await world.commit(project, { a: 'a' }, { message: 'First\n\nMore' })
    await world.app.worker.drain()
    const [event] = (await world.as('owner').get(`${url}/events?action=pushed`)).json()
    expect(event).toMatchObject({
      action_name: 'pushed new',
      target_id: null,
      target_type: null,
      target_title: null,
      push_data: {
        commit_count: 1,
        action: 'created',
        ref_type: 'branch',
        commit_from: null,
        commit_to: first,
        ref: 'main',
        commit_title: 'First',
        ref_count: null,
      },
    })
    const guests = await world.as('guest').get(`${url}/events?action=pushed`)
    expect(guests.json()).toEqual([])
  })

  it('are filtered by what was done, to what, and when', async () => {
    const { client, url } = await newPlace()
    await client.post(`${url}/issues`, { title: 'One' })
    await client.post(`${url}/issues/1/notes`, { body: 'Said' })
    const day = world.app.clock.now().toISOString().slice(0, 10)
    const list = async (query: string) => names((await client.get(`${url}/events?${query}`)).json())
    expect(await list('action=commented')).toEqual(['commented on'])
    expect(await list('target_type=issue')).toEqual(['opened'])
    expect(await list('target_type=note')).toEqual(['commented on'])
    expect(await list('target_type=project&sort=asc')).toEqual(['created'])
    expect((await list('sort=asc'))[0]).toBe('created')
    expect(await list(`before=${day}`)).toEqual([])
    expect(await list(`after=${day}`)).toEqual([])
    expect(await list('after=2000-01-01&before=2100-01-01&per_page=1')).toEqual(['commented on'])
    for (const [query, field] of [
      ['action=seen', 'action'],
      ['target_type=thing', 'target_type'],
      ['sort=up', 'sort'],
    ]) {
      const answer = await client.get(`${url}/events?${query}`)
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: `${field} does not have a valid value` },
      ])
    }
  })

  it('of users are their own, of a private profile nobody’s', async () => {
    const { user, client, url } = await newPlace()
    await client.post(`${url}/issues`, { title: 'One' })
    await world.as('owner').post(`${url}/issues`, { title: 'Two' })
    expect(names((await client.get('/events')).json())).toEqual(['opened', 'joined'])
    const all = (await client.get('/events?scope=all')).json()
    expect(all.map(({ target_title }: Event) => target_title)).toContain('Two')
    const of = (who: 'owner' | 'outsider' | 'anonymous', name = user.username) =>
      world.as(who).get(`/users/${name}/events`)
    expect((await of('owner')).json()).toHaveLength(2)
    expect((await of('outsider')).json()).toEqual([])
    expect([(await of('anonymous')).statusCode, (await of('anonymous')).json()]).toEqual([200, []])
    const unknown = await of('owner', 'nobody-there')
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { message: '404 User Not Found' }])
    expect((await world.as('anonymous').get('/events')).statusCode).toBe(401)
    await client.put('/user/preferences', {})
    await world.as('admin').put(`/users/${user.id}`, { private_profile: true })
    expect((await of('owner')).json()).toEqual([])
    expect((await client.get(`/users/${user.id}/events`)).json()).toHaveLength(2)
  })

  it('name their project where that is asked for', async () => {
    const { project, client, url } = await newPlace()
    await client.post(`${url}/issues`, { title: 'One' })
    const [event] = (await client.get(`${url}/events?with_project=true`)).json()
    expect(event.project).toMatchObject({
      id: project.id,
      path_with_namespace: project.full_path,
    })
    const bad = await client.get(`${url}/events?with_project=perhaps`)
    expect([bad.statusCode, bad.json()]).toEqual([400, { error: 'with_project is invalid' }])
  })

  it('of a project are for who sees it, and take as many queries whatever their number', async () => {
    const { client, url } = await newPlace()
    for (const title of ['a', 'b', 'c']) await client.post(`${url}/issues`, { title })
    for (const body of ['d', 'e']) await client.post(`${url}/issues/1/notes`, { body })
    expect((await world.as('outsider').get(`${url}/events`)).statusCode).toBe(404)
    expect((await world.as('anonymous').get(`${url}/events`)).statusCode).toBe(404)
    const ask = (size: number) =>
      world.app.count(() => client.get(`${url}/events?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })
})

describe('GET /users/:user_id/calendar', () => {
  const day = (days: number) =>
    new Date(world.app.clock.now().getTime() - days * 24 * 60 * 60 * 1000)
      .toISOString()
      .slice(0, 10)

  it('counts by day what the reader sees, as the list of events tells it', async () => {
    const { user, client, url } = await newPlace()
    for (const title of ['One', 'Two']) await client.post(`${url}/issues`, { title })
    const of = async (who: Who, name: string | number = user.username) =>
      (await world.as(who).get(`/users/${name}/calendar`)).json()
    const year = { from: day(370), to: day(0) }
    const seen = { ...year, days: [{ date: day(0), count: 3 }] }
    expect((await client.get(`/users/${user.id}/calendar`)).json()).toEqual(seen)
    for (const who of ['owner', 'guest', 'admin'] as const) expect(await of(who)).toEqual(seen)
    for (const who of ['outsider', 'anonymous'] as const)
      expect(await of(who, user.id)).toEqual({ ...year, days: [] })
    await client.post(`${url}/issues`, { title: 'Secret', confidential: true })
    expect((await of('guest')).days).toEqual([{ date: day(0), count: 3 }])
    expect((await of('reporter')).days).toEqual([{ date: day(0), count: 4 }])
  })

  it('tells a year, a day each, the latest first', async () => {
    const { user, client, url } = await newPlace()
    const { db } = world.app
    for (const title of ['a', 'b', 'c']) await client.post(`${url}/issues`, { title })
    const events = await db
      .selectFrom('events')
      .select('id')
      .where('author_id', '=', user.id)
      .orderBy('id')
      .execute()
    const times = [`${day(371)}T23:59:59.999Z`, `${day(370)}T00:00:00.000Z`, `${day(1)}T23:59:59Z`]
    for (const [at, created_at] of times.entries())
      await db
        .updateTable('events')
        .set({ created_at })
        .where('id', '=', events[at]?.id ?? 0)
        .execute()
    expect((await client.get(`/users/${user.id}/calendar`)).json().days).toEqual([
      { date: day(0), count: 1 },
      { date: day(1), count: 1 },
      { date: day(370), count: 1 },
    ])
  })

  it('counts so many events, and tells from which day on', async () => {
    const { project, user, client } = await newPlace()
    const { db } = world.app
    const rows = Array.from({ length: limits.counted_rows_max + 1 }, (_, at) => ({
      ...{ project_id: project.id, author_id: user.id, action: 'joined' as const },
      created_at: `${at < 5 ? day(2) : day(1)}T12:00:00.000Z`,
    }))
    while (rows.length > 0) await db.insertInto('events').values(rows.splice(0, 500)).execute()
    await db
      .deleteFrom('events')
      .where('author_id', '=', user.id)
      .where('created_at', '>=', `${day(0)}T00:00:00.000Z`)
      .execute()
    expect((await client.get(`/users/${user.id}/calendar`)).json()).toEqual({
      from: day(1),
      to: day(0),
      days: [{ date: day(1), count: limits.counted_rows_max - 4 }],
    })
  })

  it('of a private profile is empty, of nobody is not found', async () => {
    const { user, client } = await newPlace()
    await world.as('admin').put(`/users/${user.id}`, { private_profile: true })
    const asked = `/users/${user.id}/calendar`
    expect((await world.as('owner').get(asked)).json().days).toEqual([])
    expect((await world.as('admin').get(asked)).json().days).toHaveLength(1)
    expect((await client.get(asked)).json().days).toHaveLength(1)
    const unknown = await world.as('owner').get('/users/nobody-there/calendar')
    expect([unknown.statusCode, unknown.json()]).toEqual([404, { message: '404 User Not Found' }])
  })
})
