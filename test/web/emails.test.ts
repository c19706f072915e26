// The HTML of emails in a browser, as mail programs show it: both themes, both widths, and no barrier in either.
import { expect } from 'vitest'
import { startMailingServer } from '../kit/mailing-server.ts'
import { stories } from './browser.ts'

let started: ReturnType<typeof startMailingServer> | undefined
function start() {
  started ??= startMailingServer()
  return started
}

stories(
  'emails',
  (story) => {
    story('look like the pages, and their link leads to the page that it names', async (visit) => {
      const { page } = visit
      const { server, mail } = await start()
      const username = `ada-${visit.width}`
      const email = `${username}@foundry.test`
      await server.ask('POST /users', { username, email, name: 'Ada & Co', reset_password: true })
      const find = () => mail.received.find(({ to }) => to.includes(email))
      await expect.poll(find).toBeDefined()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.setContent(find()?.html ?? '')
      await page.getByText('Hello, Ada & Co!').waitFor()
      await page.getByText(/^You receive this email because/).waitFor()
      const button = page.getByRole('link', { name: 'Set your password', exact: true })
      const colours: string[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await visit.checkAccess()
        await visit.checkWidth()
        colours.push(await button.evaluate((one) => getComputedStyle(one).backgroundColor))
      }
      // The accent of the pages, in each theme (web/ui/tokens.css).
      expect(colours).toEqual(['rgb(180, 65, 13)', 'rgb(245, 139, 75)'])
      expect(asked).toEqual([])
      await button.click()
      await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    })
  },
  async () => (await start()).server,
)
