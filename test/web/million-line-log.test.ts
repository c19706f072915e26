import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { sendLog } from './sent-log.ts'

const lines = 1_000_000

let server: Promise<Server> | undefined
let address: Promise<string> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const log = () =>
  Buffer.from(Array.from({ length: lines }, (_, at) => `line ${at + 1} of the furnace\n`).join(''))

stories(
  'million-line-log',
  (story) => {
    story('a log opens at its end, goes to any line and is searched whole', async (visit) => {
      const { page } = visit
      await visit.signIn()
      address ??= sendLog(await open(), 'Long log', log())
      const path = await address
      await visit.open(path)
      await page.getByText(`line ${lines} of the furnace`).waitFor()
      const rows = () => page.locator('.log-line').count()
      expect(await rows()).toBeLessThanOrEqual(3_000)
      await visit.checkWidth()

      await visit.open(`${path}#L500123`)
      await page.locator('.log-marked', { hasText: 'line 500123 of' }).waitFor()
      expect(await rows()).toBeLessThanOrEqual(3_000)
      await page.keyboard.press('g')
      await page.keyboard.press('g')
      await page.locator('.log-marked', { hasText: 'line 1 of' }).waitFor()

      await visit.write(page.getByLabel('Search log'), 'line 900001 of')
      await page.keyboard.press('Enter')
      await page.getByText('1 of 1', { exact: true }).waitFor()
      await page.locator('.log-marked', { hasText: 'line 900001 of' }).waitFor()
      expect(await rows()).toBeLessThanOrEqual(3_000)

      // Whoever leaves while it is searched ends the search, which is no fault. The network is slow, so that it still goes on.
      await page.route(/\/trace/, async (route) => {
        await setTimeout(2_000)
        await route.continue().catch(() => {})
      })
      await visit.write(page.getByLabel('Search log'), 'nothing has this')
      await page.keyboard.press('Enter')
      await visit.follow('/')
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    })
  },
  open,
)
