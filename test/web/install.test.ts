// The pages as a program that a browser installs, and what they say without a network.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'install',
  (story) => {
    story('a browser finds nothing that keeps it from installing the pages', async (visit) => {
      const { page, context } = visit
      await visit.signIn()
      await visit.open('/')
      const session = await context.newCDPSession(page)
      const { url, errors, data } = await session.send('Page.getAppManifest')
      expect(new URL(url).pathname).toBe('/manifest.webmanifest')
      expect([errors, JSON.parse(data ?? '{}').name]).toEqual([[], 'Bloomery'])
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
      // A window of its own that leaves nothing behind is never offered an installation.
      const found = installabilityErrors.map(({ errorId }) => errorId)
      expect(found.filter((id) => id !== 'in-incognito')).toEqual([])
      const colours = page.locator('meta[name="theme-color"]')
      expect(await colours.count()).toBe(2)
      // Nothing is kept by a worker behind the pages.
      expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([])
    })

    story('without a network an open page says so, and goes on with it', async (visit) => {
      const { page, context } = visit
      await visit.signIn()
      await visit.open('/')
      await visit.settle()
      await context.setOffline(true)
      await page.getByRole('link', { name: 'Explore' }).click()
      await page.getByText('Server unreachable').first().waitFor()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      await visit.checkWidth()
      await context.setOffline(false)
      await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
      await page.getByText('Server unreachable').waitFor({ state: 'detached' })
    })
  },
  open,
)
