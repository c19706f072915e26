// Addresses outside of the API, over HTTP as package managers and old hands ask for them.
import { generateKey } from 'openpgp'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../test/kit/app.ts'
import { multipart } from '../../../test/kit/form.ts'
import { newRunningToken } from '../../../test/kit/pipelines.ts'
import { newKeyPair } from '../../../test/kit/ssh-key.ts'
import { newWorld, type World } from '../../../test/kit/world.ts'
import type { Project } from '../../subjects/project.ts'

let world: World
let project: Project
beforeAll(async () => {
  world = await newWorld()
  const files = { 'doc/read me.txt': 'text\n', 'pic.png': Buffer.from([0, 1, 2]), a: 'on main' }
  project = await world.newProject({ files })
  await world.commit(project, { a: null }, { branch: 'a/b', start_branch: 'main' })
  await world.commit(project, { 'b/a': 'in a/b' }, { branch: 'a/b' })
})

type Asker = Parameters<World['token']>[0]

const get = (
  url: string,
  {
    as,
    headers = {},
    method = 'GET' as const,
  }: {
    as?: Asker
    headers?: Record<string, string>
    method?: 'GET' | 'HEAD'
  } = {},
) => {
  const token = as ? { 'private-token': world.token(as) } : {}
  return world.app.server.inject({
    method,
    url,
    headers: { host: 'bloomery.test', ...token, ...headers },
  })
}
const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}`,
})

describe('/:path/-/raw/:ref/:file', () => {
  const raw = (rest: string) => `/${project.full_path}/-/raw/${rest}`

  it('answers the bytes as nothing a browser would run', async () => {
    const text = await get(raw('main/doc/read%20me.txt'), { as: 'reporter' })
    expect([text.statusCode, text.body]).toEqual([200, 'text\n'])
    expect(text.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': expect.stringMatching(/^inline/),
      'x-content-type-options': 'nosniff',
    })
    const saved = await get(raw('main/doc/read%20me.txt?inline=false'), { as: 'reporter' })
    expect(saved.headers['content-disposition']).toMatch(/^attachment/)
    const asked = await get(raw('main/doc/read%20me.txt?why=a?b&inline=false'), { as: 'reporter' })
    expect(asked.headers['content-disposition']).toMatch(/^attachment/)
    const picture = await get(raw('main/pic.png'), { as: 'reporter' })
    expect(picture.headers['content-type']).toBe('image/png')
    const head = await get(raw('main/a'), { as: 'reporter', method: 'HEAD' })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '7'])
  })

  it('answers the large file a pointer stands for', async () => {
    const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\n'
    const large = await world.newProject({ files: { '.gitattributes': attributes } })
    const body = { branch: 'main', commit_message: 'm', content: 'large' }
    await world.as('owner').post(`/projects/${large.id}/repository/files/a.bin`, body)
    const answer = await get(`/${large.full_path}/-/raw/main/a.bin`, { as: 'reporter' })
    expect([answer.statusCode, answer.body]).toEqual([200, 'large'])
  })

  it('takes the longest reference there is', async () => {
    expect((await get(raw('a/b/b/a'), { as: 'reporter' })).body).toBe('in a/b')
    expect((await get(raw('refs/heads/main/a'), { as: 'reporter' })).body).toBe('on main')
    expect((await get(raw('main/absent'), { as: 'reporter' })).statusCode).toBe(404)
    expect((await get(raw('absent/a'), { as: 'reporter' })).statusCode).toBe(404)
    expect((await get(raw('main'), { as: 'reporter' })).statusCode).toBe(404)
    expect((await get(raw('main/..%2Fa'), { as: 'reporter' })).statusCode).toBe(400)
  })

  it.each([
    ['anonymous', 404],
    ['outsider', 404],
    ['guest', 403],
    ['reporter', 200],
    ['admin', 200],
  ] as const)('answers %s of a private project with %i', async (who, status) => {
    const as = who === 'anonymous' ? undefined : who
    for (const rest of ['raw/main/a', 'archive/main/x.tar']) {
      const answer = await get(`/${project.full_path}/-/${rest}`, { as })
      expect([rest, answer.statusCode]).toEqual([rest, status])
    }
  })

  it('takes credentials as git sends them, and says when they are none', async () => {
    const url = raw('main/a')
    expect((await get(url, { headers: basic(world.token('reporter')) })).statusCode).toBe(200)
    const none = await get(url, { headers: basic('glpat-nothing-anybody-has-x') })
    expect([none.statusCode, none.body]).toEqual([401, ''])
    const query = `${url}?private_token=${world.token('reporter')}`
    expect((await get(query)).statusCode).toBe(200)
    const made = await world
      .as('reporter')
      .post('/user/personal_access_tokens', { name: 't', scopes: ['read_user'] })
    const headers = { 'private-token': made.json().token }
    expect((await get(url, { headers })).statusCode).toBe(403)
  })

  it('leads on from a former path', async () => {
    const moved = await world.newProject({ files: { a: 'moved' } })
    await world.as('owner').put(`/projects/${moved.id}`, { path: `${moved.path}-new` })
    const url = `/${moved.full_path}/-/raw/main/a?inline=false`
    const answer = await get(url, { as: 'reporter' })
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      `http://bloomery.test/${moved.full_path}-new/-/raw/main/a?inline=false`,
    ])
    expect((await get(url)).statusCode).toBe(404)
  })
})

describe('/:path/-/archive/:ref/:name', () => {
  const archive = (rest: string) =>
    get(`/${project.full_path}/-/archive/${rest}`, { as: 'reporter' })

  it('is called and unpacks by project and reference, whatever name is asked for', async () => {
    const tar = await archive('main/what-you-like.tar')
    expect(tar.statusCode).toBe(200)
    expect(tar.headers['content-disposition']).toContain(`"${project.path}-main.tar"`)
    expect(tar.body).toContain(`${project.path}-main/doc/read me.txt`)
    expect((await archive('main/other.tar')).body).toBe(tar.body)
    const branch = await archive('a/b/x.tar.gz')
    expect(branch.headers['content-disposition']).toContain(`"${project.path}-a-b.tar.gz"`)
    const part = await archive('main/x.tar?path=doc')
    expect(part.body).not.toContain('pic.png')
    for (const name of ['main.zip', 'main/x.zip', 'main/x.tar.bz2']) {
      expect([name, (await archive(name)).statusCode]).toEqual([name, 200])
    }
    for (const name of ['main/x.rar', 'main', 'absent/x.tar', '']) {
      expect([name, (await archive(name)).statusCode]).toEqual([name, 404])
    }
  })

  it('counts with those of the API', async () => {
    const app = await startApp({
      BLOOMERY_RATE_LIMITS: JSON.stringify({
        project_repositories_archive: { requests: 2, period_s: 60 },
      }),
    })
    try {
      const own = await newWorld(app)
      const { id, full_path } = own.projects.open
      const archives = [
        `/${full_path}/-/archive/main/x.tar`,
        `/api/v4/projects/${id}/repository/archive.tar`,
        `/${full_path}/-/archive/main/x.tar`,
      ]
      const statuses = []
      for (const url of archives) {
        const headers = { 'private-token': own.token('guest') }
        statuses.push((await app.server.inject({ method: 'GET', url, headers })).statusCode)
      }
      expect(statuses).toEqual([200, 200, 429])
    } finally {
      await app.close()
    }
  })
})

describe('/:user.keys and /:user.gpg', () => {
  it('answer public keys, one a line, with the name in place of comments', async () => {
    const { user, client } = await world.newUser({ name: 'Ann\tSmith' })
    expect((await get(`/${user.username}.keys`)).body).toBe('')
    const key = newKeyPair().public.split(' ').slice(0, 2).join(' ')
    await client.post('/user/keys', { title: 'laptop', key: `${key} me@home` })
    const answer = await get(`/${user.username.toUpperCase()}.keys`)
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      `${key} Ann Smith (bloomery.test)\n`,
    ])
    expect((await get(`/${user.username}.gpg`)).body).toBe('')
    const { publicKey } = await generateKey({ userIDs: [{ name: 'N', email: 'n@mail.test' }] })
    await client.post('/user/gpg_keys', { key: publicKey })
    const gpg = await get(`/${user.username}.gpg`)
    expect([gpg.statusCode, gpg.body]).toEqual([200, `${publicKey.trim()}\n`])
    for (const url of ['/nobody-at-all.keys', '/nobody-at-all.gpg']) {
      expect((await get(url)).statusCode).toBe(404)
    }
  })
})

describe('?go-get=1', () => {
  const metaOf = (path: string, branch: string) => {
    const place = `bloomery.test/${path}`
    const url = `http://${place}`
    return `<html><head><meta name="go-import" content="${place} git ${url}.git"><meta name="go-source" content="${place} ${url} ${url}/-/tree/${branch}{/dir} ${url}/-/blob/${branch}{/dir}/{file}#L{line}"></head><body>go get ${url}</body></html>`
  }

  it('names the project that holds a package', async () => {
    const open = world.projects.open
    for (const path of [open.full_path, `${open.full_path}/sub/pkg`]) {
      const answer = await get(`/${path}?go-get=1`)
      expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
        200,
        'text/html; charset=utf-8',
        metaOf(open.full_path, 'main'),
      ])
    }
  })

  it('tells of nothing that is hidden', async () => {
    const group = await world.newGroup({ parent: world.groups.shut, visibility: 'private' })
    const hidden = await world.newProject({ group, files: { a: 'a' } })
    const first = hidden.full_path.split('/').slice(0, 2).join('/')
    const url = `/${hidden.full_path}/pkg?go-get=1`
    expect((await get(url)).body).toBe(metaOf(first, 'master'))
    expect((await get('/no/such/thing?go-get=1')).body).toBe(metaOf('no/such', 'master'))
    const seen = await get(url, { headers: basic(world.token('admin')) })
    expect(seen.body).toBe(metaOf(hidden.full_path, 'main'))
    const wrong = await get(url, { headers: basic('glpat-nothing-anybody-has-x') })
    expect([wrong.statusCode, wrong.body]).toEqual([401, ''])
  })

  it('answers 404 for a project without a branch, and escapes what it is asked', async () => {
    const empty = await world.newProject({ group: world.groups.open })
    expect((await get(`/${empty.full_path}?go-get=1`)).statusCode).toBe(404)
    const odd = await get('/a"%3E%3Cscript/b?go-get=1')
    expect(odd.body).not.toContain('<script')
    expect((await get('/one?go-get=1')).statusCode).toBe(404)
  })
})

describe('The token of a job', () => {
  it('opens code and releases as git and the API do, and no uploads, wikis, merge requests or badges', async () => {
    const owner = world.as('owner')
    const { body, options } = multipart({ file: { filename: 'a.txt', content: Buffer.from('a') } })
    const attach = async (base: string) =>
      (await owner.post(`${base}/wikis/attachments`, body, options)).json().link.url
    const { path, id } = project
    const upload = (await owner.post(`/projects/${id}/uploads`, body, options)).json().full_path
    const source = { source_branch: 'a/b', target_branch: 'main', title: 'x' }
    await owner.post(`/projects/${id}/merge_requests`, source)
    const group = world.groups.shut
    const closed = [
      upload,
      `/${project.full_path}/-/wikis/${await attach(`/projects/${id}`)}`,
      `/groups/${group.full_path}/-/wikis/${await attach(`/groups/${group.id}`)}`,
      `/${project.full_path}/-/merge_requests/1.diff`,
      `/${project.full_path}/badges/main/pipeline.svg`,
    ]
    const open = [
      `/${project.full_path}/-/raw/main/a`,
      `/${project.full_path}/-/archive/main/${path}.tar`,
      `/${project.full_path}/-/releases`,
    ]
    const headers = basic(await newRunningToken(world, 'owner'))
    for (const url of [...open, ...closed]) {
      expect([url, (await get(url, { as: 'owner' })).statusCode]).toEqual([url, 200])
      const status = (await get(url, { headers })).statusCode
      expect([url, status]).toEqual([url, open.includes(url) ? 200 : 404])
    }
  })
})
