import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { randomBelow } from '../../../../test/kit/random.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { runGit } from '../../../git/command.ts'
import { type Project, projectRepository } from '../../../subjects/project.ts'

let world: World
let project: Project
beforeAll(async () => {
  world = await newWorld()
  project = await world.newProject({
    files: {
      'b.txt': 'b',
      'a/x': 'same',
      'a/deep/er/z': 'z',
      'a/y': 'same',
      'a.c': 'sorts between a and a/',
      'ä ö/% +&?#': 'odd',
      '-dash/-x': 'dash',
      Upper: 'u',
    },
  })
  const commit = (await git(['rev-parse', 'main'])).trim()
  // What the API does not make: a submodule, a link, an executable and a name that is no UTF-8.
  const latin = Buffer.from('M 100644 inline caf\xe9/\xff\ndata 1\nq\n', 'latin1')
  const stream = Buffer.concat([
    Buffer.from(
      'commit refs/heads/main\ncommitter C <c@x.test> 1700000000 +0000\ndata 1\nm\n' +
        `from ${commit}\nM 160000 ${commit} module\nM 120000 inline link\ndata 1\na\n` +
        'M 100755 inline a/run\ndata 1\nr\n',
    ),
    latin,
  ])
  await git(['fast-import', '--quiet'], stream)
})

const git = async (args: string[], stdin?: string | Buffer) => {
  const repository = projectRepository(world.app.config, project)
  return (await runGit(world.app.git.git, repository, { args, stdin })).toString()
}
const urlOf = (where: Project, query: Record<string, string> = {}) =>
  `/projects/${where.id}/repository/tree?${new URLSearchParams(query)}`
const get = (query: Record<string, string> = {}) => world.as('reporter').get(urlOf(project, query))

/** What `git ls-tree` prints, as the API tells it. */
async function listed(args: string[]) {
  const lines = (await git(['ls-tree', '-z', ...args])).split('\0').filter(Boolean)
  return lines.map((line) => {
    const [head = '', path = ''] = line.split('\t')
    const [mode, type, id] = head.split(' ')
    return { id, name: path.slice(path.lastIndexOf('/') + 1), type, path, mode }
  })
}
const ranks = { tree: 0, blob: 1, commit: 2 }
const byType = (entries: Awaited<ReturnType<typeof listed>>) =>
  entries.toSorted(
    (a, b) => ranks[a.type as keyof typeof ranks] - ranks[b.type as keyof typeof ranks],
  )

describe('GET /projects/:id/repository/tree', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'open', 200],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(urlOf(world.projects[place]))
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
  })

  it('lists folders, then files, then submodules, each in the order of git, with totals', async () => {
    const answer = await get()
    const expected = byType(await listed(['main']))
    expect(answer.json()).toEqual(expected)
    expect(expected.map(({ type }) => type)).toContain('commit')
    expect(answer.json()[0]).toEqual({
      id: (await git(['rev-parse', 'main:-dash'])).trim(),
      name: '-dash',
      type: 'tree',
      path: '-dash',
      mode: '040000',
    })
    expect(answer.headers['x-total']).toBe(String(expected.length))
  })

  it.each(['a', 'a/', '/a', 'a//deep', 'a/deep/er', 'ä ö', '-dash'])(
    'lists the folder %s',
    async (path) => {
      const clean = path.split('/').filter(Boolean).join('/')
      const answer = await get({ path })
      expect(answer.json()).toEqual(byType(await listed(['main', '--', `${clean}/`])))
      expect(answer.json().length).toBeGreaterThan(0)
    },
  )

  it('tells names that are no UTF-8 with replacements, and finds them so', async () => {
    const [inner] = (await get({ path: 'caf\ufffd' })).json()
    expect(inner).toMatchObject({ name: '\ufffd', path: 'caf\ufffd/\ufffd', type: 'blob' })
  })

  it('lists everything below in the order of git ls-tree -r -t', async () => {
    const answer = await get({ recursive: 'true', per_page: '100' })
    expect(answer.json()).toEqual(await listed(['-r', '-t', 'main']))
    const below = await get({ recursive: 'true', path: 'a' })
    // git shows the folders on the way too.
    const all = await listed(['-r', '-t', 'main', '--', 'a/'])
    expect(below.json()).toEqual(all.filter(({ path }) => path !== 'a'))
    expect(below.headers['x-total']).toBe('6')
  })

  it('answers all at once with pagination=none', async () => {
    const answer = await get({ recursive: 'true', pagination: 'none', per_page: '1' })
    expect(answer.json()).toEqual(await listed(['-r', '-t', 'main']))
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.headers['x-total']).toBeUndefined()
    const head = await world
      .as('reporter')
      .head(urlOf(project, { recursive: 'true', pagination: 'none' }))
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  it.each(['true', 'false'])('pages by number, recursive=%s', async (recursive) => {
    const whole = (await get({ recursive, per_page: '100' })).json()
    const seen: unknown[] = []
    for (let page = 1; page <= Math.ceil(whole.length / 3); page++) {
      const answer = await get({ recursive, per_page: '3', page: String(page) })
      seen.push(...answer.json())
      expect(answer.headers['x-total']).toBe(String(whole.length))
    }
    expect(seen).toEqual(whole)
  })

  it.each(['true', 'false'])('pages by token, recursive=%s', async (recursive) => {
    const whole = (await get({ recursive, per_page: '100' })).json()
    const seen: unknown[] = []
    let url: string | undefined = urlOf(project, { recursive, per_page: '2', pagination: 'keyset' })
    while (url) {
      const answer = await world.as('reporter').get(url)
      expect(answer.headers['x-total']).toBeUndefined()
      seen.push(...answer.json())
      const next = /^<http:\/\/bloomery\.test([^>]+)>; rel="next"$/
      url = next.exec(String(answer.headers.link ?? ''))?.[1]
    }
    // Two files have the same content, hence the same id: the pages do not go round in circles.
    expect(seen).toEqual(whole)
  })

  it('takes the plain id of an entry as token, and refuses one it does not know', async () => {
    const whole = (await get()).json()
    const answer = await get({ pagination: 'keyset', page_token: whole[1].id })
    expect(answer.json()).toEqual(whole.slice(2))
    for (const page_token of ['0'.repeat(40), 'x', `${'0'.repeat(40)}.1`]) {
      const refused = await get({ pagination: 'keyset', page_token })
      expect(refused.statusCode).toBe(422)
      expect(refused.json()).toEqual({ message: `Invalid page token: ${page_token}` })
    }
  })

  it.each<readonly [Record<string, string>, number, object]>([
    [{ ref: 'nothing' }, 404, { message: '404 Tree Not Found' }],
    [{ ref: 'main:a' }, 404, { message: '404 Tree Not Found' }],
    [{ path: 'nothing' }, 404, { message: '404 invalid revision or path Not Found' }],
    [{ path: 'b.txt' }, 404, { message: '404 invalid revision or path Not Found' }],
    [{ path: 'module' }, 404, { message: '404 invalid revision or path Not Found' }],
    [{ path: '../a' }, 404, { message: '404 invalid revision or path Not Found' }],
    [
      { pagination: 'none' },
      400,
      { error: 'pagination cannot be "none" unless "recursive" is true' },
    ],
    [{ pagination: 'other' }, 400, { error: 'pagination does not have a valid value' }],
    [{ recursive: 'maybe' }, 400, { error: 'recursive is invalid' }],
    [{ per_page: '0' }, 400, { error: 'per_page has a value not allowed' }],
  ])('answers %j with %i', async (query, status, body) => {
    const answer = await get(query)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
  })

  it('answers an empty repository with 404', async () => {
    const answer = await world.as('reporter').get(urlOf(await world.newProject()))
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Tree Not Found' }])
  })

  it('reads of a branch, a tag, a hash and HEAD~', async () => {
    await git(['tag', 'v1', 'main~1'])
    const expected = byType(await listed(['main~1']))
    const hash = (await git(['rev-parse', 'main~1'])).trim()
    for (const ref of ['v1', hash, hash.slice(0, 8), 'HEAD~1']) {
      expect((await get({ ref })).json()).toEqual(expected)
    }
  })

  it('starts no process once warm', async () => {
    const list = () => get({ recursive: 'true' })
    await list()
    expect(await world.app.count(list)).toEqual({ queries: 2, processes: 0 })
  })

  it('ends a tree that stands for more than anybody could read', async () => {
    const where = await world.newProject({ files: { a: 'a' } })
    const repository = projectRepository(world.app.config, where)
    const run = async (args: string[], stdin: string) =>
      (await runGit(world.app.git.git, repository, { args, stdin })).toString().trim()
    let tree = await run(['mktree'], '')
    for (let depth = 0; depth < 10; depth++) {
      const lines = Array.from({ length: 10 }, (_, at) => `040000 tree ${tree}\t${at}`)
      tree = await run(['mktree'], `${lines.join('\n')}\n`)
    }
    const oid = await run(
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      `tree ${tree}\nauthor A <a@x.test> 1 +0000\ncommitter A <a@x.test> 1 +0000\n\nm\n`,
    )
    await run(['update-ref', 'refs/heads/bomb', oid], '')
    const read = (query: Record<string, string>) =>
      world.as('reporter').get(urlOf(where, { ref: 'bomb', recursive: 'true', ...query }))
    const first = await read({})
    expect(first.json()).toHaveLength(20)
    expect(first.headers['x-total']).toBeUndefined()
    expect(first.headers['x-next-page']).toBe('2')
    const last = await read({ page: '25000' })
    expect([last.json().length, last.headers['x-next-page']]).toEqual([20, '25001'])
    expect((await read({ page: '25001' })).json()).toEqual([])
  })

  it('answers any path with a folder of the tree or a refusal', async () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'deep', '..', '.', '', '.git', '%2e%2e', 'ä ö', '-x', '~', ':', '*'),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const folders = new Set(
      (await listed(['-r', '-t', '-d', 'main'])).map(({ path }) => path).concat(''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const path = parts.join('/')
        const answer = await get({ path })
        if (answer.statusCode === 200) {
          const clean = path.split('/').filter((one) => one !== '' && one !== '.')
          expect(folders).toContain(clean.join('/'))
        } else {
          expect([400, 404]).toContain(answer.statusCode)
        }
      }),
      { numRuns: 300 },
    )
  })

  describe('with_last_commit=true', () => {
    const withLast = (where: Project, query: Record<string, string> = {}) =>
      world.as('reporter').get(urlOf(where, { with_last_commit: 'true', ...query }))

    it('tells with each entry the commit that last touched it, and no entry without being asked', async () => {
      const answer = await withLast(project)
      expect(answer.headers['x-total']).toBe('9')
      const oid = (await git(['log', '-1', '--format=%H', 'main', '--', 'link'])).trim()
      expect(answer.json().find(({ path }: { path: string }) => path === 'link')).toEqual({
        id: (await git(['rev-parse', 'main:link'])).trim(),
        name: 'link',
        type: 'blob',
        path: 'link',
        mode: '120000',
        last_commit: {
          id: oid,
          title: 'm',
          author_name: 'C',
          committed_date: '2023-11-14T22:13:20.000+00:00',
        },
      })
      for (const entry of (await get()).json()) expect(entry).not.toHaveProperty('last_commit')
    })

    it('starts one process for all pages of a folder, and none once warm', async () => {
      const where = await world.newProject({ files: { a: 'a', b: 'b', c: 'c' } })
      await world.as('reporter').get(urlOf(where))
      const ask = (query: object) => () => withLast(where, { per_page: '2', ...query })
      expect(await world.app.count(ask({}))).toEqual({ queries: 2, processes: 1 })
      expect(await world.app.count(ask({ page: '2' }))).toEqual({ queries: 2, processes: 0 })
      expect(await world.app.count(ask({ pagination: 'keyset' }))).toEqual({
        queries: 2,
        processes: 0,
      })
    })

    it('is refused together with recursive', async () => {
      const answer = await withLast(project, { recursive: 'true' })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: 'with_last_commit cannot be true when "recursive" is true' },
      ])
    })

    it('is null in a folder whose name is no UTF-8, which git cannot be asked about', async () => {
      const [inner] = (await withLast(project, { path: 'caf\ufffd' })).json()
      expect(inner).toMatchObject({ name: '\ufffd', last_commit: null })
    })

    it('agrees with git rev-list for every entry, whatever was merged', async () => {
      for (const seed of [1, 2, 3, 4, 5, 6]) {
        const where = await world.newProject({ files: { start: 's' } })
        const repository = projectRepository(world.app.config, where)
        const run = async (args: string[], stdin?: string) =>
          (await runGit(world.app.git.git, repository, { args, stdin })).toString().trim()
        await run(['fast-import', '--quiet', '--force'], historyOf(randomBelow(seed)))
        const head = await run(['rev-parse', 'refs/heads/main'])
        for (const path of ['', 'd', 'd/e']) {
          const entries = (await withLast(where, { path, per_page: '100', ref: head })).json()
          for (const { path: at, last_commit } of entries) {
            const oid = await run(['rev-list', '-1', head, '--', at])
            expect([seed, at, last_commit?.id]).toEqual([seed, at, oid])
          }
        }
      }
    })
  })
})

describe('what is asked for by a full hash', () => {
  const fixed = {
    'cache-control': 'private, max-age=31536000, immutable',
    vary: 'Origin, Cookie, Authorization, Private-Token, Job-Token, Sudo',
  }
  const reads = (ref: string) => [
    `tree?ref=${ref}`,
    `paths?ref=${ref}`,
    `files/b.txt?ref=${ref}`,
    `files/b.txt/blame?ref=${ref}`,
    `files/b.txt/raw?ref=${ref}`,
    `commits/${ref}/diff`,
  ]
  const ask = (path: string, headers: Record<string, string> = {}) =>
    world.as('reporter').get(`/projects/${project.id}/repository/${path}`, { headers })

  it('may be kept by the caller for good, and nothing that a name stands for', async () => {
    const hash = (await git(['rev-parse', 'main'])).trim()
    for (const path of reads(hash)) {
      const answer = await ask(path)
      expect([path, answer.statusCode]).toEqual([path, 200])
      expect(answer.headers).toMatchObject(fixed)
      expect(answer.headers).not.toHaveProperty('pragma')
      expect(answer.headers).not.toHaveProperty('expires')
    }
    const others = [
      ...reads('main'),
      ...reads(hash.slice(0, 12)),
      `tree?ref=${hash}&with_last_commit=true`,
      `files/b.txt/raw?ref=${hash}&lfs=true`,
      `commits/${hash}`,
    ]
    for (const path of others) {
      const answer = await ask(path)
      expect([path, answer.statusCode]).toEqual([path, 200])
      expect(answer.headers['cache-control']).not.toContain('immutable')
    }
  })

  it('says so with a 304, and not with what is not there', async () => {
    const hash = (await git(['rev-parse', 'main'])).trim()
    const { etag } = (await ask(`tree?ref=${hash}`)).headers
    const second = await ask(`tree?ref=${hash}`, { 'if-none-match': String(etag) })
    expect(second.statusCode).toBe(304)
    expect(second.headers).toMatchObject(fixed)
    const missing = await ask(`tree?ref=${'0'.repeat(40)}`)
    expect(missing.statusCode).toBe(404)
    expect(missing.headers['cache-control']).not.toContain('immutable')
  })
})

describe('GET /projects/:id/repository/paths', () => {
  const pathsOf = (where: Project, ref = '') => `/projects/${where.id}/repository/paths?ref=${ref}`
  const read = (ref?: string) => world.as('reporter').get(pathsOf(project, ref))

  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
  ] as const)('answers %s who asks the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(pathsOf(world.projects[place]))
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
  })

  it('has the files and links of a commit, one a line, in the order of git', async () => {
    const answer = await read()
    const files = (await listed(['-r', 'main'])).filter(({ type }) => type === 'blob')
    expect(answer.body).toBe(files.map(({ path }) => `${path}\n`).join(''))
    expect(answer.body).toContain('link\n')
    expect(answer.body).not.toContain('module')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      etag: `W/"${(await git(['rev-parse', 'main^{tree}'])).trim()}"`,
    })
    expect(answer.headers['x-truncated']).toBeUndefined()
    const head = await world.as('reporter').head(pathsOf(project))
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  it('answers 304 to the tag of the tree, and starts no process for what it has told', async () => {
    const { etag } = (await read()).headers
    const again = () =>
      world.as('reporter').get(pathsOf(project), { headers: { 'if-none-match': String(etag) } })
    const second = await again()
    expect([second.statusCode, second.body, second.headers.etag]).toEqual([304, '', etag])
    expect(await world.app.count(read)).toEqual({ queries: 2, processes: 0 })
  })

  it('tells a path that is no line as a JSON string', async () => {
    const odd = await world.newProject({ files: { plain: 'p' } })
    const repository = projectRepository(world.app.config, odd)
    await runGit(world.app.git.git, repository, {
      args: ['fast-import', '--quiet', '--force'],
      stdin:
        'commit refs/heads/odd\ncommitter C <c@x.test> 1700000000 +0000\ndata 1\nm\n' +
        'M 100644 inline "two\\nlines"\ndata 1\na\nM 100644 inline "\\"quoted\\""\ndata 1\nb\n' +
        'M 100644 inline "with\\rreturn"\ndata 1\nc\nM 100644 inline back\\slash\ndata 1\nd\n',
    })
    const { body } = await world.as('reporter').get(pathsOf(odd, 'odd'))
    const lines = body.split('\n').filter(Boolean)
    expect(lines).toEqual(['"\\"quoted\\""', 'back\\slash', '"two\\nlines"', '"with\\rreturn"'])
    expect(JSON.parse(lines[2] ?? '')).toBe('two\nlines')
  })

  it('ends after 100,000 paths, and says so', async () => {
    const large = await world.newProject({ files: { a: 'a' } })
    const repository = projectRepository(world.app.config, large)
    const run = async (args: string[], stdin: string) =>
      (await runGit(world.app.git.git, repository, { args, stdin })).toString().trim()
    const blob = await run(['hash-object', '-w', '--stdin'], 'x')
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `100644 blob ${blob}\tf${at}\n`).join('')
    const folder = await run(['mktree'], lines(1000))
    const commitOf = async (stdin: string) => {
      const tree = await run(['mktree'], stdin)
      return run(
        ['hash-object', '-t', 'commit', '-w', '--stdin'],
        `tree ${tree}\nauthor A <a@x.test> 1 +0000\ncommitter A <a@x.test> 1 +0000\n\nm\n`,
      )
    }
    const folders = Array.from({ length: 100 }, (_, at) => `040000 tree ${folder}\td${at}\n`).join(
      '',
    )
    const exact = await world.as('reporter').get(pathsOf(large, await commitOf(folders)))
    expect(exact.body.split('\n')).toHaveLength(100_001)
    expect(exact.headers['x-truncated']).toBeUndefined()
    const more = await commitOf(`${folders}100644 blob ${blob}\tz\n`)
    const cut = await world.as('reporter').get(pathsOf(large, more))
    expect(cut.body).toBe(exact.body)
    expect(cut.headers['x-truncated']).toBe('true')
  })

  it.each(['nothing', 'main:a', '--all'])('answers the reference %s with 404', async (ref) => {
    const answer = await read(ref)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Tree Not Found' }])
  })
})

/** Commits for `git fast-import`, many of them merges that take either side, both, or neither. */
function historyOf(pick: (below: number) => number): string {
  const names = ['a', 'b', 'd/a', 'd/b', 'd/e/a', 'd/e/b', ':c', 'd/commit x']
  const count = 40
  const parts: string[] = []
  for (let mark = 1; mark <= count; mark++) {
    const branch = mark === count ? 'refs/heads/main' : `refs/heads/side-${mark}`
    parts.push(`commit ${branch}`, `mark :${mark}`)
    // Dates go up and down, so that children are older than parents.
    parts.push(`committer C <c@x.test> ${1_700_000_000 + pick(1000)} +0000`)
    const subject = `${'0'.repeat(40)} (from ${'1'.repeat(40)})`
    parts.push(`data ${subject.length}`, subject)
    const parents = new Set([Math.max(1, mark - 1 - pick(3)), Math.max(1, mark - 1 - pick(6))])
    if (pick(2) === 0) parents.add(Math.max(1, mark - 1 - pick(9)))
    const [first, ...others] = mark === 1 ? [] : [...parents]
    if (first) parts.push(`from :${first}`, ...others.map((other) => `merge :${other}`))
    for (let change = pick(4); change >= 0; change--) {
      parts.push(`M 100644 inline ${names[pick(names.length)]}`, 'data 1', String(pick(3)))
    }
  }
  return `${parts.join('\n')}\n`
}

describe('The code of a public project', () => {
  it('is for nobody where it is disabled, and for Reporters where it is private', async () => {
    const { id } = await world.newProject({ group: world.groups.open, files: { a: 'a' } })
    const url = `/projects/${id}`
    const readers = ['anonymous', 'outsider', 'guest', 'reporter', 'owner', 'admin'] as const
    const action = { action: 'create', file_path: 'b', content: 'b' }
    const commit = { branch: 'topic', start_branch: 'main', commit_message: 'b', actions: [action] }
    for (const [access, reads, writes] of [
      ['disabled', [403, 403, 403, 403, 403, 403], 403],
      ['private', [403, 403, 403, 200, 200, 200], 201],
    ] as const) {
      const settings = { repository_access_level: access }
      expect((await world.as('owner').put(url, settings)).statusCode).toBe(200)
      for (const path of ['tree', 'commits', 'branches', 'files/a?ref=main', 'archive']) {
        const asked = readers.map((who) => world.as(who).get(`${url}/repository/${path}`))
        const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
        expect([access, path, statuses]).toEqual([access, path, reads])
      }
      const written = await world.as('owner').post(`${url}/repository/commits`, commit)
      expect([access, written.statusCode]).toEqual([access, writes])
    }
  })
})
