import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const before = 'const one = 1\nconst two = 2\nexport const sum = one + two\n'
const after = before.replace('one + two', 'one - two')

stories(
  'push-then-read',
  (story) => {
    story('what git pushed is read in the pages', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const clone = await newClone(await open(), `Read ${visit.width}`)
      await visit.open(clone.path)
      await page.getByText('This repository is empty').waitFor()
      await page.getByText('git push --set-upstream origin main').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await clone.commit('First sums', {
        'README.md':
          '# Sums\n\nSee [the code](src/sum.ts).\n\n```ts\nconst a = 1\n```\n\n$$\n\\text{All that is paid, however many there are of them} = \\sum_i x_i\n$$\n',
        'src/sum.ts': before,
        'src/long.txt': Array.from({ length: 400 }, (_, at) => `line ${at + 1}\n`).join(''),
      })
      await clone.git('tag', '-a', 'v1.0', '-m', 'The first release')
      await clone.commit('Large', {
        'src/large.txt': Array.from({ length: 30_000 }, (_, at) => `${at}\n`.padStart(40)).join(''),
      })
      await clone.commit('Take away\n\nA sum is a difference now.', {
        'src/sum.ts': after,
        'src/huge.txt': Array.from({ length: 5_000 }, (_, at) => `${at} ${'x'.repeat(60)}\n`).join(
          '',
        ),
      })
      await clone.push('main', 'v1.0')
      const head = await clone.git('rev-parse', 'HEAD')

      // The empty page fills by itself.
      await page.getByRole('heading', { name: 'Sums' }).waitFor()
      await visit.open(clone.path)
      await page.getByRole('heading', { name: 'Sums' }).waitFor()
      await page.getByText('Latest tag: v1.0').waitFor()
      await page.getByRole('link', { name: '3 commits' }).waitFor()
      await page.locator('math').getByText('however many').first().waitFor()
      await page.locator('.tree-title').first().waitFor({ state: 'attached' })
      await visit.checkAccess()
      await visit.checkWidth()
      const star = page.getByRole('button', { name: /Star/ })
      const tabs = page.getByRole('navigation', { name: 'Project', exact: true })
      // What is drawn again stays where a finger has moved it.
      const scrolled = await tabs.evaluate((line) => {
        line.scrollLeft = line.scrollWidth
        return line.scrollLeft
      })
      await visit.press(star)
      await page.getByRole('button', { name: /Starred/, pressed: true }).waitFor()
      expect(scrolled > 0).toBe(visit.width === phone_px)
      expect(await tabs.evaluate((line) => line.scrollLeft)).toBe(scrolled)
      await visit.press(page.getByRole('link', { name: 'the code' }))

      await page.locator('#L3').getByText('export').waitFor()
      await page.locator('.hljs-keyword').first().waitFor()
      expect(await page.locator('.code-line').count()).toBe(3)
      await visit.checkAccess()
      await visit.checkWidth()
      const line = page.locator('#L1')
      await line.click({ position: { x: 20, y: 10 } })
      await expect.poll(() => new URL(page.url()).hash).toBe('#L1')
      await page.locator('#L3').click({ position: { x: 20, y: 10 }, modifiers: ['Shift'] })
      await expect.poll(() => new URL(page.url()).hash).toBe('#L1-3')
      await expect.poll(() => page.locator('.code-marked').count()).toBe(3)
      await page.keyboard.press('y')
      await expect.poll(() => page.url()).toContain(`/-/blob/${head}/src/sum.ts#L1-3`)
      await page.keyboard.press('b')
      await page.locator('.blame-title', { hasText: 'Take away' }).waitFor()
      expect(await page.locator('.blame-title').count()).toBe(2)
      await visit.checkAccess()
      await visit.checkWidth()
      await page.keyboard.press('h')
      await page.getByRole('heading', { name: 'History of src/sum.ts' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('link', { name: 'Take away' }))

      await page.getByRole('heading', { name: 'Take away' }).waitFor()
      await page.getByText('A sum is a difference now.').waitFor()
      await page.locator('.diff-removed', { hasText: 'one + two' }).waitFor()
      await page.locator('.diff-added b', { hasText: '-' }).waitFor()
      await page.locator('.diff-added .hljs-keyword', { hasText: 'export' }).waitFor()
      // A long change is asked for by itself.
      const long = page.getByRole('region', { name: 'Changes in src/huge.txt' })
      await visit.press(long.getByRole('button', { name: 'Show diff src/huge.txt' }))
      await expect.poll(() => long.locator('.diff-added').count()).toBe(5_000)
      await visit.press(page.getByRole('button', { name: 'Toggle diff: src/huge.txt' }))
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.open(`${clone.path}/-/blob/main/src/long.txt#L350`)
      await page.locator('#L350.code-marked').waitFor()
      await expect(page.locator('#L350').isVisible()).resolves.toBe(true)
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1_000)

      // Of a large file the first mebibyte, in whole lines of 40 bytes.
      await visit.open(`${clone.path}/-/blob/main/src/large.txt`)
      await page.getByText('its beginning is shown').waitFor()
      await expect.poll(() => page.locator('.code-line').count()).toBe(26_214)

      await page.keyboard.press('t')
      await visit.write(page.getByRole('combobox', { name: 'Find file' }), 'sm.t')
      await page.getByRole('option').first().waitFor()
      await visit.checkAccess()
      await page.keyboard.press('Enter')
      await page.locator('#L3').waitFor()
      expect(new URL(page.url()).pathname).toBe(`${clone.path}/-/blob/main/src/sum.ts`)

      await visit.open(`${clone.path}/-/compare/v1.0...main`)
      await page.getByRole('heading', { name: '2 commits' }).waitFor()
      await page.locator('.diff-added').first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('a push while a file is read shows its new text, and leaves the focus', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const clone = await newClone(await open(), `Moved ${visit.width}`)
      await clone.commit('Begin', { 'sum.ts': before })
      await clone.push('main')
      await visit.open(clone.path)
      const file = page.getByRole('link', { name: 'sum.ts', exact: true })
      await file.waitFor()
      await visit.settle()

      // The page of the file is shown as of the commit that is known, before the server has said that there is another.
      const answered = Promise.withResolvers<void>()
      await page.route('**/api/v4/resolve?*', async (route) => {
        await answered.promise
        await route.continue()
      })
      await clone.commit('Change', { 'sum.ts': after })
      await clone.push('main')
      await visit.press(file)
      await page.locator('#L3').getByText('one + two').waitFor()
      const edit = page.getByRole('link', { name: 'Edit file', exact: true })
      await edit.focus()
      answered.resolve()
      await page.locator('#L3').getByText('one - two').waitFor()
      expect(await edit.evaluate((link) => link === document.activeElement)).toBe(true)
    })

    story('history is drawn where it branches, and filtered by all at once', async (visit) => {
      const { page } = visit
      const clone = await newClone(await open(), `History ${visit.width}`)
      await clone.commit('First', { 'a.txt': 'a\n' })
      await clone.git('checkout', '-q', '-b', 'topic')
      await clone.commit('On the topic', { 'b.txt': 'b\n' })
      await clone.git('checkout', '-q', 'main')
      await clone.commit('On main', { 'c.txt': 'c\n' })
      await clone.git('merge', '-q', '-m', 'Merge the topic', 'topic')
      await clone.push('main')

      await visit.open(`${clone.path}/-/commits/main`)
      await expect.poll(() => page.locator('.history-graph-lines circle').count()).toBe(4)
      expect(await page.locator('.history-graph-lines path').count()).toBe(4)
      await visit.checkAccess()
      await visit.checkWidth()
      const row = page.locator('.commit-line')
      await visit.press(page.locator('summary', { hasText: 'Filter commits' }))
      await visit.write(page.getByLabel('Message'), 'ON')
      await page.keyboard.press('Enter')
      await expect.poll(() => row.count()).toBe(2)
      expect(await page.locator('.history-graph-lines').count()).toBe(0)
      await visit.write(page.getByLabel('Author'), 'nobody')
      await page.keyboard.press('Enter')
      await page.getByText('No matching commits').waitFor()
    })
  },
  open,
)
