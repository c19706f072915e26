import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../../test/kit/app.ts'
import { type GitWorld, newGitWorld } from '../../../../test/kit/git.ts'

const day_ms = 24 * 60 * 60_000

let world: GitWorld
beforeAll(async () => {
  world = await newGitWorld()
})

/** Somebody new who is a Developer of a public and of a private project, each with one file. */
async function newContributor(fields = {}) {
  const { user, client, token } = await world.newUser(fields)
  const projects = []
  for (const place of ['open', 'shut'] as const) {
    const project = await world.newProject({ group: world.groups[place], files: { a: 'a' } })
    await world.as('admin').post(`/projects/${project.id}/members`, {
      user_id: user.id,
      access_level: 30,
    })
    projects.push(project)
  }
  const [open, shut] = projects
  if (!open || !shut) throw new Error('A project was not made.')
  return { user, client, token, open, shut }
}

async function idsFor(asker: Client, of: string | number, query = ''): Promise<number[]> {
  const answer = await asker.get(`/users/${of}/contributed_projects${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json().map(({ id }: { id: number }) => id)
}

const aBranch = (name: string) => ({ branch: name, ref: 'main' })
const aFile = { branch: 'work', start_branch: 'main', content: 'x', commit_message: 'x' }

describe('GET /users/:user_id/contributed_projects', () => {
  it('lists what the asker sees of them, as full or simple records', async () => {
    const { user, client, open, shut } = await newContributor()
    expect(await idsFor(client, user.id)).toEqual([])
    for (const { id } of [open, shut]) {
      expect((await client.post(`/projects/${id}/repository/files/b`, aFile)).statusCode).toBe(201)
    }
    expect(await idsFor(client, user.username.toUpperCase())).toEqual([shut.id, open.id])
    expect(await idsFor(world.as('admin'), user.id, '?sort=asc&per_page=1')).toEqual([open.id])
    expect(await idsFor(world.as('outsider'), user.id)).toEqual([open.id])
    expect(await idsFor(client, user.id, '?visibility=private')).toEqual([shut.id])
    const url = `/users/${user.id}/contributed_projects`
    const anonymous = await world.as('anonymous').get(url)
    expect(anonymous.headers['x-total']).toBe('1')
    const simple = await world.as('anonymous').get(`/projects?id_after=${open.id - 1}`)
    expect(anonymous.json()).toEqual([
      simple.json().find(({ id }: { id: number }) => id === open.id),
    ])
    const full = (await client.get(`${url}?search=${open.path}`)).json()
    expect(full).toEqual([
      (await client.get('/projects?membership=true'))
        .json()
        .find(({ id }: { id: number }) => id === open.id),
    ])
  })

  it.each([
    ['a commit', (id: number) => [`/projects/${id}/repository/files/b`, aFile]],
    ['a branch', (id: number) => [`/projects/${id}/repository/branches`, aBranch('new')]],
    ['a tag', (id: number) => [`/projects/${id}/repository/tags`, { tag_name: 'v1', ref: 'main' }]],
    [
      'a comment on a commit',
      (id: number) => [`/projects/${id}/repository/commits/main/comments`, { note: 'well' }],
    ],
  ] as const)('counts %s', async (_what, request) => {
    const { user, client, open } = await newContributor()
    const [url, body] = request(open.id) as [string, object]
    expect((await client.post(url, body)).statusCode).toBe(201)
    expect(await idsFor(client, user.id)).toEqual([open.id])
  })

  it('counts a push by git, and not what somebody else did', async () => {
    const { user, client, token, shut } = await newContributor()
    const copy = await world.begin(shut)
    await copy.commit({ b: 'b' })
    await copy.must(['push', world.remote(shut, { password: token }), 'HEAD:refs/heads/work'])
    expect(await idsFor(client, user.id)).toEqual([shut.id])
  })

  it('leaves out what is older than a year, until there is something new', async () => {
    const { user, client, open } = await newContributor()
    const url = `/projects/${open.id}/repository/branches`
    await client.post(url, aBranch('one'))
    world.app.clock.advance(365 * day_ms)
    expect(await idsFor(client, user.id)).toEqual([open.id])
    world.app.clock.advance(day_ms)
    expect(await idsFor(client, user.id)).toEqual([])
    await client.post(url, aBranch('two'))
    expect(await idsFor(client, user.id)).toEqual([open.id])
  })

  it('of a private profile is nobody else’s matter', async () => {
    const { user, client, open } = await newContributor({ private_profile: true })
    await client.post(`/projects/${open.id}/repository/branches`, aBranch('one'))
    expect(await idsFor(world.as('owner'), user.id)).toEqual([])
    expect(await idsFor(world.as('anonymous'), user.id)).toEqual([])
    expect(await idsFor(client, user.id)).toEqual([open.id])
    expect(await idsFor(world.as('admin'), user.id)).toEqual([open.id])
  })

  it.each([
    ['/users/nobody-of-that-name/contributed_projects', 404, { message: '404 User Not Found' }],
    [
      '/users/1/contributed_projects?order_by=similarity&visibility=none',
      400,
      { error: 'order_by does not have a valid value, visibility does not have a valid value' },
    ],
  ])('answers %s with %i', async (url, status, body) => {
    const answer = await world.as('anonymous').get(url)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('is kept once a user and project, however often they push', async () => {
    const { user, client, open } = await newContributor()
    for (const name of ['one', 'two']) {
      await client.post(`/projects/${open.id}/repository/branches`, aBranch(name))
    }
    const rows = await world.app.db
      .selectFrom('contributions')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute()
    const contributed_on = world.app.clock.now().toISOString().slice(0, 10)
    expect(rows).toEqual([{ user_id: user.id, project_id: open.id, contributed_on }])
  })
})
