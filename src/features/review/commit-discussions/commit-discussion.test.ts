import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
let project: Project
let base: string
let sha: string
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject({ files: { file: 'a\nb\n' } })
  base = (await world.as('owner').get(`/projects/${project.id}/repository/commits/main`)).json().id
  const answer = await world.as('owner').post(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Change',
    actions: [{ action: 'update', file_path: 'file', content: 'NEW\na\nb\n' }],
  })
  sha = answer.json().id
})

const told = (answer: { statusCode: number; body: string; json: () => unknown }) => [
  answer.statusCode,
  answer.body === '' ? '' : answer.json(),
]
const urlOf = (where: Pick<Project, 'id'>, name: string) =>
  `/projects/${where.id}/repository/commits/${name}`
const author = () => expect.objectContaining({ id: world.users.reporter.id })
const now = '2026-03-01T12:00:00.000Z'
const note = () => ({
  id: expect.any(Number),
  type: 'DiscussionNote',
  body: 'Why?',
  attachment: null,
  author: author(),
  created_at: now,
  updated_at: now,
  system: false,
  noteable_id: null,
  noteable_type: 'Commit',
  project_id: project.id,
  resolvable: false,
  confidential: false,
  internal: false,
  noteable_iid: null,
  commands_changes: {},
})

describe('Threads on a commit', () => {
  it('are begun, answered, changed and deleted', async () => {
    const url = `${urlOf(project, sha)}/discussions`
    const client = world.as('reporter')
    const made = await client.post(url, { body: 'Why?' })
    expect(told(made)).toEqual([
      201,
      { id: expect.stringMatching(/^[0-9a-f]{40}$/), individual_note: false, notes: [note()] },
    ])
    const thread = `${url}/${made.json().id}`
    expect(told(await client.get(thread))).toEqual([200, made.json()])
    const answer = await client.post(`${thread}/notes`, { body: 'Therefore' })
    expect(told(answer)).toEqual([201, { ...note(), body: 'Therefore' }])
    const one = `${thread}/notes/${answer.json().id}`
    expect(told(await client.get(one))).toEqual([200, answer.json()])
    const changed = await client.put(one, { body: 'Because' })
    expect(told(changed)).toEqual([200, { ...answer.json(), body: 'Because' }])
    const [shown] = (await client.get(url)).json()
    expect(shown.notes).toEqual([...made.json().notes, changed.json()])
    const developer = world.as('developer')
    const fork = (await developer.post(`/projects/${project.id}/fork`)).json()
    await world.app.worker.drain()
    for (const elsewhere of [urlOf(fork, sha), urlOf(project, base)]) {
      expect(told(await developer.get(`${elsewhere}/discussions`))).toEqual([200, []])
      const sought = await developer.get(`${elsewhere}/discussions/${made.json().id}`)
      expect(sought.statusCode).toBe(404)
    }
    const other = await world.newUser()
    await world.as('owner').post(`/projects/${project.id}/members`, {
      user_id: other.user.id,
      access_level: 30,
    })
    expect(told(await other.client.put(one, { body: 'x' }))).toEqual([
      403,
      { message: '403 Forbidden' },
    ])
    expect((await other.client.delete(one)).statusCode).toBe(403)
    expect((await world.as('maintainer').put(one, { body: 'Fixed' })).statusCode).toBe(200)
    const headers = { 'if-unmodified-since': 'Sat, 03 Jan 1970 00:00:00 GMT' }
    expect((await client.delete(one, undefined, { headers })).statusCode).toBe(412)
    expect(told(await client.delete(one))).toEqual([204, ''])
    expect(told(await client.get(one))).toEqual([404, { message: '404 Note Not Found' }])
    expect(told(await client.get(`${url}/none`))).toEqual([
      404,
      { message: '404 Discussion Not Found' },
    ])
    expect(told(await client.get(`${urlOf(project, 'none')}/discussions`))).toEqual([
      404,
      { message: '404 Commit Not Found' },
    ])
  })

  it('stand on a line of its diff', async () => {
    const url = `${urlOf(project, sha)}/discussions`
    const place = { base_sha: base, start_sha: base, head_sha: sha, position_type: 'text' }
    const paths = { old_path: 'file', new_path: 'file' }
    const position = { ...place, ...paths, new_line: 1 }
    const made = await world.as('reporter').post(url, { body: 'Why?', position })
    expect(made.json().notes).toEqual([
      {
        ...note(),
        type: 'DiffNote',
        commit_id: sha,
        position: { ...place, ...paths, old_line: null, new_line: 1, line_range: null },
      },
    ])
    const list = (await world.as('reporter').get(`${urlOf(project, sha)}/comments`)).json()
    expect(list).toContainEqual(
      expect.objectContaining({ note: 'Why?', path: 'file', line: 1, line_type: 'new' }),
    )
    // An answer leaves the thread on its line.
    const thread = `${url}/${made.json().id}`
    await world.as('reporter').post(`${thread}/notes`, { body: 'Therefore' })
    expect((await world.as('reporter').get(thread)).json().notes).toEqual([
      made.json().notes[0],
      expect.objectContaining({ type: 'DiffNote', body: 'Therefore' }),
    ])
    for (const wrong of [{ new_line: 9 }, { new_line: 1, head_sha: base }]) {
      const body = { body: 'x', position: { ...position, ...wrong } }
      expect((await world.as('reporter').post(url, body)).statusCode).toBe(400)
    }
  })

  it('have what is said by comments, and the other way round', async () => {
    const where = await world.newProject({ files: { a: 'a\n' } })
    const [comments, url] = [
      `${urlOf(where, 'main')}/comments`,
      `${urlOf(where, 'main')}/discussions`,
    ]
    const client = world.as('reporter')
    await client.post(comments, { note: 'Alone' })
    await client.post(comments, { note: 'On a line', path: 'a', line: 1 })
    const [alone, placed] = (await client.get(url)).json()
    expect(alone).toMatchObject({ individual_note: true, notes: [{ type: null, body: 'Alone' }] })
    expect(placed.notes).toMatchObject([
      { type: 'DiffNote', body: 'On a line', position: { new_path: 'a', new_line: 1 } },
    ])
    await client.post(`${url}/${alone.id}/notes`, { body: 'Not any more' })
    expect((await client.get(`${url}/${alone.id}`)).json()).toMatchObject({
      individual_note: false,
      notes: [{ type: 'DiscussionNote' }, { body: 'Not any more' }],
    })
    const said = (await client.get(comments)).json()
    expect(said.map((one: { note: string }) => one.note)).toEqual([
      'Alone',
      'On a line',
      'Not any more',
    ])
    const page = await client.get(`${url}?per_page=1&page=2`)
    expect([page.json()[0].id, page.headers['x-total']]).toEqual([placed.id, '2'])
    const ask = (size: number) => world.app.count(() => client.get(`${url}?per_page=${size}`))
    await ask(1)
    expect((await ask(20)).queries).toBe((await ask(1)).queries)
  })

  it('refuse bad input', async () => {
    const url = `${urlOf(project, sha)}/discussions`
    const post = async (body: object) => told(await world.as('reporter').post(url, body))
    expect(await post({})).toEqual([400, { error: 'body is missing' }])
    expect(await post({ body: ' ' })).toEqual([
      400,
      { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' },
    ])
    expect(await post({ body: 'x', position: {} })).toEqual([
      400,
      {
        error:
          'position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing, position[position_type] is missing',
      },
    ])
  })

  it.each([
    ['anonymous', 'open', 401, 401],
    ['outsider', 'open', 200, 201],
    ['outsider', 'shut', 404, 404],
    ['guest', 'shut', 403, 403],
    ['reporter', 'shut', 200, 201],
  ] as const)('answer %s of the %s project with %i and %i', async (who, place, read, write) => {
    const where = await world.newProject({ group: world.groups[place], files: { a: 'a' } })
    const url = `${urlOf(where, 'main')}/discussions`
    expect((await world.as(who).get(url)).statusCode).toBe(read)
    expect((await world.as(who).post(url, { body: 'b' })).statusCode).toBe(write)
  })
})
