// Commits and merge requests as diffs and patches, as people download and apply them.
import { beforeAll, describe, expect, it } from 'vitest'
import { newBranches, newRequest } from '../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../test/kit/world.ts'
import { runGit } from '../../git/command.ts'
import { projectRepository } from '../../subjects/project.ts'

let world: World
let place: Awaited<ReturnType<typeof newBranches>>
let second: string
beforeAll(async () => {
  world = await newWorld()
  place = await newBranches(world, { changes: { topic: 'topic\n', 'pic.bin': '\0\u0001' } })
  second = await world.commit(place.project, { more: 'm\n' }, { branch: 'topic', message: 'More' })
  await world.commit(place.project, { 'on main': 'main\n' })
  await newRequest(world, place)
})

type Asker = Parameters<World['token']>[0]

const get = (rest: string, as?: Asker, method: 'GET' | 'HEAD' = 'GET') =>
  world.app.server.inject({
    method,
    url: `/${place.project.full_path}/-/${rest}`,
    headers: { host: 'bloomery.test', ...(as ? { 'private-token': world.token(as) } : {}) },
  })

describe('/:path/-/commit/:sha and /:path/-/merge_requests/:iid', () => {
  it('answer a commit as a diff and as a patch', async () => {
    const diff = await get(`commit/${second}.diff`, 'reporter')
    expect([diff.statusCode, diff.headers['content-type']]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ])
    expect(diff.body).toMatch(/^diff --git a\/more b\/more\nnew file mode 100644\n/)
    const patch = await get(`commit/${second.slice(0, 8)}.patch`, 'reporter')
    expect(patch.body).toMatch(new RegExp(`^From ${second} Mon Sep 17 00:00:00 2001\n`))
    expect(patch.body).toContain('Subject: [PATCH] More\n')
    expect(patch.body).not.toContain('Change the topic')
    const head = await get(`commit/${second}.diff`, 'reporter', 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const repository = projectRepository(world.app.config, place.project)
    const run = (args: string[]) => runGit(world.app.git.git, repository, { args })
    const root = (await run(['rev-list', '--max-parents=0', 'main'])).toString().trim()
    expect((await get(`commit/${root}.diff`, 'reporter')).body).toContain('+# Readme')
    expect((await get(`commit/${root}.patch`, 'reporter')).body).toContain(`From ${root} `)
  })

  it('answer a merge request from its merge base on, with a patch for each commit', async () => {
    const diff = await get('merge_requests/1.diff', 'reporter')
    expect(diff.statusCode).toBe(200)
    expect(diff.body).toContain('diff --git a/topic b/topic')
    expect(diff.body).toContain('diff --git a/more b/more')
    expect(diff.body).toContain('GIT binary patch')
    expect(diff.body).not.toContain('on main')
    const patch = (await get('merge_requests/1.patch', 'reporter')).body
    expect(patch).toContain('Subject: [PATCH 1/2] Change the topic\n')
    expect(patch).toContain('Subject: [PATCH 2/2] More\n')
    expect(patch).not.toContain('on main')
  })

  it.each([
    ['anonymous', 404],
    ['outsider', 404],
    ['guest', 403],
    ['reporter', 200],
    ['admin', 200],
  ] as const)('answer %s of a private project with %i', async (who, status) => {
    const as = who === 'anonymous' ? undefined : who
    for (const rest of [`commit/${second}.diff`, 'merge_requests/1.patch']) {
      expect([rest, (await get(rest, as)).statusCode]).toEqual([rest, status])
    }
  })

  it('are not there for what is not', async () => {
    for (const rest of [
      `commit/${'0'.repeat(40)}.diff`,
      'commit/main.diff',
      'merge_requests/2.diff',
      'merge_requests/1.txt',
      'merge_requests/1.diff/x',
    ]) {
      expect([rest, (await get(rest, 'reporter')).statusCode]).toEqual([rest, 404])
    }
  })

  it('hide merge requests that are for members alone', async () => {
    const open = await newBranches(world, { options: { group: world.groups.open } })
    await newRequest(world, open)
    const url = `/${open.project.full_path}/-/merge_requests/1.diff`
    const ask = async () =>
      (await world.app.server.inject({ url, headers: { host: 'bloomery.test' } })).statusCode
    expect(await ask()).toBe(200)
    const members = { merge_requests_access_level: 'private' }
    await world.as('owner').put(`/projects/${open.project.id}`, members)
    expect(await ask()).toBe(404)
  })

  it('take a token that reads repositories by the API alone', async () => {
    const made = await world
      .as('reporter')
      .post('/user/personal_access_tokens', { name: 't', scopes: ['read_repository'] })
    const answer = await world.app.server.inject({
      url: `/${place.project.full_path}/-/commit/${second}.diff`,
      headers: { host: 'bloomery.test', 'private-token': made.json().token },
    })
    expect(answer.statusCode).toBe(403)
  })

  it('lead on from a former path', async () => {
    const moved = await newBranches(world)
    const body = { path: `${moved.project.path}-new` }
    await world.as('owner').put(`/projects/${moved.project.id}`, body)
    const url = `/${moved.project.full_path}/-/commit/${moved.head}.diff`
    const headers = { host: 'bloomery.test', 'private-token': world.token('reporter') }
    const answer = await world.app.server.inject({ url, headers })
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      `http://bloomery.test/${moved.project.full_path}-new/-/commit/${moved.head}.diff`,
    ])
  })

  it('are streamed, however large they are', async () => {
    const text = `${'a line of text that fills the file\n'.repeat(60_000)}`
    const files = Object.fromEntries([1, 2, 3, 4].map((at) => [`large-${at}`, text]))
    const large = await newBranches(world, { changes: files })
    const url = `/${large.project.full_path}/-/commit/${large.head}.diff`
    const headers = { host: 'bloomery.test', 'private-token': world.token('reporter') }
    const answer = await world.app.server.inject({ url, headers })
    expect(answer.body.length).toBeGreaterThan(4 * text.length)
    expect(answer.headers).not.toHaveProperty('content-length')
  })
})
