import { X509Certificate } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../../test/kit/app.ts'
import { newCertificate } from '../../../../test/kit/certificates.ts'
import { newRunner } from '../../../../test/kit/fake-runner.ts'
import { atFileEnd } from '../../../../test/kit/file-end.ts'
import {
  jobOf,
  newCiProject,
  newPipeline,
  runJobWith,
  storeFile,
  tellJob,
} from '../../../../test/kit/pipelines.ts'
import { browserAs } from '../../../../test/kit/session.ts'
import { browse, enableDomain, newSite, pagesConfig } from '../../../../test/kit/sites.ts'
import { titleOf } from '../../../../test/kit/visitor.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { type ZipEntry, zipOf } from '../../../../test/kit/zip.ts'
import { recomputeNamespaceAccess } from '../../../access/recompute-access.ts'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, findBlobSize } from '../../../blobs/blob-store.ts'
import { today } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { pagesTasks } from './pages.tasks.ts'
import { publishPagesSite } from './publish-site.ts'

const wildcard = newCertificate({ subject: '/CN=*.pages.test' })
let world: World
let port = 0
let tlsPort = 0

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-pages-'))
  writeFileSync(join(folder, 'cert.pem'), wildcard.certificate)
  writeFileSync(join(folder, 'key.pem'), wildcard.key)
  const app = await startApp({
    BLOOMERY_PAGES_HOST: 'http://pages.test',
    BLOOMERY_PAGES_PORT: '0',
    BLOOMERY_PAGES_TLS_PORT: '0',
    BLOOMERY_PAGES_TLS_CERTIFICATE: join(folder, 'cert.pem'),
    BLOOMERY_PAGES_TLS_KEY: join(folder, 'key.pem'),
    BLOOMERY_TRUSTED_PROXIES: '127.0.0.1',
  })
  atFileEnd(app.close)
  const ports = await app.listenForPages('127.0.0.1')
  port = ports.port ?? 0
  tlsPort = ports.tlsPort ?? 0
  world = await newWorld(app)
  // Certificates made just now are good from now on.
  const from = new X509Certificate(wildcard.certificate).validFromDate.getTime()
  app.clock.advance(from - app.clock.now().getTime() + 60_000)
})

const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  browse(address, { port: address.startsWith('https') ? tlsPort : port, headers, method })
const nothing = 'Page not found.'

const big = Buffer.alloc(400_000, 'big ')
const files = {
  'public/index.html': '<h1>Home</h1>',
  'public/about.html': 'about',
  'public/docs/index.html': 'docs',
  'public/css/a.css': 'a {}',
  'public/data.json': '{}',
  'public/big.bin': big,
  'public/404.html': 'nothing here',
  'public/ü b.txt': 'odd',
  'public/zip.js': 'plain',
  'public/zip.js.gz': gzipSync('packed'),
  'public/zip.js.br': brotliCompressSync('packed'),
  'secret.txt': 'secret',
}

describe('A site', () => {
  it('is served at its address once its job has ended well', async () => {
    const { url, project } = await newSite(world, files)
    const answer = await get(`${url}/`)
    expect([answer.status, answer.text, answer.headers]).toMatchObject([
      200,
      '<h1>Home</h1>',
      {
        'content-type': 'text/html; charset=utf-8',
        'content-length': '13',
        'x-content-type-options': 'nosniff',
        'cache-control': 'max-age=600',
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
      },
    ])
    expect(answer.headers['set-cookie']).toBeUndefined()
    const shown = await world.as('maintainer').get(`/projects/${project.id}/pages`)
    expect(shown.json()).toEqual({
      url,
      is_unique_domain_enabled: false,
      force_https: false,
      deployments: [
        { created_at: expect.any(String), url, path_prefix: '', root_directory: 'public' },
      ],
      primary_domain: null,
    })
  })

  it.each([
    ['/css/a.css', 200, 'a {}', 'text/css; charset=utf-8'],
    ['/data.json', 200, '{}', 'application/json; charset=utf-8'],
    ['/about.html', 200, 'about', 'text/html; charset=utf-8'],
    ['/about', 200, 'about', 'text/html; charset=utf-8'],
    ['/docs/', 200, 'docs', 'text/html; charset=utf-8'],
    ['/docs/?a=b', 200, 'docs', 'text/html; charset=utf-8'],
    ['/%C3%BC%20b.txt', 200, 'odd', 'text/plain; charset=utf-8'],
    ['/css/', 404, 'nothing here', 'text/html; charset=utf-8'],
    ['/nowhere', 404, 'nothing here', 'text/html; charset=utf-8'],
    ['/../secret.txt', 404, 'nothing here', 'text/html; charset=utf-8'],
    ['/%2e%2e/secret.txt', 404, 'nothing here', 'text/html; charset=utf-8'],
    ['/%2e%2e%2fsecret.txt', 404, 'nothing here', 'text/html; charset=utf-8'],
    ['/%00', 404, 'nothing here', 'text/html; charset=utf-8'],
    ['/%zz', 400, 'Bad request', 'text/plain; charset=utf-8'],
  ])('answers %s with %i', async (path, status, text, type) => {
    const { url } = await theSite()
    const answer = await get(`${url}${path}`)
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      status,
      text,
      type,
    ])
  })

  let made: ReturnType<typeof newSite> | undefined
  const theSite = () => {
    made ??= newSite(world, files)
    return made
  }

  it.each([
    ['', '/'],
    ['?a=b', '/?a=b'],
    ['/docs', '/docs/'],
    ['/docs?a=b', '/docs/?a=b'],
  ])('sends %s on to %s', async (from, to) => {
    const { url, path } = await theSite()
    const answer = await get(`${url}${from}`)
    expect([answer.status, answer.headers.location]).toEqual([302, `/${path}${to}`])
  })

  it('says what a browser has already', async () => {
    const { url } = await theSite()
    const { etag = '', 'last-modified': modified = '' } = (await get(`${url}/`)).headers
    const known: Record<string, string>[] = [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", W/${etag}` },
      { 'if-modified-since': modified },
    ]
    for (const headers of known) {
      const answer = await get(`${url}/`, headers)
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag])
    }
    expect((await get(`${url}/`, { 'if-none-match': '"x"' })).status).toBe(200)
  })

  it.each(['/big.bin', '/about.html'])('answers with parts of %s', async (path) => {
    const { url } = await theSite()
    const whole = path === '/big.bin' ? big : Buffer.from('about')
    const part = await get(`${url}${path}`, { range: 'bytes=1-3' })
    expect([part.status, part.body, part.headers]).toMatchObject([
      206,
      whole.subarray(1, 4),
      { 'content-range': `bytes 1-3/${whole.length}`, 'content-length': '3' },
    ])
    const end = await get(`${url}${path}`, { range: 'bytes=-2' })
    expect([end.status, end.body]).toEqual([206, whole.subarray(-2)])
    const beyond = await get(`${url}${path}`, { range: 'bytes=999999-' })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([
      416,
      `bytes */${whole.length}`,
    ])
    const stale = await get(`${url}${path}`, { range: 'bytes=1-3', 'if-range': '"x"' })
    expect([stale.status, stale.body.equals(whole)]).toEqual([200, true])
  })

  it('answers HEAD without a body, and nothing but reads', async () => {
    const { url } = await theSite()
    const answer = await get(`${url}/big.bin`, {}, 'HEAD')
    expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([
      200,
      '400000',
      '',
    ])
    const post = await get(`${url}/`, {}, 'POST')
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('sends files as they are packed beside them', async () => {
    const { url } = await theSite()
    const ask = async (accepted: string) => {
      const { headers, body } = await get(`${url}/zip.js`, { 'accept-encoding': accepted })
      return [headers['content-encoding'], body, headers['content-type'], headers.vary]
    }
    const type = 'text/javascript; charset=utf-8'
    const rest = [type, 'Accept-Encoding']
    expect(await ask('gzip, br')).toEqual(['br', files['public/zip.js.br'], ...rest])
    expect(await ask('gzip, br;q=0')).toEqual(['gzip', files['public/zip.js.gz'], ...rest])
    expect(await ask('deflate')).toEqual([undefined, Buffer.from('plain'), ...rest])
  })

  it('stays when its artifacts go, is replaced at once, and goes with its blob', async () => {
    const { url, project, job } = await newSite(world, { 'public/index.html': 'first' })
    await world.as('owner').delete(`/projects/${project.id}/jobs/${job.id}/artifacts`)
    await world.app.worker.drain()
    expect((await get(`${url}/`)).text).toBe('first')
    await runJobWith(world, project, { 'public/index.html': 'second' }, { name: 'pages' })
    expect((await get(`${url}/`)).text).toBe('second')
    const removed = await world.as('maintainer').delete(`/projects/${project.id}/pages`)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expect((await get(`${url}/`)).status).toBe(404)
    await world.app.worker.drain()
    const gone = await world.as('maintainer').get(`/projects/${project.id}/pages`)
    expect([gone.statusCode, gone.json().deployments]).toEqual([200, []])
  })

  it('goes with its project, and its bytes with it', async () => {
    const { url, project } = await newSite(world, { 'public/index.html': 'mine' })
    const { blob } = await world.app.db
      .selectFrom('pages_sites')
      .select('blob')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    const place = ownBlobPlace('pages', blob)
    const store = blobStoreOf(world.app.config)
    expect(await findBlobSize(store, place)).toBeGreaterThan(0)
    await world.as('owner').delete(`/projects/${project.id}`)
    await world.app.worker.drain()
    expect([await findBlobSize(store, place), (await get(`${url}/`)).status]).toEqual([
      undefined,
      404,
    ])
  })

  it('is not changed by what happens to the site of another project', async () => {
    const { url, project } = await newSite(world, { 'public/index.html': 'unchanged' })
    const other = await newSite(world, { 'public/index.html': 'first' })
    const pages = `/projects/${other.project.id}/pages`
    await runJobWith(world, other.project, { 'public/index.html': 'second' }, { name: 'pages' })
    await world.as('maintainer').patch(pages, { pages_https_only: true })
    expect((await world.as('maintainer').delete(pages)).statusCode).toBe(204)
    await world.app.worker.drain()
    expect((await get(`${url}/`)).text).toBe('unchanged')
    const settings = await world.as('maintainer').get(`/projects/${project.id}/pages`)
    expect(settings.json().force_https).toBe(false)
  })

  it('keeps its files when the site of another project is published', async () => {
    await newSite(world, { 'public/index.html': 'first' })
    await newSite(world, { 'public/index.html': 'second' })
    const sites = await world.app.db.selectFrom('pages_sites').select('blob').execute()
    const store = blobStoreOf(world.app.config)
    for (const { blob } of sites) {
      expect(await findBlobSize(store, ownBlobPlace('pages', blob))).toBeGreaterThan(0)
    }
  })

  it('that was taken down is not published again with the site of another project', async () => {
    const { url, project } = await newSite(world, { 'public/index.html': 'old' })
    await world.as('maintainer').delete(`/projects/${project.id}/pages`)
    await newSite(world, { 'public/index.html': 'other' })
    expect((await get(`${url}/`)).status).toBe(404)
  })

  it('is not published while sites of its project are disabled', async () => {
    const { project } = await newSite(world, { 'public/index.html': 'x' }, { access: 'disabled' })
    await world.as('owner').put(`/projects/${project.id}`, { pages_access_level: 'public' })
    const answer = await world.as('maintainer').get(`/projects/${project.id}/pages`)
    expect(answer.json().deployments).toEqual([])
  })

  it('is not published by a trigger job named pages', async () => {
    const config = { pages: { trigger: { include: 'child.yml' } } }
    const child = JSON.stringify({ build: { script: 'true' } })
    const project = await newCiProject(world, config, { files: { 'child.yml': child } })
    const { id, sha } = await newPipeline(world, project)
    await world.app.worker.drain()
    expect((await jobOf(world, id, 'pages')).status).toBe('success')
    const statuses = `/projects/${project.id}/repository/commits/${sha}/statuses?all=true`
    const names = (await world.as('owner').get(statuses))
      .json()
      .map(({ name }: { name: string }) => name)
    expect(names).not.toContain('pages:deploy')
  })

  it('is neither served, listed nor published once its project is being deleted', async () => {
    const { db, clock, config, worker } = world.app
    const { url, project, job } = await newSite(world, { 'public/index.html': 'x' })
    const listed = async () => {
      const answer = await world.as('admin').get('/pages/sites?per_page=100')
      return answer.json().map((site: { project: { id: number } }) => site.project.id)
    }
    expect(await listed()).toContain(project.id)
    await world.as('owner').delete(`/projects/${project.id}`)
    expect((await get(`${url}/`)).status).toBe(404)
    expect(await listed()).not.toContain(project.id)
    const sites = db.selectFrom('pages_sites').where('project_id', '=', project.id)
    await db.deleteFrom('pages_sites').where('project_id', '=', project.id).execute()
    await publishPagesSite({ db, config, clock: clock.now }, job.id)
    expect(await sites.select('blob').execute()).toEqual([])
    await worker.drain()
  })

  it('is known to jobs by its address', async () => {
    const project = await newCiProject(world, pagesConfig)
    await newPipeline(world, project)
    const runner = await newRunner(world, project.id)
    const job = await runner.take()
    const value = (key: string) => job?.variables.find((variable) => variable.key === key)?.value
    const [owner = '', path = ''] = project.full_path.split('/')
    expect([value('CI_PAGES_DOMAIN'), value('CI_PAGES_URL')]).toEqual([
      'pages.test',
      `http://${owner}.pages.test/${path}`,
    ])
  })

  it('is the folder its configuration names, of a job of any name', async () => {
    const config = {
      site: { script: 'true', pages: { publish: 'out/html' }, artifacts: { paths: ['out'] } },
    }
    const project = await newCiProject(world, config)
    await world.as('owner').put(`/projects/${project.id}`, { pages_access_level: 'public' })
    await runJobWith(world, project, { 'out/html/index.html': 'named' }, { name: 'site' })
    const [owner = '', path = ''] = project.full_path.split('/')
    expect((await get(`http://${owner}.pages.test/${path}/`)).text).toBe('named')
  })

  it('of an earlier job does not replace that of a later one', async () => {
    const { url, project } = await newSite(world, { 'public/index.html': 'first' })
    const [early, late] = [await newPipeline(world, project), await newPipeline(world, project)]
    const run = async (pipeline: { id: number }, text: string) => {
      const job = await jobOf(world, pipeline.id, 'pages')
      await tellJob(world, job, 'run')
      await storeFile(
        world,
        await jobOf(world, pipeline.id, 'pages'),
        zipOf({ 'public/index.html': text }),
      )
      await tellJob(world, job, 'succeed')
    }
    await run(late, 'late')
    await run(early, 'early')
    expect((await get(`${url}/`)).text).toBe('late')
  })

  it('is not made by a job that fails, and says in the pipeline what became of it', async () => {
    const { url, project, job } = await newSite(world, { 'public/index.html': 'good' })
    await runJobWith(
      world,
      project,
      { 'public/index.html': 'bad' },
      { name: 'pages', event: 'drop' },
    )
    expect((await get(`${url}/`)).text).toBe('good')
    const statusOf = async (id: number) => {
      const { db } = world.app
      return db
        .selectFrom('jobs')
        .select(['status', 'description'])
        .where('pipeline_id', '=', id)
        .where('name', '=', 'pages:deploy')
        .executeTakeFirst()
    }
    expect(await statusOf(job.pipeline_id)).toEqual({ status: 'success', description: null })
    const empty = await runJobWith(world, project, { 'other/index.html': 'x' }, { name: 'pages' })
    expect(await statusOf(empty.pipeline_id)).toEqual({
      status: 'failed',
      description: 'The artifacts have no folder public.',
    })
    expect((await get(`${url}/`)).text).toBe('good')
  })

  it('does nothing harmful with an archive that would', async () => {
    const entries: ZipEntry[] = [
      { name: 'public/index.html', content: 'fine' },
      { name: 'public/../../etc/passwd', content: 'out' },
      { name: 'public//double', content: 'double' },
      { name: 'public/bomb.txt', content: Buffer.alloc(100_000), size: 10 },
      { name: 'public/odd.txt', content: 'odd', method: 99 },
      { name: 'public/link.txt', content: '/etc/passwd', mode: 0o120777 },
      { name: 'public/locked.txt', content: 'locked', flags: 1 },
    ]
    const { url } = await newSite(world, entries)
    expect((await get(`${url}/`)).text).toBe('fine')
    const absent = ['/../../etc/passwd', '/..%2f..%2fetc%2fpasswd', '//double']
    for (const path of [...absent, '/odd.txt', '/link.txt', '/locked.txt']) {
      expect([path, (await get(`${url}${path}`)).status]).toEqual([path, 404])
    }
    const bomb = await get(`${url}/bomb.txt`)
    expect([bomb.status, bomb.text]).toEqual([
      500,
      'This site cannot be served because of an internal error.',
    ])
  })

  it('is at the root of its host where its project is called so', async () => {
    const group = await world.newMemberedGroup()
    const host = `${group.full_path}.pages.test`
    const { project } = await newSite(world, { 'public/index.html': 'other' }, { group })
    const { db } = world.app
    await world.as('owner').put(`/projects/${project.id}`, { path: host })
    expect(
      (
        await db
          .selectFrom('routes')
          .select('path')
          .where('project_id', '=', project.id)
          .executeTakeFirst()
      )?.path,
    ).toBe(`${group.full_path}/${host}`)
    const beside = await newSite(world, { 'public/index.html': 'beside' }, { group })
    expect((await get(`http://${host}/`)).text).toBe('other')
    expect((await get(`${beside.url}/`)).text).toBe('beside')
    expect((await get(`http://${host.toUpperCase()}:1234/index.html`)).text).toBe('other')
  })

  it('does not hide a path of the root site of its host while it is disabled', async () => {
    const group = await world.newMemberedGroup()
    const host = `${group.full_path}.pages.test`
    const beside = await newSite(world, { 'public/index.html': 'beside' }, { group })
    const root = await newSite(world, { [`public/${beside.path}/index.html`]: 'root' }, { group })
    await world.as('owner').put(`/projects/${root.project.id}`, { path: host })
    expect((await get(`http://${host}/${beside.path}/`)).text).toBe('beside')
    await world
      .as('owner')
      .put(`/projects/${beside.project.id}`, { pages_access_level: 'disabled' })
    expect((await get(`http://${host}/${beside.path}/`)).text).toBe('root')
  })

  it('of a project in a subgroup has its path', async () => {
    const parent = await world.newMemberedGroup()
    const group = await world.newGroup({ parent })
    const { db, clock } = world.app
    await recomputeNamespaceAccess(db, [group.id], { today: today(clock.now) })
    const { url } = await newSite(world, { 'public/index.html': 'deep' }, { group })
    expect((await get(`${url}/`)).text).toBe('deep')
  })

  it.each(['nobody.pages.test', 'pages.test', 'elsewhere.test'])('is not at %s', async (host) => {
    const answer = await get(`http://${host}/`)
    expect([answer.status, answer.text]).toEqual([404, nothing])
  })

  it.each(['a b', '-x.test', 'user@host', '[::1]'])('is at no host called "%s"', async (host) => {
    const answer = await browse('http://x/', { port, headers: { host } })
    expect([answer.status, answer.text]).toEqual([400, 'Bad request'])
  })

  it('asks the database little', async () => {
    const { url } = await theSite()
    await get(`${url}/`)
    const { queries } = await world.app.count(() => get(`${url}/`))
    expect(queries).toBeLessThanOrEqual(1)
  })
})

describe('GET, PATCH and DELETE /projects/:id/pages', () => {
  it.each([
    ['anonymous', 401, '401 Unauthorized'],
    ['outsider', 404, '404 Project Not Found'],
    ['developer', 403, '403 Forbidden'],
    ['maintainer', 404, '404 Not Found'],
  ] as const)('answer %s of a project without sites with %i', async (who, status, message) => {
    const { id } = await world.newProject()
    await world.as('owner').put(`/projects/${id}`, { pages_access_level: 'disabled' })
    const url = `/projects/${id}/pages`
    const client = world.as(who)
    const answers = [
      await client.get(url),
      await client.patch(url, { pages_https_only: true }),
      await client.delete(url),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([status, { message }])
    }
  })

  it('have the settings of a project that has published nothing', async () => {
    const project = await world.newProject()
    const client = world.as('maintainer')
    const answer = await client.get(`/projects/${project.id}/pages`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        url: expect.stringContaining(`/${project.path}`),
        is_unique_domain_enabled: false,
        force_https: false,
        deployments: [],
        primary_domain: null,
      },
    ])
    const changed = await client.patch(`/projects/${project.id}/pages`, { pages_https_only: true })
    expect([changed.statusCode, changed.json().force_https]).toEqual([200, true])
    const removed = await client.delete(`/projects/${project.id}/pages`)
    expect([removed.statusCode, removed.json()]).toEqual([404, { message: '404 Not Found' }])
  })

  it('tell what is wrong with a change', async () => {
    const { project } = await newSite(world, { 'public/index.html': 'x' })
    const patch = async (body: object) => {
      const answer = await world.as('maintainer').patch(`/projects/${project.id}/pages`, body)
      return [answer.statusCode, answer.json()]
    }
    const missing =
      'pages_unique_domain_enabled, pages_https_only are missing, at least one parameter must be provided'
    expect(await patch({})).toEqual([400, { error: missing }])
    expect(await patch({ pages_unique_domain_enabled: true })).toEqual([
      400,
      { message: { pages_unique_domain_enabled: ['is not supported'] } },
    ])
    expect(await patch({ pages_https_only: 'x' })).toEqual([
      400,
      { error: 'pages_https_only is invalid' },
    ])
  })
})

describe('The file of redirects', () => {
  it('sends on, shows in place, and gives way to files', async () => {
    const { url, path } = await newSite(world, {
      'public/index.html': 'home',
      'public/real.html': 'real',
      'public/app/index.html': 'app',
      'public/_redirects': '',
    })
    const rules = [
      '# a comment',
      `/${path}/old /${path}/new`,
      `/${path}/real.html /${path}/never 302`,
      `/${path}/blog/:year/:name /${path}/posts/:name-:year 302`,
      `/${path}/far/* https://far.test/:splat 301`,
      `/${path}/app/* /${path}/app/index.html 200`,
      `/${path}/bad //evil.test 302`,
      `/${path}/worse /x 999`,
    ]
    const again = await newSite(world, { 'public/_redirects': rules.join('\n') })
    const own = (text: string) => text.replaceAll(path, again.path)
    const { project } = again
    await runJobWith(
      world,
      project,
      {
        'public/index.html': 'home',
        'public/real.html': 'real',
        'public/app/index.html': 'app',
        'public/_redirects': own(rules.join('\n')),
      },
      { name: 'pages' },
    )
    const at = async (rest: string) => {
      const { status, headers, text } = await get(`${again.url}${rest}`)
      return [status, headers.location ?? text]
    }
    expect(await at('/old')).toEqual([301, `/${again.path}/new`])
    expect(await at('/old/')).toEqual([301, `/${again.path}/new`])
    expect(await at('/real.html')).toEqual([200, 'real'])
    expect(await at('/blog/2026/a%20b')).toEqual([302, `/${again.path}/posts/a%20b-2026`])
    expect(await at('/far/x/y')).toEqual([301, 'https://far.test/x/y'])
    expect(await at('/app/any/where')).toEqual([200, 'app'])
    expect(await at('/bad')).toEqual([404, nothing])
    expect(await at('/worse')).toEqual([404, nothing])
    expect((await get(`${url}/old`)).status).toBe(404)
  })
})

describe('A domain', () => {
  const own = newCertificate({ subject: '/CN=own.test' })

  it('leads to the site once it is verified, over TLS with its own certificate', async () => {
    const { project } = await newSite(world, { 'public/index.html': 'mine' })
    const domain = `www-${project.id}.example.com`
    const client = world.as('maintainer')
    await client.post(`/projects/${project.id}/pages/domains`, { domain, ...own })
    expect((await get(`http://${domain}/`)).status).toBe(404)
    await expect(get(`https://${domain}/`)).rejects.toThrow()
    await enableDomain(world, domain, 1000_000)
    const plain = await get(`http://${domain.toUpperCase()}/`)
    expect([plain.status, plain.text]).toEqual([200, 'mine'])
    const secure = await get(`https://${domain}/`)
    expect([secure.status, secure.text, secure.certificate]).toEqual([200, 'mine', 'own.test'])
    const next = newCertificate({ subject: '/CN=next.test', kind: 'rsa' })
    await client.put(`/projects/${project.id}/pages/domains/${domain}`, next)
    expect((await get(`https://${domain}/`)).certificate).toBe('next.test')
  })

  it('below the host of sites is served with the certificate of the files', async () => {
    const { owner, path } = await newSite(world, { 'public/index.html': 'mine' })
    const answer = await get(`https://${owner}.pages.test/${path}/`)
    expect([answer.text, answer.certificate]).toEqual(['mine', '*.pages.test'])
  })

  it('does not prevent HTTPS-only of another project, or of its own with an automatic certificate', async () => {
    const [one, two] = [await world.newProject(), await world.newProject()]
    const client = world.as('maintainer')
    const add = (project: { id: number }, body: object) =>
      client.post(`/projects/${project.id}/pages/domains`, body)
    await add(one, { domain: `plain-${one.id}.example.com` })
    await add(two, { domain: `own-${two.id}.example.com`, ...own })
    await add(two, { domain: `auto-${two.id}.example.com`, auto_ssl_enabled: true })
    const set = await client.patch(`/projects/${two.id}/pages`, { pages_https_only: true })
    expect([set.statusCode, set.json().force_https]).toEqual([200, true])
  })

  it('is not served once its project is being deleted', async () => {
    const { project } = await newSite(world, { 'public/index.html': 'mine' })
    const domain = `deleted-${project.id}.example.com`
    await world.as('maintainer').post(`/projects/${project.id}/pages/domains`, { domain })
    await enableDomain(world, domain, 1000_000)
    expect((await get(`http://${domain}/`)).text).toBe('mine')
    await world.as('owner').delete(`/projects/${project.id}`)
    expect((await get(`http://${domain}/`)).status).toBe(404)
    await world.app.worker.drain()
  })

  it('is left for TLS where a project wants that', async () => {
    const { project, url } = await newSite(world, { 'public/index.html': 'mine' })
    const client = world.as('maintainer')
    const domain = `only-${project.id}.example.com`
    const pages = `/projects/${project.id}/pages`
    await client.post(`${pages}/domains`, { domain })
    const early = await client.patch(pages, { pages_https_only: true })
    expect([early.statusCode, early.json()]).toEqual([
      400,
      {
        message: {
          pages_https_only: ['cannot be enabled unless all domains have TLS certificates'],
        },
      },
    ])
    await client.put(`${pages}/domains/${domain}`, own)
    const set = await client.patch(pages, { pages_https_only: true })
    expect([set.statusCode, set.json().force_https]).toEqual([200, true])
    const answer = await get(`${url}/a?b`)
    expect([answer.status, answer.headers.location]).toEqual([
      301,
      `${url.replace('http:', 'https:')}/a?b`,
    ])
    const forwarded = await get(`${url}/`, { 'x-forwarded-proto': 'https' })
    expect([forwarded.status, forwarded.text]).toEqual([200, 'mine'])
    const without = { domain: `x-${domain}` }
    const refused = await client.post(`${pages}/domains`, without)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        message: {
          certificate: ['must be present if HTTPS-only is enabled'],
          key: ['must be present if HTTPS-only is enabled'],
        },
      },
    ])
  })
})

describe('A private site', () => {
  const html = { accept: 'text/html' }

  it.each([
    ['public', 'private', 404],
    ['public', 'enabled', 200],
    ['public', 'public', 200],
    ['private', 'enabled', 404],
    ['private', 'public', 200],
    ['public', 'disabled', 404],
  ] as const)(
    'of a %s project whose site is %s answers strangers %i',
    async (visibility, access, status) => {
      const options = { visibility, access: 'public', group: world.groups.open }
      const { url, project } = await newSite(world, { 'public/index.html': 'x' }, options)
      await world.as('owner').put(`/projects/${project.id}`, { pages_access_level: access })
      expect((await get(`${url}/`)).status).toBe(status)
    },
  )

  it.each([
    ['open', 'enabled'],
    ['shut', 'private'],
  ] as const)('is what a new %s project has: %s', async (place, level) => {
    const { id } = await world.newProject({ group: world.groups[place] })
    const answer = await world.as('owner').get(`/projects/${id}`)
    expect(answer.json().pages_access_level).toBe(level)
  })

  it('is open to members by a token that reads, and to nobody else', async () => {
    const { url } = await newSite(world, { 'public/index.html': 'ours' }, { access: 'private' })
    const by = async (who: 'guest' | 'outsider' | 'admin') =>
      (await get(`${url}/`, { 'private-token': world.token(who) })).status
    expect([await by('guest'), await by('outsider'), await by('admin')]).toEqual([200, 404, 200])
    const answer = await get(`${url}/`, { 'private-token': world.token('guest') })
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect((await get(`${url}/`, { 'private-token': 'glpat-nobody' })).status).toBe(404)
  })

  it('is shown to a browser that is signed in here, by a ticket that is good once', async () => {
    const { url, path } = await newSite(world, { 'public/a.html': 'ours' }, { access: 'private' })
    const address = `${url}/a.html?q=1`
    const first = await get(address, html)
    expect(first.status).toBe(302)
    const [state = ''] = String(first.headers['set-cookie']).split(';')
    const to = new URL(String(first.headers.location))
    expect([to.origin, to.pathname, to.searchParams.get('address')]).toEqual([
      'http://bloomery.test',
      '/-/pages/visit',
      address,
    ])
    const ask = (headers: Record<string, string>) =>
      world.app.server.inject({
        url: `${to.pathname}${to.search}`,
        headers: { host: 'bloomery.test', ...headers },
      })
    const stranger = await ask({})
    expect([stranger.statusCode, stranger.headers.location]).toMatchObject([
      302,
      expect.stringMatching(/^http:\/\/bloomery\.test\/users\/sign_in\?return_to=%2F-%2Fpages/),
    ])
    const outsider = await browserAs(world, world.users.outsider)
    const hidden = await ask({ cookie: outsider.cookie })
    expect([hidden.statusCode, titleOf(hidden)]).toEqual([404, 'Page not found'])
    const inGerman = await ask({ cookie: outsider.cookie, 'accept-language': 'de' })
    expect([inGerman.statusCode, titleOf(inGerman)]).toEqual([404, 'Seite nicht gefunden'])
    expect(inGerman.body).toContain('<html lang="de">')
    expect(inGerman.body).toContain(
      '</h1>\n<p>Die Seite existiert nicht, oder Sie haben keine Berechtigung, sie zu sehen.</p>\n</main>',
    )
    const member = await browserAs(world, world.users.guest)
    const allowed = await ask({ cookie: member.cookie })
    const back = String(allowed.headers.location)
    expect(back.startsWith(`${new URL(url).origin}/.well-known/bloomery/visit?ticket=`)).toBe(true)
    expect((await get(back)).status).toBe(400)
    const other = back.replace(new URL(url).host, 'other.pages.test')
    expect((await get(other, { cookie: state })).status).toBe(400)
    const ofAnother = state.replace(/=.*/, '=another')
    expect((await get(back, { cookie: ofAnother })).status).toBe(400)
    const arrived = await get(back, { cookie: state })
    expect([arrived.status, arrived.headers.location]).toEqual([302, `/${path}/a.html?q=1`])
    const [visit = ''] = String(arrived.headers['set-cookie']).split(';')
    // A ticket is remembered for as long as it would be accepted.
    const { db, clock, config } = world.app
    for (const { every_ms, run } of pagesTasks) {
      if (every_ms !== undefined) await run({ db, config, clock: clock.now }, { job_id: 0 })
    }
    expect((await get(back, { cookie: state })).status).toBe(400)
    const shown = await get(address, { ...html, cookie: visit })
    expect([shown.status, shown.text]).toEqual([200, 'ours'])
    // A ticket is no cookie, and a cookie is one for its time.
    const ticket = new URL(back).searchParams.get('ticket')
    const asCookie = visit.replace(/=.*/, `=${ticket}`)
    expect((await get(address, { ...html, cookie: asCookie })).status).toBe(302)
    clock.advance(limits.pages.visit_ms)
    expect((await get(address, { ...html, cookie: visit })).status).toBe(302)
    clock.advance(-limits.pages.visit_ms)
    expect((await get(address, { ...html, cookie: visit })).status).toBe(200)
    await world.app.db.deleteFrom('sessions').where('user_id', '=', world.users.guest.id).execute()
    expect((await get(address, { ...html, cookie: visit })).status).toBe(302)
  })

  it('looks like one that is not there', async () => {
    const { url, owner } = await newSite(world, { 'public/index.html': 'x' }, { access: 'private' })
    const [hidden, absent] = [
      await get(`${url}/`, html),
      await get(`http://${owner}.pages.test/nothing/`, html),
    ]
    expect([hidden.status, absent.status]).toEqual([302, 302])
    const [bare, none] = [await get(`${url}/`), await get(`http://${owner}.pages.test/nothing/`)]
    expect([bare.status, bare.text]).toEqual([none.status, none.text])
  })

  it('is come back to over TLS where sites are served so', async () => {
    const app = await startApp({
      BLOOMERY_PAGES_HOST: 'https://pages.test',
      BLOOMERY_PAGES_PORT: '0',
    })
    atFileEnd(app.close)
    const plain = (await app.listenForPages('127.0.0.1')).port ?? 0
    const answer = await browse('http://anybody.pages.test/a?b', { port: plain, headers: html })
    const to = new URL(String(answer.headers.location))
    expect([to.pathname, to.searchParams.get('address')]).toEqual([
      '/-/pages/visit',
      'https://anybody.pages.test/a?b',
    ])
  })

  it('looks so as well where it is for TLS alone, which its members are sent to', async () => {
    const { url, project } = await newSite(
      world,
      { 'public/index.html': 'x' },
      { access: 'private' },
    )
    const pages = `/projects/${project.id}/pages`
    await world.as('maintainer').patch(pages, { pages_https_only: true })
    const [bare, browser] = [await get(`${url}/`), await get(`${url}/`, html)]
    expect([bare.status, bare.text]).toEqual([404, nothing])
    expect([browser.status, browser.headers.location]).toEqual([
      302,
      expect.stringContaining('/-/pages/visit?'),
    ])
    const member = await get(`${url}/`, { 'private-token': world.token('guest') })
    expect([member.status, member.headers.location]).toEqual([
      301,
      `${url.replace('http:', 'https:')}/`,
    ])
  })
})

describe('GET /pages/sites', () => {
  it('tells administrators of every site, whose it is, how large, and since when', async () => {
    const { project } = await newSite(world, { 'public/index.html': 'Home' }, { access: 'private' })
    const owner = world.as('owner')
    const domains = `/projects/${project.id}/pages/domains`
    const domain = `site-${project.id}.example.test`
    expect((await owner.post(domains, { domain })).statusCode).toBe(201)
    // However many there are of others.
    const { id: project_id } = await world.newProject()
    const now = world.app.clock.now().toISOString()
    const row = { project_id, auto_ssl_enabled: false, created_at: now, updated_at: now }
    const others = Array.from({ length: 1000 }, (_, at) => `a-${at}.example.test`)
    await world.app.db
      .insertInto('pages_domains')
      .values(others.map((name) => ({ ...row, domain: name, verification_code: '' })))
      .execute()
    const admin = world.as('admin')
    const answer = await admin.get('/pages/sites?per_page=100')
    expect(answer.statusCode).toBe(200)
    type Listed = { project: { id: number }; size: number }
    const sites: Listed[] = answer.json()
    const made = await owner.get(`/projects/${project.id}`)
    const { id, name, path, description, created_at, name_with_namespace } = made.json()
    const { path_with_namespace } = made.json()
    expect(sites.find((site) => site.project.id === project.id)).toEqual({
      project: {
        ...{ id, name, path, description, created_at, name_with_namespace, path_with_namespace },
      },
      url: (await owner.get(`/projects/${project.id}/pages`)).json().url,
      access_level: 'private',
      force_https: false,
      domains: [{ domain, verified: false }],
      size: expect.any(Number),
      files: 1,
      deployed_at: expect.stringMatching(/Z$/),
    })
    expect(sites.every(({ size }) => size > 0)).toBe(true)
    const [first] = (await admin.get('/pages/sites?per_page=1')).json()
    expect(first.project.id).toBe(sites[0]?.project.id)
    const count = (size: number) =>
      world.app.count(() => admin.get(`/pages/sites?per_page=${size}`))
    expect((await count(100)).queries).toBe((await count(1)).queries)
  })

  it('is for administrators alone', async () => {
    for (const who of ['owner', 'outsider'] as const) {
      const answer = await world.as(who).get('/pages/sites')
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: '403 Forbidden' }])
    }
    const answer = await world.as('anonymous').get('/pages/sites')
    expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
    const bad = await world.as('admin').get('/pages/sites?per_page=x')
    expect([bad.statusCode, bad.json()]).toEqual([400, { error: 'per_page is invalid' }])
  })
})
