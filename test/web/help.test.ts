// The documentation that the server came with, for visitors too.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'help',
  (story) => {
    story('a visitor searches the documentation, reads a page and goes on', async (visit) => {
      const { page } = visit
      await visit.open('/help')
      const operating = page.getByRole('list', { name: 'Run a server' })
      await operating.getByRole('link', { name: 'Backup', exact: true }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.write(
        page.getByRole('searchbox', { name: 'Search documentation' }),
        'zebra unicorn',
      )
      await page.getByText('No matching pages').waitFor()
      await visit.write(
        page.getByRole('searchbox', { name: 'Search documentation' }),
        'workers sqlite',
      )
      const results = page.getByRole('list', { name: 'Search results' })
      await visit.press(results.getByRole('link', { name: 'Several processes on one machine' }))

      await page
        .getByRole('heading', { level: 1, name: 'Several processes on one machine' })
        .waitFor()
      await page.getByRole('heading', { level: 2, name: 'How it works' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('main').getByRole('link', { name: 'node', exact: true }))
      await expect.poll(() => new URL(page.url()).pathname).toBe('/help/docs/operating/nodes.md')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.goBack()
      await page
        .getByRole('heading', { level: 1, name: 'Several processes on one machine' })
        .waitFor()
    })

    story('an address without a page says so', async (visit) => {
      const { page } = visit
      await page.goto('/help/docs/operating/none.md')
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    })
  },
  open,
)
