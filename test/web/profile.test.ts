// The page of a user: what they say of themselves, what they did on each day of a year, and the latest of it.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const evil = '<img src=x onerror=alert(1)>'
const password = 'a pass phrase of hers'

async function newUser(username: string): Promise<{ id: number; token: string }> {
  const { ask } = await open()
  const { id } = await ask<{ id: number }>('POST /users', {
    ...{ username, name: `Cy ${evil}`, email: `${username}@foundry.test`, password },
    skip_confirmation: true,
  })
  const made = { name: 'story', scopes: ['api'] }
  const { token } = await ask<{ token: string }>(`POST /users/${id}/impersonation_tokens`, made)
  return { id, token }
}

stories(
  'profile',
  (story) => {
    story('a user has a README, a year of days and the latest activity', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const login = `cy-${width}`
      const { id, token } = await newUser(login)
      const own = await ask<{ id: number }>(
        'POST /projects',
        { name: login, path: login, visibility: 'public' },
        { token },
      )
      await ask(
        `POST /projects/${own.id}/repository/files/README.md`,
        {
          branch: 'main',
          commit_message: `Say hello ${evil}`,
          content: `# Hello\n\nI keep the fire. <img src=x onerror=alert(2) alt=x>\n\n[Notes](notes.md)\n`,
        },
        { token },
      )
      // What follows a push is told a moment later.
      const pushes = () => ask<unknown[]>(`GET /users/${id}/events?action=pushed`)
      await expect.poll(async () => (await pushes()).length).toBe(1)
      for (let at = 0; at < 30; at++)
        await ask(`POST /projects/${own.id}/issues`, { title: `Task ${at} ${evil}` }, { token })
      const other = await ask<{ id: number }>(
        'POST /projects',
        { name: `Hidden ${width}`, visibility: 'private' },
        { token },
      )
      await ask(`POST /projects/${other.id}/issues`, { title: 'Nobody sees it' }, { token })

      await visit.open(`/${login}`)
      await page.waitForURL('**/users/sign_in?*')

      await visit.signIn({ login, password })
      await visit.open(`/${login}`)
      await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor()
      await page.getByText('I keep the fire.').waitFor()
      const notes = page.getByRole('link', { name: 'Notes', exact: true })
      expect(await notes.getAttribute('href')).toContain(`/${login}/${login}/-/blob/main/notes.md`)
      const { days } = await ask<{ days: { date: string; count: number }[] }>(
        `GET /users/${id}/calendar`,
      )
      const [today] = days
      const total = days.reduce((sum, { count }) => sum + count, 0)
      await page.getByText(`${total} contributions in the past year`).waitFor()
      const list = page.getByRole('list', { name: 'Recent activity' })
      await list.getByText('Nobody sees it').waitFor()
      expect(await list.getByRole('listitem').count()).toBe(30)
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await visit.findMisplaced()).toEqual([])
      expect(await page.locator('main [onerror]').count()).toBe(0)
      const table = page.getByRole('table')
      await visit.press(page.getByText('Show as table'))
      await table.getByRole('row').nth(1).waitFor()
      expect(await table.getByRole('cell').allTextContents()).toEqual(
        days.map(({ count }) => String(count)),
      )
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.press(page.getByRole('link', { name: 'Next', exact: true }))
      await page.waitForURL('**?page=2')
      await list.getByText('Say hello').waitFor()
      expect(await page.getByText('I keep the fire.').count()).toBe(0)
      await visit.press(page.getByRole('link', { name: 'Personal projects' }))
      await page.getByRole('list', { name: 'Personal projects' }).getByText(login).first().waitFor()

      // A day leads to what was done on it, by keys as well.
      await visit.open(`/${login}`)
      const grid = page.getByRole('group', { name: 'Contributions by day' })
      const square = grid.getByRole('link', { name: `${today?.count} contributions on` })
      await square.waitFor()
      if (width > 1000) {
        await visit.enter(square)
        await page.keyboard.press('ArrowUp')
        await page.keyboard.press('ArrowLeft')
        const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'))
        const before = new Date(Date.parse(today?.date ?? '') - 8 * 86_400_000)
        expect(await focused()).toContain(`?date=${before.toISOString().slice(0, 10)}`)
        expect(await grid.locator('[tabindex="0"]').count()).toBe(1)
        await page.keyboard.press('Enter')
        await page.getByText('No activity on this day').waitFor()
        await visit.checkAccess()
        expect(await grid.locator('[tabindex="0"]').count()).toBe(1)
        await page.goBack()
        await page.getByText('I keep the fire.').waitFor()
      }
      await visit.press(grid.getByRole('link', { name: `${today?.count} contributions on` }))
      await page.waitForURL(`**?date=${today?.date}`)
      await page.getByRole('heading', { level: 2, name: /^Activity on / }).waitFor()
      await page.getByText('Nobody sees it').waitFor()
      expect(await grid.locator('[aria-current="date"]').count()).toBe(1)
      await visit.checkAccess()
      await visit.press(page.getByRole('link', { name: 'Show all activity' }))
      await page.getByText('I keep the fire.').waitFor()
    })

    story('others see of it what they may read', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const login = `di-${width}`
      const { id, token } = await newUser(login)
      const made = { name: login, path: login, visibility: 'private', initialize_with_readme: true }
      const own = await ask<{ id: number }>('POST /projects', made, { token })
      await ask(`POST /projects/${own.id}/issues`, { title: 'Nobody sees it' }, { token })
      const stranger = `ed-${width}`
      await newUser(stranger)
      await visit.signIn({ login: stranger, password })
      await visit.open(`/${login}`)
      await page.getByText('0 contributions in the past year').waitFor()
      await page.getByText('No activity to show').waitFor()
      expect(await page.locator('main').innerText()).not.toContain('README')
      await visit.checkAccess()
      await visit.checkWidth()
      await ask(`PUT /projects/${own.id}`, { visibility: 'internal' })
      await visit.open(`/${login}`)
      await page.getByRole('link', { name: '#1 Nobody sees it' }).waitFor()
      await page.getByRole('link', { name: `${login}/${login} / README.md` }).waitFor()
      await ask(`PUT /users/${id}`, { private_profile: true })
      await visit.open(`/${login}`)
      await page.getByText('No activity to show').waitFor()
    })
  },
  open,
)
