import { beforeAll, describe, expect, it } from 'vitest'
import { lfsClient, lfsType } from '../../../../test/kit/lfs.ts'
import { everybody, newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const help = { documentation_url: 'http://bloomery.test/help' }
const as = (who: Who, project: Project) => lfsClient(world, project, who)
async function lock(who: Who, project: Project, path: string) {
  const answer = await as(who, project).send('POST', 'info/lfs/locks', { path })
  expect(answer.statusCode).toBe(201)
  return answer.json().lock
}
const list = async (project: Project, query = '') =>
  (await as('reporter', project).send('GET', `info/lfs/locks${query}`)).json()
const byRole = async (ask: (who: Who) => Promise<{ statusCode: number }>) => {
  const statuses: number[] = []
  for (const who of everybody) statuses.push((await ask(who)).statusCode)
  return statuses
}

describe('POST info/lfs/locks', () => {
  it.each([
    ['open', [401, 403, 403, 403, 201, 201, 201, 201]],
    ['shut', [401, 404, 403, 403, 201, 201, 201, 201]],
  ] as const)('of the %s project answers by role', async (place, expected) => {
    const project = world.projects[place]
    const statuses = await byRole((who) =>
      as(who, project).send('POST', 'info/lfs/locks', { path: `of-${who}` }),
    )
    expect(statuses).toEqual(expected)
  })

  it('answers the lock', async () => {
    const project = await world.newProject()
    const ref = { name: 'refs/heads/main' }
    const body = { path: '/art/big file.psd', ref }
    const answer = await as('developer', project).send('POST', 'info/lfs/locks', body)
    expect([answer.statusCode, answer.headers['content-type'], answer.json()]).toEqual([
      201,
      lfsType,
      {
        lock: {
          id: expect.stringMatching(/^\d+$/),
          path: 'art/big file.psd',
          locked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          owner: { name: world.users.developer.name },
        },
      },
    ])
  })

  it('tells the lock that is in the way, even to its owner', async () => {
    const project = await world.newProject()
    const first = await lock('developer', project, 'a')
    for (const who of ['developer', 'owner'] as const) {
      const answer = await as(who, project).send('POST', 'info/lfs/locks', { path: 'a' })
      expect([answer.statusCode, answer.json()]).toEqual([
        409,
        { lock: first, message: 'already locked', ...help },
      ])
    }
    await lock('owner', await world.newProject(), 'a')
  })

  it('gives a path to one of several who ask at once', async () => {
    const project = await world.newProject()
    const ask = (who: Who) => as(who, project).send('POST', 'info/lfs/locks', { path: 'a' })
    const answers = await Promise.all(
      (['developer', 'maintainer', 'owner', 'admin'] as const).map(ask),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
  })

  it.each([
    {},
    { path: '' },
    { path: 7 },
    { path: 'a/../b' },
    { path: '.git/config' },
    { path: 'x'.repeat(5000) },
  ])('refuses a path no file can have', async (body) => {
    const answer = await as('owner', world.projects.shut).send('POST', 'info/lfs/locks', body)
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { message: 'The path is none a file can have.', ...help },
    ])
  })
})

describe('GET info/lfs/locks', () => {
  it.each([
    ['open', [200, 200, 200, 200, 200, 200, 200, 200]],
    ['shut', [401, 404, 403, 200, 200, 200, 200, 200]],
  ] as const)('of the %s project answers by role', async (place, expected) => {
    const project = world.projects[place]
    expect(await byRole((who) => as(who, project).send('GET', 'info/lfs/locks'))).toEqual(expected)
  })

  it('finds by path and by id, whatever the branch, and goes on from page to page', async () => {
    const project = await world.newProject()
    expect(await list(project)).toEqual({ locks: [] })
    const [a, b, c] = [
      await lock('developer', project, 'a'),
      await lock('owner', project, 'b'),
      await lock('owner', project, 'c'),
    ]
    const elsewhere = await lock('owner', world.projects.shut, `b-${Math.random()}`)
    expect(await list(project)).toEqual({ locks: [a, b, c] })
    expect(await list(project, '?refspec=refs/heads/other')).toEqual({ locks: [a, b, c] })
    expect(await list(project, '?path=b')).toEqual({ locks: [b] })
    expect(await list(project, '?path=nothing')).toEqual({ locks: [] })
    expect(await list(project, `?id=${c.id}`)).toEqual({ locks: [c] })
    expect(await list(project, `?id=${elsewhere.id}`)).toEqual({ locks: [] })
    expect(await list(project, '?id=none')).toEqual({ locks: [] })
    const first = await list(project, '?limit=2')
    expect(first).toEqual({ locks: [a, b], next_cursor: b.id })
    expect(await list(project, `?limit=2&cursor=${b.id}`)).toEqual({ locks: [c] })
    expect(await list(project, '?path=&id=&cursor=&limit=')).toEqual({ locks: [a, b, c] })
    const bad = { message: 'The cursor or the limit is no number.', ...help }
    expect(await list(project, '?limit=-1')).toEqual(bad)
    expect(await list(project, '?cursor=x')).toEqual(bad)
    const odd = { cursor: { toString: 1 } }
    const answer = await as('developer', project).send('POST', 'info/lfs/locks/verify', odd)
    expect([answer.statusCode, answer.json()]).toEqual([422, bad])
  })

  it('shows at most 100', async () => {
    const project = await world.newProject()
    const rows = Array.from({ length: 101 }, (_, index) => ({
      project_id: project.id,
      user_id: world.users.owner.id,
      path: `path-${index}`,
      created_at: '2026-01-01T00:00:00.000Z',
    }))
    await world.app.db.insertInto('lfs_locks').values(rows).execute()
    for (const query of ['', '?limit=1000', '?limit=0']) {
      const { locks, next_cursor } = await list(project, query)
      expect([locks.length, next_cursor]).toEqual([100, locks[99].id])
    }
  })
})

describe('POST info/lfs/locks/verify', () => {
  it('of the shut project answers by role', async () => {
    const ask = (who: Who) => as(who, world.projects.shut).send('POST', 'info/lfs/locks/verify', {})
    expect(await byRole(ask)).toEqual([401, 404, 403, 403, 200, 200, 200, 200])
  })

  it('parts them into ours and theirs', async () => {
    const project = await world.newProject()
    const mine = await lock('developer', project, 'a')
    const theirs = await lock('owner', project, 'b')
    const verify = async (body: object) =>
      (await as('developer', project).send('POST', 'info/lfs/locks/verify', body)).json()
    const ref = { name: 'refs/heads/main' }
    expect(await verify({ ref })).toEqual({ ours: [mine], theirs: [theirs] })
    expect(await verify({ limit: 1 })).toEqual({ ours: [mine], theirs: [], next_cursor: mine.id })
    expect(await verify({ limit: 1, cursor: mine.id })).toEqual({ ours: [], theirs: [theirs] })
    const message = 'The cursor or the limit is no number.'
    expect(await verify({ cursor: {} })).toEqual({ message, ...help })
  })
})

describe('POST info/lfs/locks/:id/unlock', () => {
  const unlock = (who: Who, project: Project, id: string, body: object = {}) =>
    as(who, project).send('POST', `info/lfs/locks/${id}/unlock`, body)

  it('ends a lock of one’s own', async () => {
    const project = await world.newProject()
    const made = await lock('developer', project, 'a')
    const answer = await unlock('developer', project, made.id)
    expect([answer.statusCode, answer.json()]).toEqual([200, { lock: made }])
    expect(await list(project)).toEqual({ locks: [] })
    const again = await unlock('developer', project, made.id)
    expect([again.statusCode, again.json()]).toEqual([404, { message: 'Lock not found', ...help }])
  })

  it('ends that of somebody else for Maintainers who insist', async () => {
    const project = await world.newProject()
    const made = await lock('owner', project, 'a')
    const owner = world.users.owner.id
    const ask = async (who: Who, body: object) => {
      const answer = await unlock(who, project, made.id, body)
      return [answer.statusCode, answer.json().message]
    }
    const locked = `a is locked by Bloomery User ${owner}`
    expect(await ask('developer', {})).toEqual([403, locked])
    expect(await ask('maintainer', { force: false })).toEqual([403, locked])
    expect(await ask('maintainer', { force: 'true' })).toEqual([403, locked])
    expect(await ask('developer', { force: true })).toEqual([
      403,
      'You must have maintainer access to force delete a lock',
    ])
    expect(await ask('reporter', { force: true })).toEqual([
      403,
      'Access forbidden. Check your access level.',
    ])
    expect(await ask('outsider', { force: true })).toEqual([404, 'Not found.'])
    expect(await ask('anonymous', { force: true })).toEqual([401, 'HTTP Basic: Access denied'])
    expect(await ask('maintainer', { force: true })).toEqual([200, undefined])
  })

  it('does not reach into another project', async () => {
    const made = await lock('owner', world.projects.shut, `of-shut-${Math.random()}`)
    const answer = await unlock('owner', world.projects.open, made.id, { force: true })
    expect(answer.statusCode).toBe(404)
    expect((await list(world.projects.shut, `?id=${made.id}`)).locks).toEqual([made])
  })
})
