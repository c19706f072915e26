import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
let project: Project
let sha: string
const old = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject({ files: { file: `${old.join('\n')}\n`, gone: '1\n2\n' } })
  const changed = ['NEW', ...old.filter((line) => line !== 'k')]
  const answer = await world.as('owner').post(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Change',
    actions: [
      { action: 'update', file_path: 'file', content: `${changed.join('\n')}\n` },
      { action: 'delete', file_path: 'gone' },
      { action: 'create', file_path: 'dir/new', content: 'x\ny\n' },
    ],
  })
  sha = answer.json().id
})

const urlOf = (where: Project, name: string) =>
  `/projects/${where.id}/repository/commits/${encodeURIComponent(name)}/comments`
const post = (body: object, name = sha) => world.as('reporter').post(urlOf(project, name), body)

const author = () => {
  const { reporter } = world.users
  return {
    id: reporter.id,
    username: reporter.username,
    name: reporter.name,
    state: 'active',
    avatar_url: null,
    web_url: `http://bloomery.test/${reporter.username}`,
    email: null,
    created_at: reporter.created_at,
  }
}
const whole = { path: null, line: null, line_type: null }
const now = '2026-03-01T12:00:00.000Z'

describe('GET /projects/:id/repository/commits/:sha/comments', () => {
  it.each([
    ['anonymous', 'open', 200, []],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    ['reporter', 'shut', 200, []],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, body) => {
    const answer = await world.as(who).get(urlOf(world.projects[place], 'HEAD'))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('answers the oldest first, in pages with totals, in as many statements as for one', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    const client = world.as('reporter')
    await client.post(urlOf(where, 'main'), { note: 'note 0' })
    const one = await world.app.count(() => client.get(urlOf(where, 'main')))
    for (let at = 1; at < 3; at++) await client.post(urlOf(where, 'main'), { note: `note ${at}` })
    const many = await world.app.count(() => client.get(urlOf(where, 'main')))
    expect(many).toEqual(one)
    const answer = await client.get(`${urlOf(where, 'main')}?per_page=2`)
    expect(answer.json()).toEqual([
      { note: 'note 0', ...whole, author: author(), created_at: now },
      { note: 'note 1', ...whole, author: author(), created_at: now },
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' })
  })

  it('answers an unknown commit with 404', async () => {
    const answer = await world.as('reporter').get(urlOf(project, 'none'))
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 Commit Not Found' })
  })

  it('shows what is said of one commit in one project nowhere else', async () => {
    const [one, two] = [await world.newProject(), await world.newProject()]
    for (const where of [one, two]) await world.commit(where, { a: 'a' }, { message: 'same' })
    const tips = await Promise.all(
      [one, two].map(async (where) =>
        (await world.as('reporter').get(urlOf(where, 'main'))).json(),
      ),
    )
    expect(tips).toEqual([[], []])
    await world.as('reporter').post(urlOf(one, 'main'), { note: 'here' })
    expect((await world.as('reporter').get(urlOf(one, 'main'))).json()).toHaveLength(1)
    expect((await world.as('reporter').get(urlOf(two, 'main'))).json()).toEqual([])
    await world.commit(one, { b: 'b' })
    expect((await world.as('reporter').get(urlOf(one, 'main'))).json()).toEqual([])
  })
})

describe('POST /projects/:id/repository/commits/:sha/comments', () => {
  it.each([
    ['anonymous', 'open', 401, { message: '401 Unauthorized' }],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    ['outsider', 'open', 201, undefined],
    ['guest', 'inside', 201, undefined],
    ['reporter', 'shut', 201, undefined],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, body) => {
    const made = await world.newProject({ group: world.groups[place], files: { a: 'a' } })
    const answer = await world.as(who).post(urlOf(made, 'main'), { note: 'n' })
    expect(answer.statusCode).toBe(status)
    if (body) expect(answer.json()).toEqual(body)
  })

  it('answers the comment whole', async () => {
    const answer = await post({ note: 'Well done' })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      note: 'Well done',
      ...whole,
      author: author(),
      created_at: now,
    })
  })

  it('shows the address its author made public, and no date of a private profile', async () => {
    const { client } = await world.newUser({ public_email: 'me@x.test', private_profile: true })
    const where = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
    const answer = await client.post(urlOf(where, 'main'), { note: 'n' })
    expect(answer.json().author).toMatchObject({ email: 'me@x.test', created_at: null })
    const listed = await world.as('anonymous').get(urlOf(where, 'main'))
    expect(listed.json()).toEqual([answer.json()])
  })

  it.each([
    [{ path: 'file', line: 1, line_type: 'new' }],
    [{ path: 'dir/new', line: 2 }],
    [{ path: 'file', line: 11, line_type: 'old' }],
    [{ path: 'gone', line: 2, line_type: 'old' }],
  ])('stands at %j, which the commit changed', async (position) => {
    const answer = await post({ note: 'n', ...position })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ line_type: 'new', ...position })
    const list = await world.as('reporter').get(`${urlOf(project, sha)}?per_page=100`)
    expect(list.json()).toContainEqual(answer.json())
  })

  it.each([
    [{ path: 'file', line: 2, line_type: 'new' }],
    [{ path: 'file', line: 1, line_type: 'old' }],
    [{ path: 'file', line: 999 }],
    [{ path: 'file', line: -1 }],
    [{ path: 'none', line: 1 }],
    [{ path: 'gone', line: 1, line_type: 'new' }],
    [{ line: 1, line_type: 'new' }],
  ])('is on the whole commit for %j, which it did not change', async (position) => {
    for (const name of [sha, 'main']) {
      const answer = await post({ note: 'n', ...position }, name)
      expect(answer.statusCode).toBe(201)
      expect(answer.json()).toMatchObject(whole)
    }
  })

  it.each([
    [{}, 400, { error: 'note is missing' }],
    [{ note: 'n', path: 'file' }, 400, { error: 'line is missing' }],
    [{ note: 'n', path: 'file', line: 'x' }, 400, { error: 'line is invalid' }],
    [
      { note: 'n', path: 'file', line: 1, line_type: 'both' },
      400,
      { error: 'line_type does not have a valid value' },
    ],
    [{ note: ' ' }, 400, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    [
      { note: 'x'.repeat(1_000_001) },
      400,
      {
        message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}',
      },
    ],
  ])('answers a bad request with its problem', async (body, status, expected) => {
    const answer = await post(body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })

  it('answers an unknown commit with 404', async () => {
    const answer = await post({ note: 'n' }, 'none')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 Commit Not Found' })
  })

  it('refuses in an archived project', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    await world.app.db
      .updateTable('projects')
      .set({ archived: true })
      .where('id', '=', where.id)
      .execute()
    const answer = await world.as('owner').post(urlOf(where, 'main'), { note: 'n' })
    expect(answer.statusCode).toBe(403)
  })
})
