import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import type { Project } from '../../../subjects/project.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const fileUrl = (project: Project, path: string, query = '') =>
  `/projects/${project.id}/repository/files/${encodeURIComponent(path)}${query}`
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const blobId = (content: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex')

describe('GET /projects/:id/repository/files/:file_path', () => {
  it.each([
    ['anonymous', 'open', 200],
    ['anonymous', 'inside', 404],
    ['anonymous', 'shut', 404],
    ['outsider', 'inside', 200],
    ['outsider', 'shut', 404],
    ['guest', 'open', 200],
    ['guest', 'shut', 403],
    ['reporter', 'shut', 200],
    ['admin', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).get(fileUrl(world.projects[place], 'README.md', '?ref=main'))
    expect(answer.statusCode).toBe(status)
    if (status === 404) expect(answer.json()).toEqual({ message: '404 Project Not Found' })
    if (status === 403) expect(answer.json()).toEqual({ message: '403 Forbidden' })
  })

  it('answers the whole record and the headers of both spellings', async () => {
    const project = await world.newProject()
    const first = await world.commit(project, { 'dir/a.txt': 'one\n' })
    const second = await world.commit(project, { 'b.txt': 'two\n' })
    const answer = await world.as('reporter').get(fileUrl(project, 'dir/a.txt', '?ref=main'))
    expect(answer.json()).toEqual({
      file_name: 'a.txt',
      file_path: 'dir/a.txt',
      size: 4,
      encoding: 'base64',
      content_sha256: sha256('one\n'),
      ref: 'main',
      blob_id: blobId('one\n'),
      commit_id: second,
      last_commit_id: first,
      execute_filemode: false,
      content: Buffer.from('one\n').toString('base64'),
    })
    expect(answer.headers['content-type']).toBe('application/json')
    for (const brand of ['x-service', 'x-gitlab']) {
      expect(answer.headers).toMatchObject({
        [`${brand}-file-name`]: 'a.txt',
        [`${brand}-file-path`]: 'dir/a.txt',
        [`${brand}-size`]: '4',
        [`${brand}-encoding`]: 'base64',
        [`${brand}-content-sha256`]: sha256('one\n'),
        [`${brand}-ref`]: 'main',
        [`${brand}-blob-id`]: blobId('one\n'),
        [`${brand}-commit-id`]: second,
        [`${brand}-last-commit-id`]: first,
        [`${brand}-execute-filemode`]: 'false',
      })
    }
  })

  it.each([
    ['', 400, { error: 'ref is missing, ref is empty' }],
    ['?ref=', 400, { error: 'ref is empty' }],
    ['?ref=nothing', 404, { message: '404 Commit Not Found' }],
    ['?ref=-x', 404, { message: '404 Commit Not Found' }],
    ['?ref=%00', 400, { error: 'ref is invalid' }],
  ])('answers a ref given as "%s" with %i', async (query, status, body) => {
    const answer = await world.as('reporter').get(fileUrl(world.projects.shut, 'README.md', query))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it.each([
    ['nothing.txt', 404, { message: '404 File Not Found' }],
    ['../etc/passwd', 400, { error: 'file_path should be a valid file path' }],
    ['a/../README.md', 400, { error: 'file_path should be a valid file path' }],
    ['/README.md', 400, { error: 'file_path should be a valid file path' }],
  ])('answers the path "%s" with %i', async (path, status, body) => {
    const answer = await world.as('reporter').get(fileUrl(world.projects.shut, path, '?ref=main'))
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('answers a folder and a submodule like a missing file', async () => {
    const project = await world.newProject({ files: { 'dir/a': 'a' } })
    const answer = await world.as('owner').get(fileUrl(project, 'dir', '?ref=main'))
    expect(answer.json()).toEqual({ message: '404 File Not Found' })
  })

  it('answers an empty repository with 404 Commit', async () => {
    const project = await world.newProject()
    const answer = await world.as('owner').get(fileUrl(project, 'a', '?ref=main'))
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ message: '404 Commit Not Found' })
  })

  it('does not find a path whose slash is not escaped', async () => {
    const url = `/projects/${world.projects.open.id}/repository/files/dir/README.md?ref=main`
    const answer = await world.as('owner').get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: '404 Not Found' })
  })

  it.each([
    'a b.txt',
    '.gitignore',
    ':wq',
    '-dash',
    '100% sure.txt',
    'plus+plus',
    'ünï/çøde 文件.md',
    'e\u0301/decomposed',
    'quote"\'.txt',
    'new\nline',
    '*',
    '[x]',
    '\\back',
    'dir.with.dots/file.json',
  ])('reads back the path %j', async (path) => {
    const project = await world.newProject({ files: { [path]: 'content' } })
    const answer = await world.as('owner').get(fileUrl(project, path, '?ref=main'))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ file_path: path, size: 7 })
  })

  it('finds a file by branch, tag, short and full hash, HEAD and full name', async () => {
    const project = await world.newProject()
    const oid = await world.commit(project, { a: 'a' })
    for (const ref of ['main', oid, oid.slice(0, 8), 'HEAD', 'refs/heads/main', 'main~0']) {
      const answer = await world.as('owner').get(fileUrl(project, 'a', `?ref=${ref}`))
      expect([ref, answer.statusCode]).toEqual([ref, 200])
      expect(answer.json()).toMatchObject({ ref, commit_id: oid })
    }
  })

  it('carries bytes that are no text unchanged', async () => {
    const bytes = Buffer.from([0, 255, 254, 13, 10, 200])
    const project = await world.newProject({ files: { bin: bytes } })
    const answer = await world.as('owner').get(fileUrl(project, 'bin', '?ref=main'))
    expect(Buffer.from(answer.json().content, 'base64')).toEqual(bytes)
    expect(answer.json().content_sha256).toBe(sha256(bytes))
  })

  it('carries a file too large for the cache', async () => {
    const content = 'x'.repeat(3 * 1024 * 1024)
    const project = await world.newProject({ files: { big: content } })
    const answer = await world.as('owner').get(fileUrl(project, 'big', '?ref=main'))
    expect(answer.json()).toMatchObject({ size: content.length, content_sha256: sha256(content) })
    expect(Buffer.from(answer.json().content, 'base64').equals(Buffer.from(content))).toBe(true)
  })

  it('hashes a file too large for the cache once', async () => {
    const content = 'y'.repeat(2 * 1024 * 1024)
    const project = await world.newProject({ files: { big: content } })
    const url = fileUrl(project, 'big', '?ref=main')
    const owner = world.as('owner')
    const digest = (await owner.head(url)).headers['x-service-content-sha256']
    expect(digest).toBe(sha256(content))
    expect((await world.app.count(() => owner.head(url))).processes).toBe(0)
    // What is sent is read by a process of its own.
    expect((await world.app.count(() => owner.get(url))).processes).toBe(1)
    const again = fileUrl(await world.newProject({ files: { copy: content } }), 'copy', '?ref=main')
    expect((await owner.head(again)).headers['x-service-content-sha256']).toBe(digest)
  })

  it('answers each name of a commit with its own record, and a branch that has moved anew', async () => {
    const project = await world.newProject()
    const commit_id = await world.commit(project, { 'a.txt': 'one\n' })
    const other = await world.newProject()
    await world.commit(other, { 'a.txt': 'another\n' })
    const read = async (ref: string, path = '', of = project) =>
      world.as('reporter').get(fileUrl(of, 'a.txt', `${path}?ref=${ref}`))
    for (let time = 0; time < 2; time++) {
      for (const ref of ['main', 'HEAD', commit_id]) {
        const { headers, ...answer } = await read(ref)
        expect(answer.json()).toMatchObject({ ref, commit_id, size: 4 })
        expect(headers['x-gitlab-ref']).toBe(ref)
        const raw = await read(ref, '/raw')
        expect([raw.body, raw.headers['x-gitlab-ref']]).toEqual(['one\n', ref])
      }
    }
    expect((await read('main', '/raw', other)).body).toBe('another\n')
    const change = { branch: 'main', commit_message: 'Change', content: 'longer\n' }
    await world.as('owner').put(fileUrl(project, 'a.txt'), change)
    expect((await read('main')).json()).toMatchObject({ size: 7 })
    expect((await read('main', '/raw')).body).toBe('longer\n')
  })

  it('starts no process once warm', async () => {
    const url = fileUrl(world.projects.shut, 'README.md', '?ref=main')
    await world.as('reporter').get(url)
    const counted = await world.app.count(() => world.as('reporter').get(url))
    expect(counted).toEqual({ queries: 2, processes: 0 })
  })

  it('answers 304 to its own tag', async () => {
    const url = fileUrl(world.projects.open, 'README.md', '?ref=main')
    const first = await world.as('anonymous').get(url)
    const headers = { 'if-none-match': String(first.headers.etag) }
    const second = await world.as('anonymous').get(url, { headers })
    expect(second.statusCode).toBe(304)
    expect(second.body).toBe('')
  })

  it.each([
    ['read_repository', 200],
    ['read_api', 200],
    ['read_user', 403],
    ['write_repository', 403],
  ])('takes a token of scope %s with %i', async (scope, status) => {
    const body = { name: 't', scopes: [scope] }
    const { token } = (await world.as('owner').post('/user/personal_access_tokens', body)).json()
    const answer = await world.app
      .client(token)
      .get(fileUrl(world.projects.shut, 'README.md', '?ref=main'))
    expect(answer.statusCode).toBe(status)
    if (status === 403) {
      expect(answer.json()).toEqual({
        error: 'insufficient_scope',
        error_description:
          'The request requires higher privileges than provided by the access token.',
        scope: 'read_repository api read_api',
      })
    }
  })
})

describe('HEAD /projects/:id/repository/files/:file_path', () => {
  it.each(['', '/blame', '/raw'])('answers the headers without a body (%s)', async (suffix) => {
    const url = `/projects/${world.projects.shut.id}/repository/files/README.md${suffix}?ref=main`
    const answer = await world.as('reporter').head(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
    expect(answer.headers).toMatchObject({
      'x-service-file-path': 'README.md',
      'x-gitlab-size': '9',
      'x-gitlab-content-sha256': sha256('# Readme\n'),
    })
  })

  it.each([
    ['README.md', '', 400],
    ['README.md', '?ref=nothing', 404],
    ['nothing', '?ref=main', 404],
  ])('answers %s%s with %i and no body', async (path, query, status) => {
    const answer = await world.as('reporter').head(fileUrl(world.projects.shut, path, query))
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toBe('')
  })

  it('answers an anonymous caller of a private project with 404', async () => {
    const answer = await world
      .as('anonymous')
      .head(fileUrl(world.projects.shut, 'README.md', '?ref=main'))
    expect(answer.statusCode).toBe(404)
  })
})

describe('GET /projects/:id/repository/files/:file_path/raw', () => {
  const rawUrl = (project: Project, path: string, query = '') =>
    `/projects/${project.id}/repository/files/${encodeURIComponent(path)}/raw${query}`

  it('serves text so that nothing in it runs', async () => {
    const content = '<script>alert(1)</script>'
    const project = await world.newProject({ files: { 'x.html': content } })
    const answer = await world.as('owner').get(rawUrl(project, 'x.html', '?ref=main'))
    expect(answer.body).toBe(content)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename="x.html"; filename*=UTF-8''x.html`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, private, must-revalidate, no-store, no-cache',
      pragma: 'no-cache',
      expires: 'Fri, 01 Jan 1990 00:00:00 GMT',
      'content-length': String(content.length),
      'x-gitlab-file-name': 'x.html',
    })
  })

  it('takes HEAD for an absent or empty ref', async () => {
    for (const query of ['', '?ref=']) {
      const answer = await world.as('reporter').get(rawUrl(world.projects.shut, 'README.md', query))
      expect([query, answer.body]).toEqual([query, '# Readme\n'])
    }
  })

  it.each([
    ['pic.png', Buffer.from([0x89, 0x50, 0, 1]), 'image/png', 'inline'],
    ['thing.bin', Buffer.from([1, 0, 2]), 'application/octet-stream', 'attachment'],
    ['a.constructor', Buffer.from([1, 0, 2]), 'application/octet-stream', 'attachment'],
    ['pic.svg', Buffer.from('<svg onload="x()"/>'), 'text/plain; charset=utf-8', 'inline'],
    ['empty', Buffer.alloc(0), 'text/plain; charset=utf-8', 'inline'],
  ])('serves %s as what it is', async (path, content, type, disposition) => {
    const project = await world.newProject({ files: { [path]: content } })
    const answer = await world.as('owner').get(rawUrl(project, path))
    expect(answer.rawPayload).toEqual(content)
    expect(answer.headers['content-type']).toBe(type)
    expect(answer.headers['content-disposition']).toMatch(new RegExp(`^${disposition};`))
  })

  it('streams a large file', async () => {
    const content = Buffer.alloc(5 * 1024 * 1024, 'line\n')
    const project = await world.newProject({ files: { big: content } })
    const answer = await world.as('owner').get(rawUrl(project, 'big'))
    expect(answer.rawPayload.equals(content)).toBe(true)
    expect(answer.headers['content-length']).toBe(String(content.length))
  })

  it.each([
    ['nothing', '?ref=main', { message: '404 File Not Found' }],
    ['README.md', '?ref=nothing', { message: '404 Commit Not Found' }],
  ])('answers %s%s with 404', async (path, query, body) => {
    const answer = await world.as('reporter').get(rawUrl(world.projects.shut, path, query))
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual(body)
  })
})

describe('a file of more than 64 MB', () => {
  it('is sent without its digest, until that is known', async () => {
    const content = Buffer.alloc(65 * 1024 * 1024, 'line\n')
    const project = await world.newProject({ files: { large: content } })
    const url = `/projects/${project.id}/repository/files/large`
    const digest = async () =>
      (await world.as('reporter').get(`${url}/raw?ref=main`)).headers['x-gitlab-content-sha256']
    expect(await digest()).toBe(undefined)
    const head = await world.as('reporter').head(`${url}?ref=main`)
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(head.headers['x-gitlab-content-sha256']).toBe(sha256)
    expect(await digest()).toBe(sha256)
  })
})

describe('GET /projects/:id/repository/files/:file_path/blame', () => {
  it('blames only the lines asked for in a large file', async () => {
    const lines = Array.from(
      { length: 30_000 },
      (_, at) => `Line ${at} of a file of more than 1 MB`,
    )
    const text = (changed: string) => `${lines.with(20_000, changed).join('\n')}\n`
    const project = await world.newProject({ files: { large: text('first') } })
    const file = `/projects/${project.id}/repository/files/large`
    const change = { branch: 'main', commit_message: 'Second', content: text('second') }
    expect((await world.as('owner').put(file, change)).statusCode).toBe(200)
    const url = `/projects/${project.id}/repository/commits/main`
    const last = (await world.as('owner').get(url)).json().id
    const ask = async (start: number, end: number) => {
      const range = `range[start]=${start}&range[end]=${end}`
      const answer = await world.as('reporter').get(`${file}/blame?ref=main&${range}`)
      expect(answer.statusCode).toBe(200)
      return answer
        .json()
        .map((one: { commit: { id: string }; lines: string[] }) => [
          one.commit.id === last,
          one.lines,
        ])
    }
    expect(await ask(20_000, 20_002)).toEqual([
      [false, [lines[19_999]]],
      [true, ['second']],
      [false, [lines[20_001]]],
    ])
    expect(await ask(29_999, 40_000)).toEqual([[false, [lines[29_998], lines[29_999]]]])
    expect(await ask(30_001, 30_002)).toEqual([])
  })

  const blameUrl = (project: Project, path: string, query: string) =>
    `/projects/${project.id}/repository/files/${encodeURIComponent(path)}/blame${query}`

  async function blamed() {
    const project = await world.newProject()
    const first = await world.commit(project, { a: 'one\n\nthree\n' }, { message: 'First' })
    await world.commit(project, { a: null }, { message: 'Gone' })
    const last = await world.commit(
      project,
      { a: 'one\n\nthree\nfour' },
      { message: 'Back\n\nBody' },
    )
    return { project, first, last }
  }

  it('answers runs of lines with their commit', async () => {
    const { project, last } = await blamed()
    const answer = await world.as('reporter').get(blameUrl(project, 'a', '?ref=main'))
    const { owner } = world.users
    expect(answer.json()).toEqual([
      {
        commit: {
          id: last,
          parent_ids: [expect.stringMatching(/^[0-9a-f]{40}$/)],
          message: 'Back\n\nBody',
          authored_date: '2026-03-01T12:00:00.000+00:00',
          author_name: owner.name,
          author_email: owner.email,
          committed_date: '2026-03-01T12:00:00.000+00:00',
          committer_name: owner.name,
          committer_email: owner.email,
        },
        lines: ['one', '', 'three', 'four'],
      },
    ])
    expect(answer.headers['x-gitlab-last-commit-id']).toBe(last)
  })

  it('cuts to a range, and a range past the end to nothing', async () => {
    const { project } = await blamed()
    const lines = async (query: string) => {
      const answer = await world.as('reporter').get(blameUrl(project, 'a', `?ref=main&${query}`))
      return answer.json().flatMap((range: { lines: string[] }) => range.lines)
    }
    expect(await lines('range[start]=2&range[end]=3')).toEqual(['', 'three'])
    expect(await lines('range[start]=4&range[end]=99')).toEqual(['four'])
    expect(await lines('range[start]=9&range[end]=99')).toEqual([])
  })

  it.each([
    ['', { error: 'ref is missing, ref is empty' }],
    [
      '?ref=main&range[start]=2&range[end]=1',
      { message: 'range[start] must be less than or equal to range[end]' },
    ],
    ['?ref=main&range[start]=2', { error: 'range[end] is missing, range[end] is empty' }],
    [
      '?ref=main&range[start]=0&range[end]=0',
      { error: 'range[start] does not have a valid value, range[end] does not have a valid value' },
    ],
    [
      '?ref=main&range[start]=&range[end]=',
      { error: 'range[start] is empty, range[end] is empty' },
    ],
  ])('answers "%s" with 400', async (query, body) => {
    const answer = await world.as('reporter').get(blameUrl(world.projects.shut, 'README.md', query))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(body)
  })

  it('starts no process the second time', async () => {
    const { project } = await blamed()
    const url = blameUrl(project, 'a', '?ref=main')
    await world.as('reporter').get(url)
    const counted = await world.app.count(() => world.as('reporter').get(url))
    expect(counted.processes).toBe(0)
  })
})

describe('POST /projects/:id/repository/files/:file_path', () => {
  const body = { branch: 'main', content: 'new', commit_message: 'Add it' }

  it.each([
    ['anonymous', 'open', 401, { message: '401 Unauthorized' }],
    ['anonymous', 'shut', 404, { message: '404 Project Not Found' }],
    ['outsider', 'open', 403, { message: '403 Forbidden' }],
    ['outsider', 'shut', 404, { message: '404 Project Not Found' }],
    ['guest', 'shut', 403, { message: '403 Forbidden' }],
    ['reporter', 'shut', 403, { message: '403 Forbidden' }],
    ['developer', 'shut', 400, { message: 'You are not allowed to push into this branch' }],
    ['maintainer', 'shut', 201, { file_path: 'of/maintainer', branch: 'main' }],
    ['admin', 'shut', 201, { file_path: 'of/admin', branch: 'main' }],
  ] as const)('answers %s of the %s project with %i', async (who, place, status, expected) => {
    const url = fileUrl(world.projects[place], `of/${who}`)
    const answer = await world.as(who).post(url, body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
  })

  it('commits as the caller, with another author if asked', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const author = { author_name: 'Ann Author', author_email: 'ann@x.test' }
    await world.as('maintainer').post(fileUrl(project, 'b'), { ...body, ...author })
    const blame = await world.as('owner').get(`${fileUrl(project, 'b')}/blame?ref=main`)
    expect(blame.json()[0].commit).toMatchObject({
      message: 'Add it',
      author_name: 'Ann Author',
      author_email: 'ann@x.test',
      committer_name: world.users.maintainer.name,
      committer_email: world.users.maintainer.email,
    })
  })

  it('lets a developer write to a branch without protection', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const onBranch = { ...body, branch: 'topic', start_branch: 'main' }
    const answer = await world.as('developer').post(fileUrl(project, 'b'), onBranch)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({ file_path: 'b', branch: 'topic' })
    const main = await world.as('owner').get(fileUrl(project, 'b', '?ref=main'))
    expect(main.statusCode).toBe(404)
    const topic = await world.as('owner').get(fileUrl(project, 'b', '?ref=topic'))
    expect(topic.statusCode).toBe(200)
  })

  it('decodes Base64 and refuses what is none', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const bytes = Buffer.from([0, 1, 255])
    const good = { ...body, encoding: 'base64', content: bytes.toString('base64') }
    expect((await world.as('owner').post(fileUrl(project, 'bin'), good)).statusCode).toBe(201)
    const raw = await world.as('owner').get(`${fileUrl(project, 'bin')}/raw`)
    expect(raw.rawPayload).toEqual(bytes)
    const bad = { ...good, content: '?? no base64 ??' }
    const answer = await world.as('owner').post(fileUrl(project, 'bad'), bad)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message: 'invalid base64' })
  })

  it('takes form bodies as well', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const form = 'branch=main&commit_message=m&content=a%26b+c'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await world.as('owner').post(fileUrl(project, 'form'), form, { headers })
    expect(answer.statusCode).toBe(201)
    const raw = await world.as('owner').get(`${fileUrl(project, 'form')}/raw`)
    expect(raw.body).toBe('a&b c')
  })

  it('makes the first branch of an empty repository, protected and the default', async () => {
    const project = await world.newProject()
    const refused = await world.as('developer').post(fileUrl(project, 'a'), body)
    expect(refused.json()).toEqual({ message: 'You are not allowed to push into this branch' })
    const answer = await world
      .as('maintainer')
      .post(fileUrl(project, 'a'), { ...body, branch: 'trunk' })
    expect(answer.statusCode).toBe(201)
    const shown = await world.as('owner').get(`/projects/${project.id}`)
    expect(shown.json()).toMatchObject({ default_branch: 'trunk', empty_repo: false })
    const second = await world
      .as('developer')
      .post(fileUrl(project, 'b'), { ...body, branch: 'trunk' })
    expect(second.json()).toEqual({ message: 'You are not allowed to push into this branch' })
  })

  it.each([
    [
      {},
      {
        error:
          'branch is missing, branch is empty, commit_message is missing, commit_message is empty, content is missing',
      },
    ],
    [{ ...body, branch: ' ' }, { error: 'branch is empty' }],
    [{ ...body, commit_message: '' }, { error: 'commit_message is empty' }],
    [{ ...body, encoding: 'utf-16' }, { error: 'encoding does not have a valid value' }],
    [
      { ...body, branch: 'absent' },
      { message: 'You can only create or edit files when you are on a branch' },
    ],
    [
      { ...body, start_branch: 'absent', branch: 'new' },
      { message: 'You can only create or edit files when you are on a branch' },
    ],
    [
      { ...body, branch: 'a..b', start_branch: 'main' },
      {
        message:
          "Something went wrong when we tried to create 'a..b' for you: Branch name is invalid",
      },
    ],
    [
      { ...body, branch: 'main/sub', start_branch: 'main' },
      { message: 'Branch name conflicts with existing branch hierarchy.' },
    ],
  ])('answers %j with 400 and changes nothing', async (given, expected) => {
    const project = await world.newProject({ files: { a: 'a' } })
    const answer = await world.as('owner').post(fileUrl(project, 'x'), given)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
    expect((await world.as('owner').get(fileUrl(project, 'x', '?ref=main'))).statusCode).toBe(404)
  })

  it('refuses an existing branch with another start', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.commit(project, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
    const given = { ...body, branch: 'topic', start_branch: 'main' }
    const answer = await world.as('owner').post(fileUrl(project, 'x'), given)
    expect(answer.json()).toEqual({
      message:
        "A branch called 'topic' already exists. Switch to that branch in order to make changes",
    })
  })

  it.each([
    ['a', 'A file with this name already exists'],
    ['dir', 'A directory with this name already exists'],
    ['a/below', 'A file with this name already exists'],
    ['.git/config', "invalid path: '.git/config'"],
    ['sub/.GIT/hooks/x', "invalid path: 'sub/.GIT/hooks/x'"],
    ['git~1', "invalid path: 'git~1'"],
    ['.g\u200cit/x', "invalid path: '.g\u200cit/x'"],
    ['a//b', "invalid path: 'a//b'"],
  ])('refuses the path %j', async (path, message) => {
    const project = await world.newProject({ files: { a: 'a', 'dir/b': 'b' } })
    const answer = await world.as('owner').post(fileUrl(project, path), body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message })
  })

  it.each(['read_repository', 'read_api', 'write_repository'])(
    'refuses a token of scope %s',
    async (scope) => {
      const made = await world
        .as('owner')
        .post('/user/personal_access_tokens', { name: 't', scopes: [scope] })
      const client = world.app.client(made.json().token)
      const answer = await client.post(fileUrl(world.projects.shut, 'x'), body)
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toMatchObject({ error: 'insufficient_scope' })
    },
  )

  it('refuses writes to an archived project', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    await world.app.db
      .updateTable('projects')
      .set({ archived: true })
      .where('id', '=', project.id)
      .execute()
    const answer = await world.as('owner').post(fileUrl(project, 'x'), body)
    expect(answer.statusCode).toBe(403)
  })

  it('commits one after another when many come at once', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const names = Array.from({ length: 12 }, (_, index) => `file-${index}`)
    const answers = await Promise.all(
      names.map((name) => world.as('owner').post(fileUrl(project, name), body)),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 201))
    for (const name of names) {
      const answer = await world.as('owner').get(fileUrl(project, name, '?ref=main'))
      expect([name, answer.statusCode]).toEqual([name, 200])
    }
  })
})

describe('PUT /projects/:id/repository/files/:file_path', () => {
  const body = { branch: 'main', content: 'changed', commit_message: 'Change it' }

  it.each([
    ['anonymous', 'open', 401],
    ['anonymous', 'shut', 404],
    ['outsider', 'shut', 404],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 400],
    ['maintainer', 'shut', 200],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const content = `by ${who}`
    const answer = await world
      .as(who)
      .put(fileUrl(world.projects[place], 'README.md'), { ...body, content })
    expect(answer.statusCode).toBe(status)
    if (status === 200) expect(answer.json()).toEqual({ file_path: 'README.md', branch: 'main' })
  })

  it('keeps the mode of an executable, and changes it when asked', async () => {
    const project = await world.newProject({ files: { run: 'x' } })
    const owner = world.as('owner')
    const mode = async () =>
      (await owner.get(fileUrl(project, 'run', '?ref=main'))).json().execute_filemode
    await owner.put(fileUrl(project, 'run'), { ...body, execute_filemode: true })
    expect(await mode()).toBe(true)
    await owner.put(fileUrl(project, 'run'), { ...body, content: 'again' })
    expect(await mode()).toBe(true)
  })

  it('refuses a file that changed since, and takes the right last commit', async () => {
    const project = await world.newProject()
    const first = await world.commit(project, { a: 'a' })
    await world.commit(project, { b: 'b' })
    const owner = world.as('owner')
    const stale = await owner.put(fileUrl(project, 'a'), {
      ...body,
      last_commit_id: '0'.repeat(40),
    })
    expect(stale.statusCode).toBe(400)
    expect(stale.json()).toEqual({
      message: 'You are attempting to update a file that has changed since you started editing it.',
    })
    const fresh = await owner.put(fileUrl(project, 'a'), { ...body, last_commit_id: first })
    expect(fresh.statusCode).toBe(200)
  })

  it.each([
    ['absent', body, "A file with this name doesn't exist"],
    ['a', { ...body, content: 'a' }, 'The content is identical to the current content of the file'],
  ])('answers a change of %s with 400', async (path, given, message) => {
    const project = await world.newProject({ files: { a: 'a' } })
    const answer = await world.as('owner').put(fileUrl(project, path), given)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ message })
  })

  it('needs content', async () => {
    const { content: _, ...rest } = body
    const answer = await world.as('owner').put(fileUrl(world.projects.shut, 'README.md'), rest)
    expect(answer.json()).toEqual({ error: 'content is missing' })
  })
})

describe('DELETE /projects/:id/repository/files/:file_path', () => {
  const body = { branch: 'main', commit_message: 'Remove it' }

  it.each([
    ['anonymous', 'open', 401],
    ['outsider', 'shut', 404],
    ['reporter', 'shut', 403],
    ['developer', 'shut', 400],
  ] as const)('answers %s of the %s project with %i', async (who, place, status) => {
    const answer = await world.as(who).delete(fileUrl(world.projects[place], 'README.md'), body)
    expect(answer.statusCode).toBe(status)
  })

  it('removes the file, with parameters in the body or the query', async () => {
    const project = await world.newProject({ files: { 'd/a': 'a', b: 'b', c: 'c' } })
    const owner = world.as('owner')
    const first = await owner.delete(fileUrl(project, 'd/a'), body)
    expect([first.statusCode, first.body]).toEqual([204, ''])
    const second = await owner.delete(fileUrl(project, 'b', '?branch=main&commit_message=m'))
    expect(second.statusCode).toBe(204)
    for (const [path, status] of [
      ['d/a', 404],
      ['b', 404],
      ['c', 200],
    ] as const) {
      expect((await owner.get(fileUrl(project, path, '?ref=main'))).statusCode).toBe(status)
    }
  })

  it('refuses a stale last commit and a missing file', async () => {
    const project = await world.newProject({ files: { a: 'a' } })
    const owner = world.as('owner')
    const stale = await owner.delete(fileUrl(project, 'a'), { ...body, last_commit_id: 'abc' })
    expect(stale.json()).toEqual({
      message: 'You are attempting to delete a file that has been previously updated.',
    })
    const absent = await owner.delete(fileUrl(project, 'x'), body)
    expect(absent.json()).toEqual({ message: "A file with this name doesn't exist" })
    const bare = await owner.delete(fileUrl(project, 'a'))
    expect(bare.json()).toEqual({
      error:
        'branch is missing, branch is empty, commit_message is missing, commit_message is empty',
    })
  })
})
