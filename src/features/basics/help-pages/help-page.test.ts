import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newWorld, type World } from '../../../../test/kit/world.ts'

const root = join(import.meta.dirname, '../../../..')

type Found = { path: string; title: string; section: string; excerpt: string | null }

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const list = async (query = '') =>
  (await world.as('anonymous').get(`/help/pages${query}`)).json() as Found[]
const show = (path: string) =>
  world.as('anonymous').get(`/help/page?path=${encodeURIComponent(path)}`)

describe('GET /help/pages', () => {
  it('lists the documentation for those who use and run the server', async () => {
    const pages = await list()
    expect(pages.slice(0, 4)).toEqual([
      { path: 'README.md', title: 'Bloomery', section: 'start', excerpt: null },
      { path: 'CHANGELOG.md', title: 'Changelog', section: 'start', excerpt: null },
      { path: 'SECURITY.md', title: expect.any(String), section: 'start', excerpt: null },
      expect.objectContaining({ section: 'api' }),
    ])
    const files = globSync('docs/{api,operating}/**/*.md', { cwd: root })
    expect(pages.slice(3).map(({ path }) => path)).toEqual(files.toSorted())
  })

  it('finds pages that hold every word, those with all of them in their title first', async () => {
    expect(await list('?search=zebra')).toEqual([])
    const found = await list('?search=Webhooks%20')
    expect(found[0]).toMatchObject({ path: 'docs/api/webhooks.md', section: 'api' })
    expect(found.length).toBeGreaterThan(1)
    for (const { excerpt } of found.slice(1)) expect(excerpt?.toLowerCase()).toContain('webhooks')
    for (const { excerpt } of found) expect(excerpt).not.toMatch(/[|`*[\]]/)
    const both = await list('?search=webhooks%20signature')
    expect(both.length).toBeLessThan(found.length)
  })

  it('has no more than 30 results, and takes a search of 200 characters', async () => {
    expect(await list('?search=e')).toHaveLength(30)
    expect(await list(`?search=${'a'.repeat(200)}`)).toEqual([])
    const answer = await world.as('anonymous').get(`/help/pages?search=${'a'.repeat(201)}`)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'search is too long (maximum is 200 characters)' },
    ])
  })
})

describe('GET /help/page', () => {
  it('renders a page without its title, with links to other pages and to its parts', async () => {
    const answer = await show('docs/operating/workers.md')
    expect(answer.statusCode).toBe(200)
    const { path, title, html } = answer.json()
    expect([path, title]).toEqual(['docs/operating/workers.md', 'Several processes on one machine'])
    expect(html).not.toContain('<h1')
    expect(html).toMatch(/<h2 [^>]*id="user-content-how-it-works">How it works<\/h2>/)
    expect(html).toContain('<a href="/help/docs/operating/nodes.md">node</a>')
  })

  it.each([
    'docs/none.md',
    'package.json',
    'docs/../package.json',
    '../README.md',
    '/etc/passwd',
    'docs/api',
    'src/main.ts',
    '',
  ])('is 404 for %j, whether there is such a file or not', async (path) => {
    const answer = await show(path)
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Page Not Found' }])
  })

  it('wants a path', async () => {
    const answer = await world.as('anonymous').get('/help/page')
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'path is missing' }])
  })
})
