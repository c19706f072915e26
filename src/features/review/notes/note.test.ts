import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { longestStallShare } from '../../../../test/kit/stall.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

type Answered = { statusCode: number; body: string; json: () => unknown }
const told = async (answer: Promise<Answered>) => {
  const { statusCode, body, json } = await answer
  return [statusCode, body === '' ? '' : json()]
}
const bodies = (notes: { body: string }[]) => notes.map(({ body }) => body)

/** An issue, or a merge request, of a private project unless said otherwise. */
async function newThing(kind: 'Issue' | 'MergeRequest', place: 'shut' | 'open' = 'shut') {
  const group = world.groups[place]
  if (kind === 'Issue') {
    const project = await world.newProject({ group })
    const issues = `/projects/${project.id}/issues`
    const thing = (await world.as('reporter').post(issues, { title: 'A thing' })).json()
    return { project, thing, url: `${issues}/1` }
  }
  const { project, url } = await newBranches(world, { options: { group } })
  const thing = await newRequest(world, { url }, { title: 'A thing' })
  return { project, thing, url: `${url}/1` }
}

describe.each(['Issue', 'MergeRequest'] as const)('Notes on %s', (kind) => {
  it('are written, shown, changed and removed', async () => {
    const { project, thing, url } = await newThing(kind)
    const client = world.as('reporter')
    const body = ' Two\r\n  lines <b>\n'
    const made = await client.post(`${url}/notes`, { body })
    const now = world.app.clock.now().toISOString()
    const record = {
      id: made.json().id,
      type: null,
      body,
      attachment: null,
      author: made.json().author,
      created_at: now,
      updated_at: now,
      system: false,
      noteable_id: thing.id,
      noteable_type: kind,
      project_id: project.id,
      resolvable: false,
      confidential: false,
      internal: false,
      noteable_iid: 1,
      commands_changes: {},
    }
    expect([made.statusCode, made.json()]).toEqual([201, record])
    expect(record.author.username).toBe(world.users.reporter.username)
    const one = `${url}/notes/${record.id}`
    expect(await told(world.as('developer').get(one))).toEqual([200, record])
    expect((await client.get(url)).json().user_notes_count).toBe(1)
    expect(await told(client.put(one, { body: 'New' }))).toEqual([200, { ...record, body: 'New' }])
    expect((await world.as('maintainer').put(one, { body: 'Newer' })).statusCode).toBe(200)
    expect(await told(world.as('developer').put(one, { body: 'x' }))).toEqual([
      403,
      { message: '403 Forbidden' },
    ])
    expect((await world.as('developer').delete(one)).statusCode).toBe(403)
    expect(await told(client.delete(one))).toEqual([204, ''])
    expect(await told(client.get(one))).toEqual([404, { message: '404 Not found' }])
    expect((await client.get(url)).json().user_notes_count).toBe(0)
  })

  it('tell their texts as HTML to who asks, with no more queries for more of them', async () => {
    const { url } = await newThing(kind)
    const client = world.as('reporter')
    const write = async (body: string) => (await client.post(`${url}/notes`, { body })).json()
    const first = await write('A **thing** of @nobody')
    const sign = kind === 'Issue' ? '#' : '!'
    const html = '<p data-sourcepos="1:1-1:22" dir="auto">A <strong>thing</strong> of @nobody</p>'
    const shown = { ...first, note_html: html }
    const query = '?render_html=true'
    expect(await told(client.get(`${url}/notes/${first.id}${query}`))).toEqual([200, shown])
    expect(await told(client.get(`${url}/notes${query}`))).toEqual([200, [shown]])
    const [thread] = (await client.get(`${url}/discussions${query}`)).json()
    expect(thread.notes).toEqual([shown])
    const ofThread = `${url}/discussions/${thread.id}`
    expect(await told(client.get(`${ofThread}${query}`))).toEqual([200, thread])
    expect(await told(client.get(`${ofThread}/notes${query}`))).toEqual([200, [shown]])
    expect(await told(client.get(`${ofThread}/notes/${first.id}${query}`))).toEqual([200, shown])
    expect(await told(client.get(`${url}/notes`))).toEqual([200, [first]])
    await write(`See ${sign}1`)
    const ask = () => client.get(`${url}/notes${query}&sort=asc`)
    const { queries } = await world.app.count(ask)
    for (const _ of [1, 2, 3]) await write(`Again ${sign}1, and ~~${'long '.repeat(2000)}~~`)
    expect(await world.app.count(ask)).toMatchObject({ queries })
    const all: { note_html: string }[] = (await ask()).json()
    const links = all.map(({ note_html }) => note_html.match(/gfm-[a-z_]+/)?.[0])
    const link = kind === 'Issue' ? 'gfm-issue' : 'gfm-merge_request'
    expect(links).toEqual([undefined, link, link, link, link])
  })

  it('are searched for names no further than their page is rendered', async () => {
    const { url } = await newThing(kind)
    const client = world.as('reporter')
    const write = async (body: string) => (await client.post(`${url}/notes`, { body })).json()
    await write('a '.repeat(limits.markdown.page_characters_max / 2))
    const { id } = await write('Nothing')
    const ask = () => client.get(`${url}/notes?render_html=true&sort=asc`)
    const { queries } = await world.app.count(ask)
    await client.put(`${url}/notes/${id}`, { body: 'See #1, !1, ~label and @somebody' })
    expect(await world.app.count(ask)).toMatchObject({ queries })
  })

  it('answer bad input in their words, and nobody changes those of the server', async () => {
    const { url } = await newThing(kind)
    const client = world.as('owner')
    await client.put(url, { title: 'Renamed' })
    const [system] = (await client.get(`${url}/notes`)).json()
    const { id } = (await client.post(`${url}/notes`, { body: 'x' })).json()
    const blank = { message: `400 Bad request - Note {:note=>["can't be blank"]}` }
    const cases: [ReturnType<typeof client.post>, number, unknown][] = [
      [client.post(`${url}/notes`, {}), 400, { error: 'body is missing' }],
      [client.post(`${url}/notes`, { body: ' \n' }), 400, blank],
      [client.put(`${url}/notes/${id}`, {}), 400, { error: 'body is missing, body is empty' }],
      [client.put(`${url}/notes/${id}`, { body: '' }), 400, { error: 'body is empty' }],
      [client.put(`${url}/notes/${system.id}`, { body: 'x' }), 403, { message: '403 Forbidden' }],
      [client.delete(`${url}/notes/${system.id}`), 403, { message: '403 Forbidden' }],
      [client.get(`${url}/notes/999999`), 404, { message: '404 Not found' }],
      [
        client.get(`${url}/notes?order_by=id`),
        400,
        { error: 'order_by does not have a valid value' },
      ],
    ]
    for (const [request, status, body] of cases) {
      expect(await told(request)).toEqual([status, body])
    }
  })

  it('take a sign-in, to read them on public projects too', async () => {
    const { url } = await newThing(kind, 'open')
    const statuses = async (who: Who) => {
      const client = world.as(who)
      return [
        (await client.get(`${url}/notes`)).statusCode,
        (await client.get(`${url}/discussions`)).statusCode,
        (await client.post(`${url}/notes`, { body: 'x' })).statusCode,
      ]
    }
    expect(await statuses('anonymous')).toEqual([401, 401, 401])
    expect(await statuses('outsider')).toEqual([200, 200, 201])
    const { url: hidden } = await newThing(kind)
    expect((await world.as('outsider').get(`${hidden}/notes`)).statusCode).toBe(404)
  })

  it('are taken from members alone while the discussion is locked', async () => {
    const { url } = await newThing(kind, 'open')
    await world.as('owner').put(url, { discussion_locked: true })
    for (const path of ['notes', 'discussions']) {
      const answer = world.as('outsider').post(`${url}/${path}`, { body: 'x' })
      expect(await told(answer)).toEqual([403, { message: '403 Forbidden' }])
      expect((await world.as('guest').post(`${url}/${path}`, { body: 'x' })).statusCode).toBe(201)
    }
    expect(
      (await world.as('outsider').post(`${url}/award_emoji`, { name: 'tada' })).statusCode,
    ).toBe(404)
  })

  it('are listed the newest first, or by change, with and without those of the server', async () => {
    const { url } = await newThing(kind)
    const client = world.as('owner')
    const post = async (body: string) => {
      world.app.clock.advance(1000)
      return (await client.post(`${url}/notes`, { body })).json().id
    }
    const first = await post('one')
    await post('two')
    world.app.clock.advance(1000)
    await client.put(url, { discussion_locked: true })
    world.app.clock.advance(1000)
    await client.put(`${url}/notes/${first}`, { body: 'one!' })
    const locked = `locked this ${kind === 'Issue' ? 'issue' : 'merge request'}`
    const list = async (query: string) => bodies((await client.get(`${url}/notes?${query}`)).json())
    expect(await list('')).toEqual([locked, 'two', 'one!'])
    expect(await list('sort=asc')).toEqual(['one!', 'two', locked])
    expect(await list('order_by=updated_at')).toEqual(['one!', locked, 'two'])
    expect(await list('activity_filter=only_comments')).toEqual(['two', 'one!'])
    expect(await list('activity_filter=only_activity')).toEqual([locked])
    expect(await list('per_page=1&page=2')).toEqual(['two'])
    for (const path of ['notes', 'discussions']) {
      const ask = (size: number) =>
        world.app.count(() => client.get(`${url}/${path}?per_page=${size}`))
      await ask(1)
      expect((await ask(20)).queries).toBe((await ask(1)).queries)
    }
  })

  it('take their time from Owners alone', async () => {
    const { url } = await newThing(kind)
    const created_at = '2020-02-03T04:05:06.000Z'
    const post = async (who: Who) =>
      (await world.as(who).post(`${url}/notes`, { body: 'x', created_at })).json().created_at
    expect(await post('owner')).toBe(created_at)
    expect(await post('maintainer')).toBe(world.app.clock.now().toISOString())
  })
})

describe('Confidential notes', () => {
  it('are for Reporters, and named users below that are not told of them', async () => {
    const { project, url } = await newThing('Issue')
    const { guest, developer } = world.users
    const body = `secret @${guest.username} @${developer.username}`
    const made = await world.as('reporter').post(`${url}/notes`, { body, internal: true })
    expect([made.json().confidential, made.json().internal]).toEqual([true, true])
    const client = world.as('guest')
    expect((await client.get(`${url}/notes`)).json()).toEqual([])
    expect((await client.get(`${url}/discussions`)).json()).toEqual([])
    expect((await client.get(`${url}/notes/${made.json().id}`)).statusCode).toBe(404)
    expect((await client.get(`${url}/notes/${made.json().id}/award_emoji`)).statusCode).toBe(404)
    expect((await client.get('/todos')).json()).toEqual([])
    const events = JSON.stringify((await client.get(`/projects/${project.id}/events`)).json())
    expect(events).not.toContain('secret')
    const [todo] = (await world.as('developer').get('/todos')).json()
    expect(todo.body).toBe(body)
  })

  it.each(['Issue', 'MergeRequest'] as const)(
    'are refused to whoever may not write them on a thing of kind %s, and not written for all instead',
    async (kind) => {
      const { url } = await newThing(kind, 'open')
      for (const client of [world.as('guest'), world.as('outsider')]) {
        for (const fields of [{ internal: true }, { confidential: true }]) {
          const answer = await client.post(`${url}/notes`, { body: 'secret', ...fields })
          expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
        }
        const open = await client.post(`${url}/notes`, { body: 'x', internal: false })
        expect([open.statusCode, open.json().internal]).toEqual([201, false])
      }
      const notes = (await world.as('owner').get(`${url}/notes`)).json()
      expect(JSON.stringify(notes)).not.toContain('secret')
      const made = await world
        .as('reporter')
        .post(`${url}/notes`, { body: 'for few', confidential: true })
      expect([made.statusCode, made.json().internal]).toEqual([201, true])
    },
  )
})

it('A page of very long notes is written in turns, between which others get theirs', async () => {
  const { url } = await newThing('Issue')
  const client = world.as('reporter')
  const body = '"'.repeat(limits.note_characters / 2)
  const ids: number[] = []
  for (let count = 0; count < 60; count++) {
    ids.push((await client.post(`${url}/notes`, { body })).json().id)
  }
  const page = `${url}/notes?sort=asc&per_page=100`
  let answer = await client.get(page)
  const share = await longestStallShare(async () => {
    answer = await client.get(page)
  })
  expect(share).toBeLessThan(0.75)
  const shown: { id: number; body: string }[] = answer.json()
  expect(shown.map(({ id }) => id)).toEqual(ids)
  expect(shown.every((note) => note.body === body)).toBe(true)
  const headers = { 'if-none-match': String(answer.headers.etag) }
  expect((await client.get(page, { headers })).statusCode).toBe(304)
})

describe('Threads', () => {
  it('are answered, and a note of them is shown, without reading all of their notes', async () => {
    const { url } = await newThing('Issue')
    const client = world.as('reporter')
    const begin = async () => {
      const { id, notes } = (await client.post(`${url}/discussions`, { body: 'First' })).json()
      return { notes: `${url}/discussions/${id}/notes`, first: notes[0].id }
    }
    const [short, long] = [await begin(), await begin()]
    const body = 'a '.repeat(limits.note_characters / 2)
    for (let count = 0; count < 40; count++) await client.post(long.notes, { body })
    const workOn = async ({ notes, first }: typeof short) => {
      const before = process.threadCpuUsage()
      for (let count = 0; count < 10; count++) {
        expect((await client.post(notes, { body: 'Last' })).statusCode).toBe(201)
        expect((await client.get(`${notes}/${first}`)).statusCode).toBe(200)
      }
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    await workOn(short)
    expect((await workOn(long)) / (await workOn(short))).toBeLessThan(3)
  })

  it('are begun, answered and listed, a plain note and one of the server being one by itself', async () => {
    const { url } = await newThing('Issue')
    const client = world.as('reporter')
    const plain = (await client.post(`${url}/notes`, { body: 'plain' })).json()
    const made = await client.post(`${url}/discussions`, { body: 'first' })
    expect([made.statusCode, made.json()]).toMatchObject([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        individual_note: false,
        notes: [{ type: 'DiscussionNote', body: 'first', resolvable: false }],
      },
    ])
    const thread = `${url}/discussions/${made.json().id}`
    const answer = await world.as('guest').post(`${thread}/notes`, { body: 'second' })
    expect([answer.statusCode, answer.json().type]).toEqual([201, 'DiscussionNote'])
    await client.put(url, { title: 'Renamed' })
    type Thread = { id: string; individual_note: boolean; notes: { body: string }[] }
    const list = async (): Promise<Thread[]> => (await client.get(`${url}/discussions`)).json()
    const shape = (threads: Thread[]) =>
      threads.map(({ individual_note, notes }) => [individual_note, notes.length])
    const all = await list()
    expect(shape(all)).toEqual([
      [true, 1],
      [false, 2],
      [true, 1],
    ])
    expect(await told(client.get(thread))).toMatchObject([200, { notes: [{}, { body: 'second' }] }])
    expect(bodies((await client.get(`${thread}/notes`)).json())).toEqual(['first', 'second'])
    const own = `${url}/discussions/${all[0]?.id}/notes`
    await client.post(own, { body: 'answer' })
    expect((await client.get(`${url}/notes/${plain.id}`)).json().type).toBe('DiscussionNote')
    expect(shape(await list())).toEqual([
      [false, 2],
      [false, 2],
      [true, 1],
    ])
    const ofServer = `${url}/discussions/${all[2]?.id}/notes`
    expect(await told(client.post(ofServer, { body: 'x' }))).toEqual([
      400,
      { message: '400 Bad request - Discussion can not be replied to.' },
    ])
    const unknown = `${url}/discussions/${'0'.repeat(40)}`
    for (const request of [client.get(unknown), client.post(`${unknown}/notes`, { body: 'x' })]) {
      expect(await told(request)).toEqual([404, { message: '404 Discussion Not Found' }])
    }
    expect(await told(client.post(`${url}/discussions`, { body: '' }))).toEqual([
      400,
      { message: `400 Bad request - Note {:note=>["can't be blank"]}` },
    ])
  })

  it('have notes that are changed, resolved and removed one by one', async () => {
    const { url } = await newThing('Issue')
    const client = world.as('reporter')
    const { id, notes } = (await client.post(`${url}/discussions`, { body: 'first' })).json()
    const one = `${url}/discussions/${id}/notes/${notes[0].id}`
    expect(await told(client.put(one, {}))).toEqual([
      400,
      { error: 'body, resolved are missing, exactly one parameter must be provided' },
    ])
    expect(await told(client.put(one, { body: 'x', resolved: true }))).toEqual([
      400,
      { error: 'body, resolved are mutually exclusive' },
    ])
    expect(await told(client.put(one, { resolved: true }))).toEqual([
      400,
      { message: '400 Bad request - Note is not resolvable' },
    ])
    expect((await client.put(one, { body: 'changed' })).json().body).toBe('changed')
    expect((await world.as('developer').put(one, { body: 'x' })).statusCode).toBe(403)
    expect(await told(client.delete(one))).toEqual([204, ''])
    expect((await client.get(`${url}/discussions/${id}`)).statusCode).toBe(404)
  })

  it('on merge requests are resolved by Developers and the authors', async () => {
    const { url } = await newThing('MergeRequest')
    const made = await world.as('reporter').post(`${url}/discussions`, { body: 'first' })
    const { id, notes } = made.json()
    expect(notes[0]).toMatchObject({ resolvable: true, resolved: false, resolved_by: null })
    const thread = `${url}/discussions/${id}`
    const other = await world.newUser()
    const member = { user_id: other.user.id, access_level: 20 }
    await world.as('owner').post(`/projects/${url.split('/')[2]}/members`, member)
    expect((await other.client.put(thread, { resolved: true })).statusCode).toBe(403)
    const resolved = await world.as('reporter').put(thread, { resolved: true })
    expect([resolved.statusCode, resolved.json().notes[0]]).toMatchObject([
      200,
      {
        resolved: true,
        resolved_by: { id: world.users.reporter.id },
        resolved_at: world.app.clock.now().toISOString(),
      },
    ])
    expect(bodies((await world.as('reporter').get(`${url}/notes`)).json())).toContain(
      'resolved all threads',
    )
    const opened = await world.as('developer').put(`${thread}/notes/${notes[0].id}`, {
      resolved: false,
    })
    expect([opened.statusCode, opened.json().resolved]).toEqual([200, false])
    expect(await told(world.as('developer').put(thread, {}))).toEqual([
      400,
      { error: 'resolved is missing' },
    ])
  })

  it('on merge requests are resolved one note and one thread at a time, by whoever was first', async () => {
    const { url } = await newThing('MergeRequest')
    const client = world.as('developer')
    const begin = async (body: string) =>
      (await client.post(`${url}/discussions`, { body })).json().id
    const [first, second] = [await begin('first'), await begin('second')]
    const answer = await client.post(`${url}/discussions/${first}/notes`, { body: 'answer' })
    const resolve = (path: string, who: Who = 'developer') =>
      world.as(who).put(`${url}/discussions/${path}`, { resolved: true })
    const states = async () => {
      const threads: { notes: { resolved?: boolean; resolved_by?: { id: number } }[] }[] = (
        await client.get(`${url}/discussions`)
      ).json()
      return threads.map(({ notes }) =>
        notes.map(({ resolved, resolved_by }) => (resolved ? resolved_by?.id : resolved)),
      )
    }
    const [developer, owner] = [world.users.developer.id, world.users.owner.id]
    await resolve(`${first}/notes/${answer.json().id}`)
    expect(await states()).toEqual([[false, developer], [false]])
    await resolve(first, 'owner')
    expect(await states()).toEqual([[owner, developer], [false]])
    await resolve(second)
    // A system note says so.
    expect(await states()).toEqual([[owner, developer], [developer], [undefined]])
  })
})
