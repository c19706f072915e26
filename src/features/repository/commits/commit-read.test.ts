import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
let project: Project
let oids: Record<string, string>
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject()
  oids = await makeHistory(project)
})

const git = async (where: Project, args: string[], stdin?: string | Buffer) => {
  const repository = projectRepository(world.app.config, where)
  return (await runGit(world.app.git.git, repository, { args, stdin })).toString()
}
const revision = async (where: Project, name: string) =>
  (await git(where, ['rev-parse', name])).trim()
const urlOf = (where: Project, more = '') => `/projects/${where.id}/repository/commits${more}`
const ids = (answer: { json: () => { id: string }[] }) => answer.json().map(({ id }) => id)

const lines = (count: number, changed = -1) =>
  Array.from({ length: count }, (_, at) => `line ${at}${at === changed ? ' changed' : ''}\n`).join(
    '',
  )

const data = (text: string | Buffer) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}
const file = (mode: string, path: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`M ${mode} inline ${path}\n`), data(content)])

type Step = {
  mark: number
  branch: string
  from?: number
  merge?: number
  author?: string
  /** Author's and committer's seconds and offsets. */
  dates: [string, string]
  message: string
  changes: (string | Buffer)[]
}

/** Feeds `git fast-import`; answers the commits by their marks. */
async function importSteps(where: Project, steps: Step[], tags = '') {
  const parts = steps.flatMap((step) => [
    `commit refs/heads/${step.branch}\nmark :${step.mark}\n`,
    `author ${step.author ?? 'Ann <ann@x.test>'} ${step.dates[0]}\n`,
    `committer Carl <carl@x.test> ${step.dates[1]}\n`,
    data(step.message),
    step.from ? `from :${step.from}\n` : '',
    step.merge ? `merge :${step.merge}\n` : '',
    ...step.changes,
    '\n',
  ])
  const marks = steps.map(({ mark }) => `get-mark :${mark}\n`).join('')
  const stream = Buffer.concat([...parts, tags, marks].map((part) => Buffer.from(part)))
  const printed = await git(where, ['fast-import', '--quiet', '--cat-blob-fd=1'], stream)
  const names = printed.trim().split('\n')
  return Object.fromEntries(steps.map(({ mark }, at) => [`c${mark}`, names[at] ?? '']))
}

/** Two branches that were merged, a third that was not, a renamed file, three authors. */
function makeHistory(where: Project) {
  const at = (hours: number, offset = '+0000') => `${1_600_000_000 + hours * 3600} ${offset}`
  const both = (hours: number): [string, string] => [at(hours), at(hours)]
  return importSteps(
    where,
    [
      {
        mark: 1,
        branch: 'main',
        dates: [at(0, '+0200'), at(1, '-0330')],
        message: 'Root\n\nThe body.\n',
        changes: [file('100644', 'a.txt', lines(30)), file('100644', 'dir/x', 'x\n')],
      },
      {
        mark: 2,
        branch: 'main',
        from: 1,
        author: 'Ben <ben@x.test>',
        dates: both(2),
        message:
          'Two\n\nReviewed-by: R <r@x.test>\nSigned-off-by: One <1@x.test>\nSigned-off-by: Two\n  <2@x.test>\n',
        changes: [file('100644', 'a.txt', lines(30, 4))],
      },
      {
        mark: 3,
        branch: 'side',
        from: 1,
        author: 'Ben <ben@x.test>',
        dates: both(3),
        message: 'Side three',
        changes: [file('100644', 'side', 'one\ntwo')],
      },
      {
        mark: 4,
        branch: 'main',
        from: 2,
        dates: both(4),
        message: 'Rename',
        changes: ['R a.txt dir/b.txt\n'],
      },
      {
        mark: 5,
        branch: 'side',
        from: 3,
        dates: both(5),
        message: 'Side five',
        changes: [file('100644', 'side', 'one\n2\n')],
      },
      {
        mark: 6,
        branch: 'main',
        from: 4,
        merge: 5,
        author: 'Eve <eve@x.test>',
        dates: both(6),
        message: 'Merge side',
        changes: [file('100644', 'side', 'one\n2\n')],
      },
      {
        mark: 7,
        branch: 'main',
        from: 6,
        dates: both(7),
        message: '',
        changes: [file('100644', 'dir/b.txt', lines(30, 20))],
      },
      {
        mark: 8,
        branch: 'open/topic',
        from: 4,
        author: 'Eve <eve@x.test>',
        dates: both(8),
        message: 'Topic',
        changes: ['D dir/x\n'],
      },
    ],
    'tag v1\nfrom :2\ntagger T <t@x.test> 1600000000 +0000\ndata 2\nv1\nreset refs/tags/light\nfrom :8\n\n',
  )
}

const accessRows = [
  ['anonymous', 'open', 200, undefined],
  ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
  ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
  ['outsider', 'inside', 200, undefined],
  ['guest', 'open', 200, undefined],
  ['guest', 'shut', 403, { message: '403 Forbidden' }],
  ['reporter', 'shut', 200, undefined],
] as const

describe.each([
  ['GET /projects/:id/repository/commits', ''],
  ['GET /projects/:id/repository/commits/:sha', '/main'],
  ['GET /projects/:id/repository/commits/:sha/refs', '/main/refs'],
  ['GET /projects/:id/repository/commits/:sha/diff', '/main/diff'],
] as const)('%s', (_route, path) => {
  it.each(accessRows)('answers %s of the %s project with %i', async (who, place, status, body) => {
    const answer = await world.as(who).get(urlOf(world.projects[place], path))
    expect(answer.statusCode).toBe(status)
    if (body) expect(answer.json()).toEqual(body)
  })
})

describe('GET /projects/:id/repository/commits', () => {
  const list = (query: Record<string, string> = {}, where = project) =>
    world.as('reporter').get(`${urlOf(where)}?${new URLSearchParams(query)}`)

  it('answers each commit whole, with its own offsets, and no totals', async () => {
    const answer = await list({ ref_name: oids.c2 ?? '' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()[1]).toEqual({
      id: oids.c1,
      short_id: oids.c1?.slice(0, 8),
      created_at: '2020-09-13T09:56:40.000-03:30',
      parent_ids: [],
      title: 'Root',
      message: 'Root\n\nThe body.\n',
      author_name: 'Ann',
      author_email: 'ann@x.test',
      authored_date: '2020-09-13T14:26:40.000+02:00',
      committer_name: 'Carl',
      committer_email: 'carl@x.test',
      committed_date: '2020-09-13T09:56:40.000-03:30',
      trailers: {},
      web_url: `http://bloomery.test/${project.full_path}/-/commit/${oids.c1}`,
    })
    expect(answer.headers).toMatchObject({
      'x-page': '1',
      'x-per-page': '20',
      'x-next-page': '',
      'x-prev-page': '',
    })
    expect(answer.headers).not.toHaveProperty('x-total')
    expect(answer.headers).not.toHaveProperty('x-total-pages')
    expect(answer.headers.link).not.toContain('rel="last"')
  })

  it.each<[Record<string, string>, string[]]>([
    [{}, ['main']],
    [{ ref_name: '' }, ['HEAD']],
    [{ ref_name: 'side' }, ['side']],
    [{ ref_name: 'v1' }, ['v1']],
    [{ ref_name: 'open/topic' }, ['open/topic']],
    [{ ref_name: 'main~2' }, ['main~2']],
    [{ ref_name: 'side..main' }, ['side..main']],
    [{ ref_name: 'main..open/topic' }, ['main..open/topic']],
    [{ ref_name: 'main...open/topic' }, ['main...open/topic']],
    [{ ref_name: 'v1..' }, ['v1..']],
    [{ ref_name: '4b825dc642cb6eb9a060e54bf8d69288fbee4904..side' }, ['side']],
    [{ all: 'true' }, ['--all']],
    [{ all: 'true', ref_name: 'side' }, ['--all']],
    [{ order: 'topo' }, ['--topo-order', 'main']],
    [{ order: 'default' }, ['main']],
    [{ all: 'true', order: 'topo' }, ['--all', '--topo-order']],
    [{ first_parent: 'true' }, ['--first-parent', 'main']],
    [{ since: '2020-09-13T15:26:40Z' }, ['--since=2020-09-13T15:26:40Z', 'main']],
    [{ until: '2020-09-13T15:26:40Z' }, ['--until=2020-09-13T15:26:40Z', 'main']],
    [
      { since: '2020-09-13T16:26:40+02:00', until: '2020-09-13T17:26:40Z', all: 'true' },
      ['--since=2020-09-13T14:26:40Z', '--until=2020-09-13T17:26:40Z', '--all'],
    ],
    [{ author: 'Ben' }, ['--author=Ben', 'main']],
    [{ author: 'eve@x', all: 'true' }, ['--author=eve@x', '--all']],
    [{ search: 'SIDE' }, ['-i', '--grep=side', 'main']],
    [{ search: 'the body.', all: 'true' }, ['-i', '-F', '--grep=the body.', '--all']],
    [{ search: 'side', author: 'ben' }, ['-i', '--grep=side', '--author=ben', 'main']],
    [{ search: 'r', path: 'dir' }, ['-i', '--grep=r', 'main', '--', 'dir']],
    [{ path: 'side' }, ['--follow', 'main', '--', 'side']],
    [{ path: 'dir' }, ['main', '--', 'dir']],
    [{ path: '/dir/' }, ['main', '--', 'dir']],
    [{ path: 'dir/b.txt' }, ['--follow', 'main', '--', 'dir/b.txt']],
    [{ path: 'dir/x', ref_name: 'open/topic' }, ['--follow', 'open/topic', '--', 'dir/x']],
    [{ path: 'dir/b.txt', all: 'true' }, ['--all', '--', 'dir/b.txt']],
    [{ path: 'dir/b.txt', author: 'Ann' }, ['--author=Ann', '--follow', 'main', '--', 'dir/b.txt']],
  ])('lists for %j what git log %j does', async (query, args) => {
    const expected = (await git(project, ['log', '--format=%H', ...args])).trim().split('\n')
    expect(expected).not.toEqual([''])
    expect(ids(await list(query))).toEqual(expected)
    const paged: string[] = []
    for (let page = 1; page < 10; page++) {
      const answer = await list({ ...query, per_page: '2', page: String(page) })
      paged.push(...ids(answer))
      if (answer.headers['x-next-page'] === '') break
    }
    expect(paged).toEqual(expected)
  })

  it('follows a renamed file, but not with all', async () => {
    expect(ids(await list({ path: 'dir/b.txt' }))).toEqual([oids.c7, oids.c4, oids.c2, oids.c1])
    expect(ids(await list({ path: 'dir/b.txt', all: 'true' }))).toEqual([oids.c7, oids.c4])
  })

  it('finds a short hash', async () => {
    expect(ids(await list({ ref_name: (oids.c3 ?? '').slice(0, 8) }))).toEqual([oids.c3, oids.c1])
  })

  it.each([
    [{ ref_name: 'none' }],
    [{ ref_name: 'none..main' }],
    [{ ref_name: 'main..none' }],
    [{ ref_name: 'v1..main..side' }],
    [{ ref_name: 'main^{/Root}' }],
    [{ path: 'absent' }],
    [{ path: '../etc' }],
    [{ page: '999999999999' }],
    [{ ref_name: 'main..main' }],
  ])('answers %j with an empty list', async (query) => {
    const answer = await list(query as Record<string, string>)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([])
    expect(answer.headers['x-next-page']).toBe('')
  })

  it('answers an empty list for an empty repository', async () => {
    const empty = await world.newProject()
    expect((await list({}, empty)).json()).toEqual([])
    expect((await list({ all: 'true' }, empty)).json()).toEqual([])
  })

  it.each([
    [{ ref_name: '-x' }, { message: 'ref_name is invalid' }],
    [{ ref_name: '--all' }, { message: 'ref_name is invalid' }],
    [{ ref_name: 'a b' }, { message: 'ref_name is invalid' }],
    [{ since: 'yesterday' }, { error: 'since is invalid' }],
    [{ until: 'x', order: 'x' }, { error: 'until is invalid, order does not have a valid value' }],
    [{ per_page: '0' }, { error: 'per_page has a value not allowed' }],
    [{ all: 'maybe' }, { error: 'all is invalid' }],
  ])('answers %j with 400', async (query, body) => {
    const answer = await list(query as Record<string, string>)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(body)
  })

  it('adds stats on demand, as git counts them', async () => {
    const answer = await list({ with_stats: 'true', all: 'true' })
    const found = answer
      .json()
      .map((commit: { id: string; stats: unknown }) => [
        Object.keys(oids).find((name) => oids[name] === commit.id),
        commit.stats,
      ])
    const stats = (additions: number, deletions: number) => ({
      additions,
      deletions,
      total: additions + deletions,
    })
    expect(Object.fromEntries(found)).toEqual({
      c1: stats(31, 0),
      c2: stats(1, 1),
      c3: stats(2, 0),
      c4: stats(0, 0),
      c5: stats(1, 1),
      c6: stats(2, 0),
      c7: stats(2, 2),
      c8: stats(0, 1),
    })
  })

  it('adds trailers on demand; the last of a key counts', async () => {
    const query = { ref_name: 'v1', per_page: '1' }
    expect((await list(query)).json()[0].trailers).toEqual({})
    expect((await list({ ...query, trailers: 'true' })).json()[0].trailers).toEqual({
      'Reviewed-by': 'R <r@x.test>',
      'Signed-off-by': 'Two <2@x.test>',
    })
  })

  it('lists all where references lead to what is no commit', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    await git(where, ['update-ref', 'refs/tags/blob', await revision(where, 'main:a')])
    await git(where, ['update-ref', 'refs/tags/tree', await revision(where, 'main^{tree}')])
    expect((await list({ all: 'true' }, where)).json()).toHaveLength(1)
  })

  it('costs one process cold and none warm, until a reference moves', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    await list({ per_page: '100' }, where)
    const question = () => list({ all: 'true', per_page: '50' }, where)
    expect((await world.app.count(question)).processes).toBe(1)
    expect((await world.app.count(question)).processes).toBe(0)
    await world.commit(where, { b: 'b' })
    expect(ids(await question())).toHaveLength(2)
    const withStats = () => list({ with_stats: 'true' }, where)
    // The figures of commits that the server made are known.
    expect((await world.app.count(withStats)).processes).toBe(1)
    expect((await world.app.count(withStats)).processes).toBe(0)
  })
})

describe('GET /projects/:id/repository/commits/:sha', () => {
  const show = (sha: string, query = '') =>
    world.as('reporter').get(urlOf(project, `/${encodeURIComponent(sha)}${query}`))

  it('answers the whole commit', async () => {
    const answer = await show(oids.c6 ?? '')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      id: oids.c6,
      short_id: oids.c6?.slice(0, 8),
      created_at: '2020-09-13T18:26:40.000+00:00',
      parent_ids: [oids.c4, oids.c5],
      title: 'Merge side',
      message: 'Merge side',
      author_name: 'Eve',
      author_email: 'eve@x.test',
      authored_date: '2020-09-13T18:26:40.000+00:00',
      committer_name: 'Carl',
      committer_email: 'carl@x.test',
      committed_date: '2020-09-13T18:26:40.000+00:00',
      trailers: {},
      web_url: `http://bloomery.test/${project.full_path}/-/commit/${oids.c6}`,
      stats: { additions: 2, deletions: 0, total: 2 },
      status: null,
      project_id: project.id,
      last_pipeline: null,
    })
  })

  it.each([
    ['main', 'c7'],
    ['open/topic', 'c8'],
    ['v1', 'c2'],
    ['light', 'c8'],
    ['HEAD', 'c7'],
  ])('finds %s', async (sha, name) => {
    expect((await show(sha)).json().id).toBe(oids[name])
  })

  it('finds a short hash, and names a commit without message', async () => {
    const answer = await show((oids.c7 ?? '').slice(0, 7))
    expect(answer.json()).toMatchObject({ id: oids.c7, title: 'No commit message', message: '' })
  })

  it('leaves stats out when asked', async () => {
    expect((await show('main', '?stats=false')).json()).not.toHaveProperty('stats')
  })

  it.each(['none', '0'.repeat(40), 'abc', '-x', 'a b', 'main:dir'])(
    'answers %j with 404',
    async (sha) => {
      for (const more of ['', '/refs', '/diff']) {
        const path = `/${encodeURIComponent(sha)}${more}`
        const answer = await world.as('reporter').get(urlOf(project, path))
        expect(answer.statusCode).toBe(404)
        expect(answer.json()).toEqual({ message: '404 Commit Not Found' })
      }
    },
  )

  it('takes a raw slash for another path', async () => {
    const answer = await world.as('reporter').get(urlOf(project, '/open/topic'))
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: '404 Not Found' })
  })
})

describe('GET /projects/:id/repository/commits/:sha/sequence', () => {
  it('counts the commits that lead to one, itself included', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    await world.commit(where, { b: 'b' })
    await world.commit(where, { c: 'c' }, { branch: 'topic', start_branch: 'main' })
    const count = async (sha: string, who: Who = 'reporter') => {
      const url = `/projects/${where.id}/repository/commits/${sha}/sequence`
      const answer = await world.as(who).get(url)
      return [answer.statusCode, answer.json()]
    }
    expect(await count('main')).toEqual([200, { count: 2 }])
    expect(await count('topic')).toEqual([200, { count: 3 }])
    expect(await count('nowhere')).toEqual([404, { message: '404 Commit Not Found' }])
    expect(await count('main', 'guest')).toEqual([403, { message: '403 Forbidden' }])
    expect(await count('main', 'outsider')).toEqual([404, { message: '404 Project Not Found' }])
  })
})

describe('GET /projects/:id/repository/commits/:sha/refs', () => {
  const refs = (sha = '', query = '') =>
    world.as('reporter').get(urlOf(project, `/${sha}/refs${query}`))

  it('answers branches, then tags', async () => {
    const answer = await refs(oids.c2)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([
      { type: 'branch', name: 'main' },
      { type: 'branch', name: 'open/topic' },
      { type: 'tag', name: 'light' },
      { type: 'tag', name: 'v1' },
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '1' })
  })

  it('filters by type and pages', async () => {
    expect((await refs(oids.c1, '?type=tag')).json()).toEqual([
      { type: 'tag', name: 'light' },
      { type: 'tag', name: 'v1' },
    ])
    expect((await refs(oids.c1, '?type=branch')).json()).toHaveLength(3)
    const page = await refs(oids.c1, '?per_page=2&page=2')
    expect(page.json()).toEqual([
      { type: 'branch', name: 'side' },
      { type: 'tag', name: 'light' },
    ])
    expect(page.headers).toMatchObject({ 'x-total': '5', 'x-next-page': '3' })
  })

  it('refuses another type', async () => {
    const answer = await refs(oids.c1, '?type=note')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error: 'type does not have a valid value' })
  })

  it('costs one process cold and none warm, until a reference moves', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    const question = () => world.as('reporter').get(urlOf(where, '/main/refs'))
    await world.as('reporter').get(urlOf(where, '/main'))
    expect((await world.app.count(question)).processes).toBe(1)
    expect((await world.app.count(question)).processes).toBe(0)
    await git(where, ['update-ref', 'refs/heads/more', 'refs/heads/main'])
    expect((await question()).json()).toHaveLength(2)
  })
})

describe('GET /projects/:id/repository/commits/:sha/diff', () => {
  type Entry = { old_path: string; new_path: string; diff: string }
  const diff = async (where: Project, sha = 'main', query = '') =>
    world.as('reporter').get(urlOf(where, `/${sha}/diff${query}`))
  const common = { new_file: false, renamed_file: false, deleted_file: false }

  it('answers what changed, beginning at the hunk, as git prints it', async () => {
    const answer = await diff(project, oids.c2)
    const printed = await git(project, ['diff', `${oids.c1}`, `${oids.c2}`])
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([
      {
        old_path: 'a.txt',
        new_path: 'a.txt',
        a_mode: '100644',
        b_mode: '100644',
        ...common,
        diff: printed.slice(printed.indexOf('@@')),
      },
    ])
    expect(answer.headers).toMatchObject({ 'x-total': '1' })
  })

  it('compares a root with nothing and a merge with its first parent', async () => {
    const root = (await diff(project, oids.c1)).json()
    expect(root.map(({ new_path }: Entry) => new_path)).toEqual(['a.txt', 'dir/x'])
    expect(root[1]).toEqual({
      old_path: 'dir/x',
      new_path: 'dir/x',
      a_mode: '0',
      b_mode: '100644',
      ...common,
      new_file: true,
      diff: '@@ -0,0 +1 @@\n+x\n',
    })
    const merge = (await diff(project, oids.c6)).json()
    expect(merge.map(({ new_path }: Entry) => new_path)).toEqual(['side'])
  })

  it('tells a rename, a removed file and a missing last newline', async () => {
    expect((await diff(project, oids.c4)).json()).toEqual([
      {
        old_path: 'a.txt',
        new_path: 'dir/b.txt',
        a_mode: '100644',
        b_mode: '100644',
        ...common,
        renamed_file: true,
        diff: '',
      },
    ])
    expect((await diff(project, 'light')).json()).toEqual([
      {
        old_path: 'dir/x',
        new_path: 'dir/x',
        a_mode: '100644',
        b_mode: '0',
        ...common,
        deleted_file: true,
        diff: '@@ -1 +0,0 @@\n-x\n',
      },
    ])
    expect((await diff(project, oids.c5)).json()[0].diff).toBe(
      '@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n',
    )
  })

  it('tells modes, links, binaries, submodules, odd names, large and foreign contents', async () => {
    const where = await world.newProject()
    const dates: [string, string] = ['1600000000 +0000', '1600000000 +0000']
    const large = 'x'.repeat(99).concat('\n').repeat(3000)
    await importSteps(where, [
      {
        mark: 1,
        branch: 'main',
        dates,
        message: 'one',
        changes: [
          file('100644', 'bin', Buffer.from([0, 1, 2])),
          file('100644', 'mode', 'm\n'),
          file('100644', 'type', 'target'),
          file('100644', 'tricky', 'a\ndiff --git a/x b/x\n@@ -1 +1 @@\nb\n'),
        ],
      },
      {
        mark: 2,
        branch: 'main',
        from: 1,
        dates,
        message: 'two',
        changes: [
          file('100644', 'bin', Buffer.from([0, 1, 3])),
          file('100755', 'mode', 'm\n'),
          file('120000', 'type', 'target'),
          file('100644', 'tricky', 'a\ndiff --git a/x b/x\n@@ -1 +1 @@\nc\n'),
          file('100644', 'large', large),
          file('100644', 'latin', Buffer.from('caf\xe9\n', 'latin1')),
          file('100644', '"tab\\tname"', ''),
          `M 160000 ${'1'.repeat(40)} sub\n`,
        ],
      },
    ])
    const entries: (Entry & { a_mode: string; b_mode: string })[] = (await diff(where)).json()
    const brief = entries.map(({ new_path, a_mode, b_mode, diff }) => [
      new_path,
      a_mode,
      b_mode,
      diff,
    ])
    expect(brief).toEqual([
      ['bin', '100644', '100644', 'Binary files a/bin and b/bin differ\n'],
      ['large', '0', '100644', ''],
      ['latin', '0', '100644', '@@ -0,0 +1 @@\n+caf\ufffd\n'],
      ['mode', '100644', '100755', ''],
      ['sub', '0', '160000', `@@ -0,0 +1 @@\n+Subproject commit ${'1'.repeat(40)}\n`],
      ['tab\tname', '0', '100644', ''],
      [
        'tricky',
        '100644',
        '100644',
        '@@ -1,4 +1,4 @@\n a\n diff --git a/x b/x\n @@ -1 +1 @@\n-b\n+c\n',
      ],
      ['type', '100644', '0', '@@ -1 +0,0 @@\n-target\n\\ No newline at end of file\n'],
      ['type', '0', '120000', '@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n'],
    ])
    const page = await diff(where, 'main', '?per_page=4&page=2')
    expect(page.json().map(({ new_path }: Entry) => new_path)).toEqual([
      'sub',
      'tab\tname',
      'tricky',
      'type',
    ])
    expect(page.headers).toMatchObject({ 'x-total': '9', 'x-total-pages': '3' })
  })

  it('ends a list of very many files', async () => {
    const where = await world.newProject()
    const changes = Array.from({ length: 1010 }, (_, at) => file('100644', `f${at}`, `${at}\n`))
    const dates: [string, string] = ['1600000000 +0000', '1600000000 +0000']
    await importSteps(where, [{ mark: 1, branch: 'main', dates, message: 'm', changes }])
    expect((await diff(where)).headers).toMatchObject({ 'x-total': '1000' })
  })

  it('costs one process cold and none warm', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    await world.as('reporter').get(urlOf(where, '/main'))
    expect((await world.app.count(() => diff(where))).processes).toBe(1)
    expect((await world.app.count(() => diff(where, 'main', '?page=2'))).processes).toBe(0)
  })
})
