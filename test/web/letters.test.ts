// The HTML of letters in a browser, as mail programs show it: both themes, both widths, and no barrier in either.
import { afterAll, expect } from 'vitest'
import { freePort } from '../../tools/server-process.ts'
import { type Server, startServer } from '../kit/server.ts'
import { startSmtp } from '../kit/smtp.ts'
import { stories } from './browser.ts'

type Started = { server: Server; mail: Awaited<ReturnType<typeof startSmtp>> }

let started: Promise<Started> | undefined
function start(): Promise<Started> {
  started ??= (async () => {
    const mail = await startSmtp()
    const port = await freePort()
    const server = await startServer({
      BLOOMERY_PORT: String(port),
      BLOOMERY_URL: `http://127.0.0.1:${port}`,
      BLOOMERY_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    })
    return { server, mail }
  })()
  return started
}

afterAll(async () => (await started)?.mail.close())

stories(
  'letters',
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
