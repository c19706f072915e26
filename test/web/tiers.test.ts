// Nobody is offered a page that the tier of the instance does not have.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, stories, type Visit } from './browser.ts'

const tiers = ['free', 'premium', 'ultimate'] as const
type Tier = (typeof tiers)[number]

const servers = new Map<Tier, Promise<Server>>()
const serverOf = (tier: Tier) => {
  const server = servers.get(tier) ?? startServer({ BLOOMERY_TIER: tier })
  servers.set(tier, server)
  return server
}

/** Places of the menus that are for some tiers, by the lowest one that has them. */
const ofTiers: readonly (readonly [place: string, words: string, Tier])[] = [
  ['/admin/audit_events', 'Instance audit events', 'premium'],
  ['/admin/exports', 'All vulnerability exports', 'ultimate'],
  ['/-/security/dashboard', 'Security dashboard', 'ultimate'],
]

/** What the column of the administration and the menu of the account lead to. */
async function offered({ page, open }: Visit): Promise<string[]> {
  await open('/admin')
  const hrefs = (all: Element[]) => all.map((one) => one.getAttribute('href') ?? '')
  const column = await page.locator('.side-nav a').evaluateAll(hrefs)
  await page.getByRole('button', { name: 'Account menu of Administrator' }).click()
  const menu = await page.locator('[role=menuitem][href]').evaluateAll(hrefs)
  expect([column.length > 10, menu.length > 5]).toEqual([true, true])
  return [...column, ...menu]
}

for (const tier of tiers) {
  stories(
    `tier ${tier}`,
    (story) => {
      story('whatever is offered is there', async (visit) => {
        const { page } = visit
        await visit.signIn()
        const places = await offered(visit)
        await page.keyboard.press('Escape')
        await visit.open('/')
        await visit.settle()
        const palette = page.locator('.palette-input')
        for (const [place, words, lowest] of ofTiers) {
          const isThere = tiers.indexOf(lowest) <= tiers.indexOf(tier)
          expect([place, places.includes(place)]).toEqual([place, isThere])
          await page.keyboard.press('Control+k')
          await palette.fill(words)
          const found = page.getByRole('option').filter({ hasText: new RegExp(`^${words}`) })
          if (isThere) await found.waitFor()
          await visit.settle()
          expect([words, await found.count()]).toEqual([words, isThere ? 1 : 0])
          await page.keyboard.press('Escape')
          await palette.waitFor({ state: 'detached' })
        }
        // All pages of the highest tier are walked by others.
        if (tier === 'ultimate' || visit.width === phone_px) return
        for (const place of places) {
          const refused: string[] = []
          const note = (answer: { status: () => number; url: () => string }) => {
            if (answer.status() >= 400) refused.push(`${place}: ${answer.status()} ${answer.url()}`)
          }
          page.on('response', note)
          await visit.open(place)
          await visit.settle()
          page.off('response', note)
          expect(await page.getByText('Page not found').count(), place).toBe(0)
          expect(refused).toEqual([])
        }
      })
    },
    () => serverOf(tier),
  )
}
