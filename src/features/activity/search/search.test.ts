import { beforeAll, describe, expect, it } from 'vitest'
import { rootToken, startApp } from '../../../../test/kit/app.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
let project: Project
let second: string
beforeAll(async () => {
  world = await newWorld()
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
  lines[4] = 'The Anvil is here'
  lines[15] = 'and an anvil there'
  project = await world.newProject({
    files: {
      'src/deep/long.txt': `${lines.join('\n')}\n`,
      'b:c é.md': 'anvil(.*) [x]',
      '-dash': 'anvil --open-files-in-pager=sh',
      Makefile: 'no match',
      'picture.bin': Buffer.from('anvil\0\x01\x02'),
    },
  })
  second = await world.commit(
    project,
    { 'other.rb': 'a quench' },
    { message: 'Quench the BLADE.*\n\nIn a long body: temper' },
  )
  await world.commit(
    project,
    { 'topic.rb': 'anvil of the topic' },
    { branch: 'topic', start_branch: 'main', message: 'On a topic' },
  )
})

const search = (query: object, who: Parameters<World['as']>[0] = 'reporter', in_?: string) => {
  const place = in_ ?? `/projects/${project.id}`
  return world.as(who).get(`${place}/search?${new URLSearchParams({ ...query })}`)
}
const pathsOf = (answer: { json: () => { path: string }[] }) =>
  answer.json().map(({ path }) => path)

describe('GET /projects/:id/search', () => {
  it.each([
    ['anonymous', 'open', 401, { message: '401 Unauthorized' }],
    ['anonymous', 'shut', 401, { message: '401 Unauthorized' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'open', 200, undefined],
    ['guest', 'shut', 200, undefined],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, body) => {
    const query = { scope: 'blobs', search: 'Readme' }
    const answer = await search(query, who, `/projects/${world.projects[place].id}`)
    expect(answer.statusCode).toBe(status)
    if (body) expect(answer.json()).toEqual(body)
  })

  it.each([
    [{}, 'search is missing, scope is missing'],
    [{ search: 'x' }, 'scope is missing'],
    [{ search: 'x', scope: 'projects' }, 'scope does not have a valid value'],
    [{ search: 'x', scope: 'blobs', per_page: 0 }, 'per_page has a value not allowed'],
  ])('refuses %j', async (query, error) => {
    const answer = await search(query)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  it('refuses a very long text', async () => {
    const answer = await search({ scope: 'blobs', search: 'x'.repeat(4097) })
    const message = '400 Bad request - Search query is too long (maximum is 4096 characters)'
    expect([answer.statusCode, answer.json()]).toEqual([400, { message }])
  })

  it('finds passages of files, whole records in the order of paths', async () => {
    const answer = await search({ scope: 'blobs', search: 'ANVIL' })
    const hit = (path: string, fields: object) => ({
      path,
      filename: path,
      id: null,
      ref: 'main',
      startline: 1,
      project_id: project.id,
      ...fields,
    })
    expect(answer.json()).toEqual([
      hit('-dash', { basename: '-dash', data: 'anvil --open-files-in-pager=sh\n' }),
      hit('b:c é.md', { basename: 'b:c é', data: 'anvil(.*) [x]\n' }),
      hit('src/deep/long.txt', {
        basename: 'src/deep/long',
        data: 'line 3\nline 4\nThe Anvil is here\nline 6\nline 7\n',
        startline: 3,
      }),
      hit('src/deep/long.txt', {
        basename: 'src/deep/long',
        data: 'line 14\nline 15\nand an anvil there\nline 17\nline 18\n',
        startline: 14,
      }),
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '1' })
    const page = await search({ scope: 'blobs', search: 'anvil', per_page: 2, page: 2 })
    expect(page.json()).toEqual(answer.json().slice(2))
    expect(page.headers).toMatchObject({ 'x-total': '4', 'x-page': '2', 'x-prev-page': '1' })
    const other = `/projects/${project.id}/-/search?scope=blobs&search=anvil`
    expect((await world.as('reporter').get(other)).json()).toEqual(answer.json())
  })

  it.each([
    ['anvil(.*) [x]', ['b:c é.md']],
    ['anvil.', []],
    ['--open-files-in-pager=sh', ['-dash']],
    ['--help', []],
    ['anvil\nline', []],
    ['anvil extension:md', ['b:c é.md']],
    ['anvil filename:LONG*', ['src/deep/long.txt', 'src/deep/long.txt']],
    ['anvil path:src/*/long', ['src/deep/long.txt', 'src/deep/long.txt']],
    ['anvil path:nowhere', []],
    ['anvil -path:src', ['-dash', 'b:c é.md']],
    ['extension:md', []],
    [' ', []],
  ])('finds by %j what is there as it stands', async (text, paths) => {
    const answer = await search({ scope: 'blobs', search: text })
    expect([answer.statusCode, pathsOf(answer)]).toEqual([200, paths])
  })

  it('looks where it is told to', async () => {
    const at = async (ref: string) =>
      pathsOf(await search({ scope: 'blobs', search: 'of the topic', ref }))
    expect(await at('topic')).toEqual(['topic.rb'])
    expect(await at('main')).toEqual([])
    expect(await at('no-such-branch')).toEqual([])
    expect(await at('--output=/tmp/x')).toEqual([])
    const empty = await world.newProject()
    const nowhere = await search(
      { scope: 'blobs', search: 'a' },
      'reporter',
      `/projects/${empty.id}`,
    )
    expect(nowhere.json()).toEqual([])
  })

  it('finds commits by message, in any case and as it stands', async () => {
    const answer = await search({ scope: 'commits', search: 'blade.*' })
    expect(answer.json()).toEqual([
      {
        id: second,
        short_id: second.slice(0, 8),
        created_at: expect.any(String),
        parent_ids: [expect.any(String)],
        title: 'Quench the BLADE.*',
        message: 'Quench the BLADE.*\n\nIn a long body: temper',
        author_name: world.users.owner.name,
        author_email: world.users.owner.email,
        authored_date: expect.any(String),
        committer_name: world.users.owner.name,
        committer_email: world.users.owner.email,
        committed_date: expect.any(String),
        trailers: {},
        web_url: `http://bloomery.test/${project.full_path}/-/commit/${second}`,
        status: null,
        last_pipeline: null,
        project_id: project.id,
      },
    ])
    const url = `/projects/${project.id}/statuses/${second}`
    const set = await world.as('maintainer').post(url, { state: 'success' })
    expect(set.statusCode).toBe(201)
    const [found] = (await search({ scope: 'commits', search: 'blade.*' })).json()
    const one = await world
      .as('reporter')
      .get(`/projects/${project.id}/repository/commits/${second}?stats=false`)
    expect(found).toEqual(one.json())
    expect(found.last_pipeline).toMatchObject({ sha: second, status: 'success' })
    const later = await world.as('maintainer').post(url, { state: 'failed', ref: 'topic' })
    expect(later.statusCode).toBe(201)
    const lastPipeline = async () =>
      (await search({ scope: 'commits', search: 'blade.*' })).json()[0].last_pipeline
    const own = await lastPipeline()
    expect(own).toMatchObject({ sha: second, ref: 'topic', status: 'failed' })
    // Neither one of a fork, nor one that another pipeline has started.
    const place = { namespace_id: world.groups.open.id, path: `fork-${project.path}` }
    const fork = (await world.as('owner').post(`/projects/${project.id}/fork`, place)).json()
    await world.app.worker.drain()
    const ofFork = `/projects/${fork.id}/statuses/${second}`
    const more = await world.as('owner').post(ofFork, { state: 'running', ref: 'topic' })
    expect(more.statusCode).toBe(201)
    await world.as('maintainer').post(url, { state: 'running', ref: 'child' })
    const { db } = world.app
    const children = db.updateTable('pipelines').where('ref', '=', 'child')
    const { numUpdatedRows } = await children.set({ parent_id: own.id }).executeTakeFirstOrThrow()
    expect([numUpdatedRows, await lastPipeline()]).toEqual([1n, own])
    const setBuilds = (builds_access_level: string) =>
      world.as('owner').put(`/projects/${project.id}`, { builds_access_level })
    await setBuilds('disabled')
    expect(await lastPipeline()).toBeNull()
    await setBuilds('enabled')
    const ids = async (text: string, more: object = {}) => {
      const found = await search({ scope: 'commits', search: text, ...more })
      return found.json().map(({ id }: { id: string }) => id)
    }
    expect(await ids('TEMPER')).toEqual([second])
    expect(await ids('blade..')).toEqual([])
    expect(await ids('--all')).toEqual([])
    expect(await ids(second.slice(0, 10))).toEqual([second])
    expect(await ids(second.slice(0, 10), { page: 2 })).toEqual([])
    expect(await ids('on a topic')).toEqual([])
    expect(await ids('on a topic', { ref: 'topic' })).toHaveLength(1)
    expect(await ids('e', { per_page: 1, page: 2 })).toHaveLength(1)
  })

  it('shows code and commits to nobody who may not read them', async () => {
    for (const scope of ['blobs', 'commits']) {
      const found = await search({ scope, search: 'a' }, 'reporter')
      expect(found.json()).not.toEqual([])
      const hidden = await search({ scope, search: 'a' }, 'guest')
      expect([hidden.statusCode, hidden.json()]).toEqual([200, []])
    }
  })

  it('finds members, but nobody by way of an invited group', async () => {
    const place = await world.newProject()
    const hidden = await world.newGroup()
    const { user } = await world.newUser()
    const direct = await world.newUser()
    const admin = world.as('admin')
    await admin.post(`/groups/${hidden.id}/members`, { user_id: user.id, access_level: 30 })
    await admin.post(`/projects/${place.id}/share`, { group_id: hidden.id, group_access: 20 })
    await admin.post(`/projects/${place.id}/members`, {
      user_id: direct.user.id,
      access_level: 20,
    })
    const at = `/projects/${place.id}`
    const named = async (text: string) =>
      (await search({ scope: 'users', search: text }, 'reporter', at)).json()
    const { id, username, name } = direct.user
    expect(await named(username.toUpperCase())).toEqual([
      {
        id,
        username,
        name,
        state: 'active',
        avatar_url: null,
        web_url: `http://bloomery.test/${username}`,
      },
    ])
    expect(await named(user.username)).toEqual([])
    expect(await named(world.users.owner.username)).toHaveLength(1)
    expect(await named(world.users.outsider.username)).toEqual([])
  })

  it('finds issues, merge requests, milestones and notes, as far as the caller sees them', async () => {
    const { url: requests, project } = await newBranches(world)
    const url = `/projects/${project.id}`
    const owner = world.as('owner')
    const word = `anvil${project.id}`
    const issue = (await owner.post(`${url}/issues`, { title: `The ${word}` })).json()
    await owner.post(`${url}/issues`, { title: `Hidden ${word}`, confidential: true })
    await owner.post(`${url}/milestones`, { title: `Until the ${word}` })
    const request = await newRequest(world, { url: requests }, { who: 'owner' })
    await owner.put(`${url}/merge_requests/${request.iid}`, { title: `Mend the ${word}` })
    await owner.post(`${url}/issues/${issue.iid}/notes`, { body: `Where is the ${word}?` })
    await owner.post(`${url}/issues/${issue.iid}/notes`, { body: `No ${word}`, confidential: true })
    const count = async (who: Parameters<World['as']>[0], at: string) => {
      const scopes = ['issues', 'merge_requests', 'milestones', ...(at === url ? ['notes'] : [])]
      const found = await Promise.all(
        scopes.map((scope) => search({ scope, search: word }, who, at)),
      )
      return found.map((answer) => answer.json().length)
    }
    const group = `/groups/${project.namespace_id}`
    expect(await count('owner', url)).toEqual([2, 1, 1, 2])
    expect(await count('guest', url)).toEqual([1, 0, 1, 1])
    for (const at of [group, '']) {
      expect(await count('owner', at)).toEqual([2, 1, 1])
      expect(await count('guest', at)).toEqual([1, 0, 1])
      expect(await count('outsider', at === group ? '' : at)).toEqual([0, 0, 0])
    }
    const numbered = await search({ scope: 'issues', search: `#${issue.iid}` }, 'guest', url)
    expect(numbered.json()).toMatchObject([{ id: issue.id, title: `The ${word}` }])
    const closed = { scope: 'issues', search: word, state: 'closed' }
    expect((await search(closed, 'owner', url)).json()).toEqual([])
    const noted = await search({ scope: 'notes', search: word }, 'guest', url)
    expect(noted.json()[0]).toMatchObject({
      noteable_iid: issue.iid,
      body: `Where is the ${word}?`,
    })
    const due = await search({ scope: 'milestones', search: word }, 'guest', url)
    expect(due.json()[0]).toMatchObject({ title: `Until the ${word}`, project_id: project.id })
  })

  it('asks git once, and nothing when asked again', async () => {
    const place = await world.newProject({ files: { a: 'something' } })
    for (const scope of ['blobs', 'commits']) {
      const ask = () => search({ scope, search: 'a' }, 'reporter', `/projects/${place.id}`)
      // The kept process that answers for objects.
      await world.as('reporter').get(`/projects/${place.id}/repository/commits`)
      const { processes } = await world.app.count(ask)
      expect(processes).toBe(1)
      expect(await world.app.count(ask)).toMatchObject({ processes: 0 })
    }
  })

  it('ends a file with very many hits', async () => {
    const place = await world.newProject({ files: { many: 'hit\n\n\n\n\n\n'.repeat(150) } })
    const query = { scope: 'blobs', search: 'hit', per_page: 100 }
    const answer = await search(query, 'reporter', `/projects/${place.id}`)
    expect(answer.headers['x-total']).toBe('100')
  })
})

describe('GET /groups/:id/search', () => {
  it('answers whoever cannot see the group with 404, and nobody with 401', async () => {
    const at = `/groups/${world.groups.shut.id}`
    const query = { scope: 'users', search: 'a' }
    const hidden = await search(query, 'outsider', at)
    expect([hidden.statusCode, hidden.json()]).toEqual([404, { message: '404 Group Not Found' }])
    expect((await search(query, 'anonymous', at)).statusCode).toBe(401)
  })

  it('finds the projects in it and below it that the caller sees, simply shown', async () => {
    const top = await world.newGroup({ visibility: 'public' })
    const sub = await world.newGroup({ parent: top, visibility: 'public' })
    const open = await world.newProject({ group: sub })
    const shut = await world.newProject({ group: top, visibility: 'private' })
    const admin = world.as('admin')
    for (const { id } of [open, shut]) await admin.put(`/projects/${id}`, { description: 'Forge' })
    const ids = async (who: Parameters<World['as']>[0], text = 'forge') => {
      const answer = await search({ scope: 'projects', search: text }, who, `/groups/${top.id}`)
      return answer.json().map(({ id }: { id: number }) => id)
    }
    expect(await ids('admin')).toEqual([shut.id, open.id])
    expect(await ids('outsider')).toEqual([open.id])
    expect(await ids('admin', 'smithy')).toEqual([])
    const [shown] = (
      await search({ scope: 'projects', search: 'forge' }, 'outsider', `/groups/${top.id}/-`)
    ).json()
    expect(shown).toMatchObject({ id: open.id, path_with_namespace: open.full_path })
    expect(shown).not.toHaveProperty('visibility')
  })

  it('finds members of it and of groups above it', async () => {
    const body = { name: 'Sub', path: 'searched', parent_id: world.groups.shut.id }
    const sub = (await world.as('owner').post('/groups', body)).json()
    const { username, id } = world.users.guest
    const found = await search({ scope: 'users', search: username }, 'owner', `/groups/${sub.id}`)
    expect(found.json()).toMatchObject([{ id }])
    const outsider = { scope: 'users', search: world.users.outsider.username }
    expect((await search(outsider, 'owner', `/groups/${sub.id}`)).json()).toEqual([])
  })

  it.each(['blobs', 'commits', 'notes', 'wiki_blobs'])(
    'refuses %s without an index',
    async (scope) => {
      for (const at of [`/groups/${world.groups.open.id}`, '']) {
        const answer = await search({ scope, search: 'a' }, 'owner', at)
        expect([answer.statusCode, answer.json()]).toEqual([
          400,
          { message: { error: 'Scope not supported without Elasticsearch!' } },
        ])
      }
    },
  )
})

describe('GET /search', () => {
  it('finds projects and users as the caller sees them, and refuses the anonymous', async () => {
    const hidden = await world.newProject({ group: world.groups.shut })
    const ids = async (who: Parameters<World['as']>[0], query: object) =>
      (await search(query, who, '')).json().map(({ id }: { id: number }) => id)
    const query = { scope: 'projects', search: hidden.path }
    expect(await ids('guest', query)).toEqual([hidden.id])
    expect(await ids('outsider', query)).toEqual([])
    const { username, id, email } = world.users.guest
    expect(await ids('outsider', { scope: 'users', search: username })).toEqual([id])
    expect(await ids('outsider', { scope: 'users', search: email })).toEqual([])
    expect(await ids('outsider', { scope: 'snippet_titles', search: 'a' })).toEqual([])
    expect(await ids('outsider', { scope: 'projects', search: '  ' })).toEqual([])
    expect((await search(query, 'anonymous', '')).statusCode).toBe(401)
  })

  it('knows no scopes of an index on the lowest tier', async () => {
    const own = await startApp({ BLOOMERY_TIER: 'free' })
    try {
      const answer = await own.client(rootToken).get('/search?scope=blobs&search=a')
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: 'scope does not have a valid value' },
      ])
    } finally {
      await own.close()
    }
  })
})
