import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
/** With the runner that the server starts itself. */
const open = () => {
  server ??= startServer({ BLOOMERY_RUNNER: 'builtin' })
  return server
}

const configuration = `smelt:
  script:
    - echo "heating up"
    - echo "the ore error is known"
    - exit 1
`

stories(
  'keys-alone',
  (story) => {
    story('code is found, read and its pipeline looked into without a mouse', async (visit) => {
      const { page } = visit
      const { root } = await open()
      const clone = await newClone(await open(), `Keys ${visit.width}`)
      await clone.commit('First heat', { 'src/heat.ts': 'export const heat = 1\n' })
      await clone.commit('More heat', {
        'src/heat.ts': 'export const heat = 2\n',
        '.gitlab-ci.yml': configuration,
      })
      await clone.push('main')
      const press = (...keys: string[]) =>
        keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

      await visit.open('/users/sign_in')
      await page.getByLabel('Username').and(page.locator(':focus')).waitFor()
      await page.keyboard.type(root.login)
      await press('Tab')
      await page.keyboard.type(root.password)
      await press('Enter')
      await page.getByRole('heading', { name: 'Your projects' }).waitFor()

      await press('Control+k')
      await page.locator('.palette-input').waitFor()
      await page.keyboard.type(`Keys ${visit.width}`)
      // Before the server has answered there is only the search of everything.
      const found = page.getByRole('option', { name: new RegExp(`root/keys-${visit.width}`) })
      await found.first().waitFor()
      await press('Enter')
      await page.getByRole('heading', { level: 1, name: `Keys ${visit.width}` }).waitFor()
      await page.getByRole('link', { name: 'src' }).waitFor()

      await press('t')
      await page.locator('[role=combobox]:focus').waitFor()
      await page.keyboard.type('heat')
      await page.getByRole('option').first().waitFor()
      await press('Enter')
      await page.locator('#L1', { hasText: 'heat = 2' }).waitFor()
      await press('b')
      await page.locator('.blame-title', { hasText: 'More heat' }).waitFor()
      await press('h')
      await page.getByRole('heading', { name: 'History of src/heat.ts' }).waitFor()
      await page.getByRole('link', { name: 'More heat' }).waitFor()
      await press('j', 'Enter')
      await page.getByRole('heading', { level: 1, name: 'More heat' }).waitFor()
      await page.locator('.diff-added', { hasText: 'heat = 2' }).waitFor()
      await press('n')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.classList.contains('diff-first')))
        .toBe(true)

      await press('g', 'l')
      await page.getByRole('link', { name: /^#\d+/ }).waitFor()
      await press('j', 'Enter')
      await page.locator('.state-bar', { hasText: 'failed' }).waitFor()
      const link = page.getByRole('link', { name: 'View log of smelt' })
      await link.waitFor()
      for (let presses = 0; presses < 60; presses++) {
        if (await link.evaluate((one) => one === document.activeElement)) break
        await press('Tab')
      }
      await press('Enter')
      await page.locator('.log-line', { hasText: 'heating up' }).last().waitFor()
      await press('e')
      await page.locator('.log-marked', { hasText: 'error' }).waitFor()
      await press('/')
      await page.keyboard.type('heating')
      await press('Enter')
      await page.getByText(/^1 of \d+$/).waitFor()
      await press('n')
      await page.getByText(/^2 of \d+$/).waitFor()
      await press('u')
      await page.getByRole('heading', { level: 1, name: /Pipeline \d+/ }).waitFor()

      // Every key of a page is told on it.
      await press('?')
      await page.getByRole('dialog').getByText('Go to pipelines').waitFor()
      await press('Escape')
      await press('g', 'h')
      await page.getByRole('heading', { name: 'Your projects' }).waitFor()
    })
  },
  open,
)
