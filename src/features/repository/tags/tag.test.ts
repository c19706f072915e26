import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import type { Oid, RefName } from '../../../git/names.ts'
import { confirmAlways, updateRefs } from '../../../git/update-refs.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const listUrl = (project: Project, query = '') => `/projects/${project.id}/repository/tags${query}`
const tagUrl = (project: Project, name: string) => listUrl(project, `/${encodeURIComponent(name)}`)
const create = (who: Who, project: Project, body: object) =>
  world.as(who).post(listUrl(project), body)
const namesOf = (answer: { json: () => { name: string }[] }) =>
  answer.json().map(({ name }) => name)
const git = async (project: Project, args: string[], stdin?: string) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args, stdin })).toString().trim()
}

/** A private project with a commit on `main` and lightweight tags of it. */
async function projectWith(...tags: string[]): Promise<Project> {
  const project = await world.newProject({ files: { a: 'a' } })
  for (const tag_name of tags) {
    const answer = await create('owner', project, { tag_name, ref: 'main' })
    expect([tag_name, answer.statusCode]).toEqual([tag_name, 201])
  }
  return project
}

describe('GET /projects/:id/repository/tags', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'open', 200],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(listUrl(world.projects[place]))
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
  })

  it('answers whole records, the newest first, with totals', async () => {
    const project = await projectWith('light')
    world.app.clock.advance(60_000)
    await create('developer', project, { tag_name: 'v1/a', ref: 'light', message: ' First \n' })
    const answer = await world.as('reporter').get(listUrl(project))
    const [annotated, light] = answer.json()
    expect(answer.headers).toMatchObject({ 'x-total': '2', 'x-total-pages': '1' })
    const id = await git(project, ['rev-parse', 'main'])
    const date = '2026-03-01T12:00:00.000+00:00'
    const { name, email } = world.users.owner
    expect(light).toEqual({
      name: 'light',
      message: '',
      target: id,
      commit: {
        id,
        short_id: id.slice(0, 8),
        created_at: expect.any(String),
        parent_ids: [],
        title: 'Add files',
        message: 'Add files',
        author_name: name,
        author_email: email,
        authored_date: expect.any(String),
        committer_name: name,
        committer_email: email,
        committed_date: expect.any(String),
        trailers: {},
        web_url: `http://bloomery.test/${project.full_path}/-/commit/${id}`,
      },
      release: null,
      protected: false,
      created_at: null,
    })
    expect(Date.parse(annotated.created_at)).toBeGreaterThan(Date.parse(date))
    expect(annotated).toEqual({
      ...light,
      name: 'v1/a',
      message: 'First',
      target: await git(project, ['rev-parse', 'v1/a']),
      created_at: expect.stringMatching(/\.000\+00:00$/),
    })
    expect(await git(project, ['cat-file', 'tag', 'v1/a'])).toBe(
      [
        `object ${id}`,
        'type commit',
        'tag v1/a',
        `tagger ${world.users.developer.name} <${world.users.developer.email}> ${Date.parse(annotated.created_at) / 1000} +0000`,
        '',
        'First',
      ].join('\n'),
    )
    expect(await git(project, ['fsck', '--strict'])).toBe('')
  })

  it('answers a repository without tags with an empty list', async () => {
    const answer = await world.as('reporter').get(listUrl(await world.newProject()))
    expect(answer.json()).toEqual([])
    expect(answer.headers['x-total']).toBe('0')
  })

  it('tells tags of tags by the commit they lead to, and tags of files by none', async () => {
    const project = await projectWith()
    const make = (name: string, type: string, object: string) =>
      git(
        project,
        ['mktag'],
        `object ${object}\ntype ${type}\ntag ${name}\ntagger A <a@x.test> 1600000000 +0200\n\nOf ${type}\n`,
      )
    const commit = await git(project, ['rev-parse', 'main'])
    const inner = await make('inner', 'commit', commit)
    const tags = {
      nested: await make('nested', 'tag', inner),
      file: await make('file', 'blob', await git(project, ['rev-parse', 'main:a'])),
    }
    for (const [name, oid] of Object.entries(tags)) {
      await git(project, ['update-ref', `refs/tags/${name}`, oid])
    }
    const shown = (await world.as('reporter').get(listUrl(project, '?order_by=name'))).json()
    expect(shown).toMatchObject([
      { name: 'nested', target: tags.nested, message: 'Of tag', commit: { id: commit } },
      {
        name: 'file',
        target: tags.file,
        commit: null,
        created_at: '2020-09-13T14:26:40.000+02:00',
      },
    ])
  })

  it('sorts by date, name and version, either way', async () => {
    const project = await projectWith()
    for (const tag_name of ['v1.10', 'v1.9', 'v1.9-rc1', 'a']) {
      world.app.clock.advance(60_000)
      await create('owner', project, { tag_name, ref: 'main', message: 'm' })
    }
    const sorted = async (query: string) =>
      namesOf(await world.as('reporter').get(listUrl(project, query)))
    expect(await sorted('')).toEqual(['a', 'v1.9-rc1', 'v1.9', 'v1.10'])
    expect(await sorted('?sort=asc')).toEqual(['v1.10', 'v1.9', 'v1.9-rc1', 'a'])
    expect(await sorted('?order_by=name&sort=asc')).toEqual(['a', 'v1.10', 'v1.9', 'v1.9-rc1'])
    expect(await sorted('?order_by=name')).toEqual(['v1.9-rc1', 'v1.9', 'v1.10', 'a'])
    expect(await sorted('?order_by=version&sort=asc')).toEqual(['a', 'v1.9-rc1', 'v1.9', 'v1.10'])
    expect(await sorted('?order_by=version')).toEqual(['v1.10', 'v1.9', 'v1.9-rc1', 'a'])
    const byDate = await git(project, [
      'for-each-ref',
      '--sort=-creatordate',
      '--format=%(refname:strip=2)',
      'refs/tags/',
    ])
    expect(await sorted('?order_by=updated')).toEqual(byDate.split('\n'))
  })

  it.each([
    ['V1', ['v1', 'v1.0', 'my-v1']],
    ['^v', ['v1.0', 'v1']],
    ['1$', ['v1', 'my-v1']],
    ['^v1$', ['v1']],
    ['m*1', ['my-v1']],
    ['nothing', []],
  ])('finds by the search %s', async (search, expected) => {
    searched ??= projectWith('my-v1', 'v1', 'v1.0')
    const query = `?order_by=name&search=${encodeURIComponent(search)}`
    const answer = await world.as('reporter').get(listUrl(await searched, query))
    expect(namesOf(answer)).toEqual(expected)
    expect(answer.headers['x-total']).toBe(String(expected.length))
  })
  let searched: Promise<Project> | undefined

  it.each([
    ['?order_by=size', { error: 'order_by does not have a valid value' }],
    ['?sort=up', { error: 'sort does not have a valid value' }],
    ['?per_page=0', { error: 'per_page has a value not allowed' }],
    ['?pagination=other', { error: 'pagination does not have a valid value' }],
  ])('refuses %s', async (query, body) => {
    const answer = await world.as('reporter').get(listUrl(world.projects.shut, query))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(body)
  })

  it('pages by number and by name', async () => {
    const project = await projectWith('a', 'b', 'c', 'd')
    const query = '?order_by=name&sort=asc'
    const byNumber = await world.as('reporter').get(listUrl(project, `${query}&per_page=3&page=2`))
    expect(namesOf(byNumber)).toEqual(['d'])
    expect(byNumber.headers).toMatchObject({ 'x-total': '4', 'x-prev-page': '1' })
    const seen: string[][] = []
    let url: string | undefined = listUrl(project, `${query}&per_page=2&pagination=keyset`)
    while (url) {
      const answer = await world.as('reporter').get(url)
      expect(answer.headers['x-total']).toBeUndefined()
      seen.push(namesOf(answer))
      const next = /^<http:\/\/bloomery\.test([^>]+)>; rel="next"$/
      url = next.exec(String(answer.headers.link ?? ''))?.[1]
    }
    expect(seen).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('goes on after a page token whose tag is gone only by name', async () => {
    const project = await projectWith('a', 'c')
    const url = (query: string) => listUrl(project, `?pagination=keyset&page_token=b${query}`)
    const get = (query: string) => world.as('reporter').get(url(query))
    expect(namesOf(await get('&order_by=name&sort=asc'))).toEqual(['c'])
    expect(namesOf(await get('&order_by=name'))).toEqual(['a'])
    const byDate = await get('')
    expect([byDate.statusCode, byDate.json()]).toEqual([
      422,
      { message: 'Invalid page token: refs/tags/b' },
    ])
  })

  it('starts no process once warm, however many tags', async () => {
    const project = await projectWith('seed')
    const oid = (await git(project, ['rev-parse', 'main'])) as Oid
    const zero = '0'.repeat(40) as Oid
    const updates = Array.from({ length: 500 }, (_, at) => ({
      name: `refs/tags/many-${at}` as RefName,
      oldOid: zero,
      newOid: oid,
    }))
    const repository = projectRepository(world.app.config, project)
    await updateRefs(world.app.git.git, repository, { updates, confirm: confirmAlways })
    await git(project, ['pack-refs', '--all'])
    const list = () => world.as('reporter').get(listUrl(project, '?per_page=100'))
    expect((await world.app.count(list)).processes).toBeLessThanOrEqual(2)
    expect(await world.app.count(list)).toEqual({ queries: 4, processes: 0 })
    const version = () => world.as('reporter').get(listUrl(project, '?order_by=version'))
    expect(await world.app.count(version)).toEqual({ queries: 4, processes: 0 })
  })
})

describe('GET /projects/:id/repository/tags/:tag_name', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    await create('owner', world.projects[place], { tag_name: 'here', ref: 'main' })
    const answer = await world.as(who).get(tagUrl(world.projects[place], 'here'))
    expect(answer.statusCode).toBe(status)
  })

  it.each(['v1/2.0', 'a#b', 'a%b', 'ä+1', "it's"])('answers the record of %s', async (name) => {
    const project = await projectWith(name)
    const [inList] = (await world.as('reporter').get(listUrl(project))).json()
    const answer = await world.as('reporter').get(tagUrl(project, name))
    expect(answer.json()).toEqual(inList)
    expect(inList.name).toBe(name)
  })

  it.each(['nothing', 'a..b', '-x', '../heads/main'])('does not find %s', async (name) => {
    const answer = await world.as('reporter').get(tagUrl(world.projects.shut, name))
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 Tag Not Found' })
  })
})

describe('POST /projects/:id/repository/tags', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['outsider', 'open', 403],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 201],
    ['admin', 'shut', 201],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await create(who, world.projects[place], { tag_name: `by-${who}`, ref: 'main' })
    expect(answer.statusCode).toBe(status)
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
    if (status === 401) expect(answer.json()).toEqual({ message: '401 Unauthorized' })
  })

  it('answers the new tag as GET does, and counts as activity', async () => {
    const project = await projectWith()
    const before = (await world.as('owner').get(`/projects/${project.id}`)).json()
    world.app.clock.advance(10 * 60_000)
    const answer = await create('developer', project, {
      tag_name: 'v1',
      ref: 'HEAD',
      message: 'Two\n\nparagraphs',
    })
    const got = await world.as('developer').get(tagUrl(project, 'v1'))
    expect(answer.json()).toEqual(got.json())
    expect(answer.json().message).toBe('Two\n\nparagraphs')
    const other = await projectWith()
    const ofOther = { tag_name: 'v1', ref: 'HEAD', description: 'Of the other project' }
    await world.as('developer').post(`/projects/${other.id}/releases`, ofOther)
    const later = (await world.as('developer').get(tagUrl(project, 'v1'))).json()
    expect([got.json().release, later.release]).toEqual([null, null])
    const after = (await world.as('owner').get(`/projects/${project.id}`)).json()
    expect(Date.parse(after.last_activity_at)).toBeGreaterThan(Date.parse(before.last_activity_at))
  })

  it('makes a lightweight tag of a blank message', async () => {
    const project = await projectWith()
    const made = await create('developer', project, { tag_name: 'v1', ref: 'main', message: ' ' })
    expect(made.json()).toMatchObject({ message: '', created_at: null })
    expect(await git(project, ['cat-file', '-t', 'v1'])).toBe('commit')
  })

  it.each<readonly [object, object]>([
    [{}, { error: 'tag_name is missing, ref is missing' }],
    ...['new tag', 'a..b', '-x', 'x.lock', 'refs/tags/x', '', '/a', 'a~1'].map(
      (tag_name) => [{ tag_name, ref: 'nothing' }, { message: 'Tag name invalid' }] as const,
    ),
    [{ tag_name: 'taken', ref: 'nothing' }, { message: 'Tag taken already exists' }],
    ...['foo', '-x', 'main:a'].map(
      (ref) => [{ tag_name: 'new', ref }, { message: `Target ${ref} is invalid` }] as const,
    ),
    ...['', ' '].map((ref) => [{ tag_name: 'a..b', ref }, { message: 'Target is empty' }] as const),
    [
      { tag_name: 'taken/sub', ref: 'main' },
      { message: 'Tag name conflicts with existing tag hierarchy.' },
    ],
  ])('refuses %j', async (body, expected) => {
    await create('owner', world.projects.shut, { tag_name: 'taken', ref: 'main' })
    const answer = await create('developer', world.projects.shut, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
  })

  it('lets one of several makers of the same tag win', async () => {
    const project = await projectWith()
    const body = { tag_name: 'race', ref: 'main', message: 'm' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => create('owner', project, body)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400, 400])
    for (const answer of answers) {
      if (answer.statusCode === 400) {
        expect(answer.json()).toEqual({ message: 'Tag race already exists' })
      }
    }
  })
})

describe('DELETE /projects/:id/repository/tags/:tag_name', () => {
  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 204],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    await create('owner', world.projects[place], { tag_name: 'gone', ref: 'main' })
    const answer = await world.as(who).delete(tagUrl(world.projects[place], 'gone'))
    expect(answer.statusCode).toBe(status)
    if (status !== 204) return
    expect(answer.body).toBe('')
    const again = await world.as(who).delete(tagUrl(world.projects[place], 'gone'))
    expect([again.statusCode, again.json()]).toEqual([404, { message: '404 Tag Not Found' }])
  })

  it('heeds If-Unmodified-Since', async () => {
    const project = await projectWith('v1')
    const remove = (since: string) =>
      world.as('developer').delete(tagUrl(project, 'v1'), undefined, {
        headers: { 'if-unmodified-since': since },
      })
    const early = await remove('Thu, 01 Jan 2026 00:00:00 GMT')
    expect(early.statusCode).toBe(412)
    expect(early.json()).toEqual({ message: '412 Precondition Failed' })
    expect((await remove('Fri, 01 Jan 2100 00:00:00 GMT')).statusCode).toBe(204)
  })
})
