// What visitors find without an account: public projects, groups and topics, and nothing of the others.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= begin()
  return server
}

const evil = '<img src=x onerror=alert(1)>'

/** Two public projects and a public group, beside what is hidden from visitors. */
async function begin(): Promise<Server> {
  const started = await startServer()
  const { ask } = started
  const group = (path: string, visibility: string) =>
    ask<{ id: number }>('POST /groups', { name: `Group ${path}`, path, visibility })
  const project = (name: string, fields: object) => ask('POST /projects', { name, ...fields })
  await group('open-works', 'public')
  const shut = await group('shut-works', 'private')
  await project('Anvil', {
    visibility: 'public',
    topics: ['iron', `heat ${evil}`],
    description: evil,
  })
  await project('Bellows', { visibility: 'public', topics: ['air', 'iron'] })
  await project('Inside', { visibility: 'internal', topics: ['iron', 'inner-secret'] })
  await project('Hidden', {
    visibility: 'private',
    namespace_id: shut.id,
    topics: ['iron', 'shut-secret'],
  })
  return started
}

const html = { accept: 'text/html' }
const hidden = /Inside|Hidden|shut-works|inner-secret|shut-secret/

stories(
  'explore',
  (story) => {
    story(
      'a visitor finds what is public, by text, order and topic, and nothing else',
      async (visit) => {
        const { page } = visit
        const check = async () => {
          await visit.settle()
          expect(await page.locator('body').innerText()).not.toMatch(hidden)
          await visit.checkWidth()
          for (const colorScheme of ['dark', 'light'] as const) {
            await page.emulateMedia({ colorScheme })
            await visit.checkAccess()
          }
        }
        // Nor is it in any answer of the server.
        const told: Promise<string>[] = []
        page.on('response', (answer) => {
          if (answer.url().includes('/api/v4/')) told.push(answer.text().catch(() => ''))
        })
        const rows = page
          .getByRole('list', { name: 'Projects', exact: true })
          .locator('a[data-main]')
        const named = (wanted: string[]) =>
          expect
            .poll(() => rows.allInnerTexts())
            .toEqual(wanted.map((one) => `Administrator / ${one}`))
        const tabs = page.getByRole('navigation', { name: /^(?:Projects|Groups|Topics)$/ })

        await visit.open('/users/sign_in')
        await visit.press(page.getByRole('link', { name: 'Explore public projects' }))
        await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
        await rows.nth(1).waitFor()
        expect((await rows.allInnerTexts()).sort()).toEqual([
          'Administrator / Anvil',
          'Administrator / Bellows',
        ])
        await check()

        await page.getByLabel('Sort by').selectOption('name')
        await named(['Anvil', 'Bellows'])
        await visit.write(page.getByLabel('Filter projects'), 'bell')
        await named(['Bellows'])
        expect(new URL(page.url()).searchParams.get('search')).toBe('bell')
        await visit.write(page.getByLabel('Filter projects'), 'hidd')
        await page.getByText('No matching projects').waitFor()
        await check()

        await visit.press(page.getByRole('link', { name: 'Clear filters' }))
        await visit.press(page.getByRole('link', { name: `heat ${evil}` }))
        await named(['Anvil'])

        await visit.press(tabs.getByRole('link', { name: 'Topics' }))
        await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor()
        const topics = page.getByRole('list', { name: 'Topics' }).getByRole('listitem')
        await expect.poll(() => topics.first().innerText()).toMatch(/iron\s+4 projects/)
        expect(await topics.count()).toBe(3)
        await check()
        await visit.write(page.getByLabel('Filter topics'), 'secret')
        await page.getByText('No matching topics').waitFor()
        await visit.write(page.getByLabel('Filter topics'), 'air')
        await visit.press(page.getByRole('link', { name: 'air', exact: true }))
        await named(['Bellows'])

        await visit.press(tabs.getByRole('link', { name: 'Groups' }))
        await page.getByRole('link', { name: 'Group open-works' }).waitFor()
        await check()
        expect((await Promise.all(told)).join('\n')).not.toMatch(hidden)

        await visit.open('/shut-works/hidden')
        await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      },
    )

    story('addresses of visitors lead there', async (visit) => {
      const { page } = visit
      for (const [from, to] of [
        ['/explore', '/explore'],
        ['/public', '/explore/projects'],
        ['/public/projects?sort=name', '/explore/projects?sort=name'],
        ['/explore/projects/trending', '/explore/projects'],
        ['/explore/projects/topics/iron', '/explore/projects?topic=iron'],
        ['/explore/projects/topics/a%26b', '/explore/projects?topic=a%26b'],
        ['/explore/topics', '/explore/projects/topics'],
      ] as const) {
        const answer = await visit.context.request.get(from, { headers: html, maxRedirects: 0 })
        expect([from, answer.status() < 400]).toEqual([from, true])
        await visit.open(from)
        await page.waitForURL((now) => now.pathname + now.search === to)
      }
      expect(
        (await visit.context.request.get('/explore/nothing', { headers: html })).status(),
      ).toBe(404)
    })
  },
  open,
)
