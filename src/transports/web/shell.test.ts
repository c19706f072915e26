import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
const get = (url: string, headers: Record<string, string> = {}) =>
  world.app.server.inject({ url, headers: { host: 'bloomery.test', accept: html, ...headers } })

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types bloomery"

describe('the shell', () => {
  it('is the same for what there is, what is hidden and what is not there', async () => {
    const { shut, open } = world.projects
    const addresses = [
      '/',
      '/users/sign_in',
      `/${open.full_path}`,
      `/${shut.full_path}`,
      '/no/such',
    ]
    const pages = await Promise.all(addresses.map((url) => get(url)))
    expect(new Set(pages.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1)
    expect(pages[0]?.body.length).toBeLessThan(2048)
    expect(pages[0]?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
    })
  })

  it('has the theme of the reader from the first paint on', async () => {
    const plain = await get('/')
    const dark = await get('/', { cookie: 'a=b; bloomery_theme=dark' })
    expect(plain.body).toContain('<html lang="en">')
    expect(dark.body).toBe(plain.body.replace('<html ', '<html data-theme="dark" '))
    expect(dark.headers.etag).not.toBe(plain.headers.etag)
    expect((await get('/', { cookie: 'bloomery_theme="><script>' })).body).toBe(plain.body)
  })

  it.each([
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB,en;q=0.9,de;q=0.8', 'en'],
    ['fr,de;q=0.5', 'de'],
    ['fr, de;q=0', 'en'],
    ['en;q=0.2, DE;q=0.3', 'de'],
    ['de;q=high', 'en'],
    [`${'fr,'.repeat(10)}de`, 'en'],
  ])('is for browsers that ask for %j in %s', async (accepted, language) => {
    const { body, headers } = await get('/', { 'accept-language': accepted })
    expect(body).toContain(`<html lang="${language}">`)
    expect(headers.vary).toContain('Accept-Language')
  })

  it('is in the language of the reader, whatever their browser asks for', async () => {
    const ask = (cookie: string, accepted: string) =>
      get('/', { cookie, 'accept-language': accepted })
    const german = await ask('bloomery_language=de', 'en')
    expect(german.body).toContain('<html lang="de">')
    expect(german.headers.etag).not.toBe((await get('/')).headers.etag)
    expect((await ask('bloomery_language=en', 'de')).body).toContain('<html lang="en">')
    expect((await ask('bloomery_language="><script>', 'de')).body).toBe(german.body)
  })

  it('is not sent to a browser that has it', async () => {
    const first = await get('/a/b')
    const again = await get('/a/b', { 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  const linksOf = async (url: string, headers = {}) => {
    const links = String((await get(url, headers)).headers.link).split(', ')
    return {
      calls: links.filter((link) => link.endsWith('; rel=preload; as=fetch; crossorigin')),
      pages: links.flatMap((link) => {
        const [, page] =
          /^<\/-\/assets\/([a-z.-]+)-[\w-]{8}\.js>; rel=modulepreload$/.exec(link) ?? []
        return page ?? []
      }),
    }
  }

  it('names the first calls of a page by its address alone', async () => {
    expect((await linksOf('/')).calls).toEqual([])
    expect((await linksOf('/groups/new')).calls).toEqual([])
    expect((await linksOf('/a/b%20c/-/tree/main')).calls).toEqual([
      '</api/v4/resolve?path=%2Fa%2Fb%2520c%2F-%2Ftree%2Fmain&with_record=true>; rel=preload; as=fetch; crossorigin',
    ])
    const signedIn = await linksOf('/-/profile', { cookie: 'bloomery_signed_in=1' })
    expect(signedIn.calls).toEqual(['</api/v4/session>; rel=preload; as=fetch; crossorigin'])
  })

  it.each([
    ['/', 'todos'],
    ['/-/profile/keys', 'ssh-key.page settings'],
    ['/a/b', 'reading'],
    ['/a/b/c/-/tree/main/src', 'reading'],
    ['/a/b/-/jobs/7', 'jobs'],
    ['/a/b/-/jobs/7/artifacts/browse', 'artifacts'],
    ['/a/b/-/pipelines', 'delivery'],
    ['/a/b/-/issues/7', 'issue.page details'],
    ['/a/b/-/merge_requests/7/diffs', 'request.page details'],
    ['/a/b/-/merge_requests/7/conflicts', 'editing'],
    ['/a/b/-/settings/ci_cd', 'pipeline-settings settings'],
    ['/groups/a/b', 'group.page'],
    ['/groups/new', 'beginning'],
    ['/groups/a/-/runners', 'pipeline-settings settings'],
    ['/admin/tasks', 'operation admin'],
    ['/admin/users/ada', 'accounts admin'],
  ])('names the scripts of the page at %s', async (url, page) => {
    expect((await linksOf(url)).pages).toEqual(page.split(' '))
  })

  it.each([
    '/a',
    '/no/such/-/constructor',
    '/a/b/-/__proto__/x',
    '/-/nothing',
    '/-/a/b/-/tree/main',
    '/admin/x',
    '/users/x/y',
    '/search/x/-/tree/main',
  ])('names no script at %s', async (url) => {
    expect((await linksOf(url)).pages).toEqual([])
  })

  it('asks nothing of the database', async () => {
    const { queries } = await world.app.count(() => get('/some/project'))
    expect(queries).toBe(0)
  })

  it.each([
    ['a program', '/no/such', { accept: 'application/json' }],
    ['a client of the API', '/api/v4/nothing', { accept: html }],
    ['who asks for a script that is not there', '/-/assets/none.js', { accept: html }],
  ])('is not what %s gets', async (_who, url, headers) => {
    const answer = await get(url, headers)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/json'])
  })

  it.each([
    ['/a/b/-/jobs/7/raw', '/api/v4/projects/a%2Fb/jobs/7/trace'],
    [
      '/a/b/-/jobs/artifacts/main/download?job=build',
      '/api/v4/projects/a%2Fb/jobs/artifacts/main/download?job=build',
    ],
    [
      '/a/b/-/jobs/artifacts/feature/one/raw/d/e.txt?job=build',
      '/api/v4/projects/a%2Fb/jobs/artifacts/feature%2Fone/raw/d/e.txt?job=build',
    ],
    ['/a/b/c/-/jobs/7/artifacts/download', '/api/v4/projects/a%2Fb%2Fc/jobs/7/artifacts'],
    [
      '/a/b/-/jobs/7/artifacts/raw/d/e%20f.txt',
      '/api/v4/projects/a%2Fb/jobs/7/artifacts/d/e%20f.txt',
    ],
  ])('leaves the bytes of %s to the API', async (url, place) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      `http://bloomery.test${place}`,
    ])
  })

  it.each([
    '/a/b/-/jobs/artifacts/main/browse?job=build',
    '/a/b/-/pipelines/latest',
    '/a/-/group_members',
    '/groups/a/-/edit',
    '/a/b/issues/3',
    '/projects/7',
    '/profile/keys',
  ])('is at %s', async (url) => {
    expect((await get(url)).statusCode).toBe(200)
  })

  it.each(['/a/b/-/nothing', '/a/b/-/constructor', '/-/nothing', '/users/x/nothing', '/a b/c'])(
    'says by the address alone that no page is for %s',
    async (url) => {
      const answer = await get(url, { 'if-none-match': String((await get('/')).headers.etag) })
      expect([answer.statusCode, answer.body]).toEqual([404, (await get('/')).body])
    },
  )

  it('is not what a subscriber to a feed gets', async () => {
    for (const url of ['/a/b/-/commits/main?format=atom', '/a/b.atom']) {
      expect((await get(url)).json()).toEqual({ error: '404 Not Found' })
    }
  })

  it('is what a browser gets for releases, where programs get records', async () => {
    const { full_path } = world.projects.open
    const releases = `/${full_path}/-/releases`
    expect((await get(releases)).headers['content-type']).toBe('text/html; charset=utf-8')
    for (const [url, accept] of [
      [releases, 'application/json'],
      [`${releases}.json`, html],
    ] as const) {
      const answer = await get(url, { accept })
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json'])
    }
  })

  it('has an icon for browsers that ask for one of their own accord', async () => {
    const icon = await get('/favicon.ico')
    expect(icon.headers['content-type']).toBe('image/svg+xml')
    expect(icon.body).toMatch(/^<svg .*<\/svg>$/)
  })

  it('can be installed as a program, with the icon it has', async () => {
    const answer = await get('/manifest.webmanifest')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('application/manifest+json')
    expect(answer.json()).toEqual({
      ...{ id: '/', name: 'Bloomery', short_name: 'Bloomery', start_url: '/', scope: '/' },
      ...{ display: 'minimal-ui', background_color: '#fbfaf8', theme_color: '#ffffff' },
      icons: [{ src: '/favicon.ico', type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
    })
    expect((await get('/', { accept: 'text/html' })).body).toContain(
      '<link rel="manifest" href="/manifest.webmanifest"',
    )
  })

  it('leaves git alone', async () => {
    const { open } = world.projects
    const refs = `/${open.full_path}.git/info/refs?service=git-upload-pack`
    expect((await get(refs)).headers['content-type']).toContain('git-upload-pack')
  })
})

describe('the parts of the pages', () => {
  it('are kept by browsers for good, and travel small', async () => {
    const [, script = ''] = /src="([^"]+)"/.exec((await get('/')).body) ?? []
    expect(script).toMatch(/^\/-\/assets\/[\w-]+\.js$/)
    const plain = await get(script)
    const small = await get(script, { 'accept-encoding': 'gzip, br' })
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(small.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(small.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  it.each([
    '/-/assets/index.en.html',
    '/-/assets/preloads.en.json',
    '/-/assets/..%2Findex.en.html',
    '/-/assets/.built',
  ])('do not hold %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })
})
