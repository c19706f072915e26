// Somebody chooses on a page which emails they get, gets one about an issue, and ends its thread by the link in it.
import { expect } from 'vitest'
import { startMailingServer } from '../kit/mailing-server.ts'
import { stories } from './browser.ts'

let started: ReturnType<typeof startMailingServer> | undefined
function start() {
  started ??= startMailingServer()
  return started
}

const evil = '<img src=x onerror=alert(1)>'
const password = 'a pass phrase of hers'

stories(
  'notifications',
  (story) => {
    story('a level is chosen, an email comes, and its thread is ended', async (visit) => {
      const { page, width } = visit
      const { server, mail } = await start()
      const { ask } = server
      const username = `ada-${width}`
      const email = `${username}@foundry.test`
      const { id } = await ask<{ id: number }>('POST /users', {
        ...{ username, email, name: 'Ada', password, skip_confirmation: true },
      })
      const made = { name: 'story', scopes: ['api'] }
      const { token } = await ask<{ token: string }>(`POST /users/${id}/impersonation_tokens`, made)
      const name = `Forge ${width}`
      const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
        name,
      })
      await ask(`POST /projects/${project.id}/members`, { user_id: id, access_level: 30 })

      await visit.signIn({ login: username, password })
      await visit.open('/-/profile/notifications')
      const everywhere = page.getByLabel('Notification level', { exact: true })
      expect(await everywhere.inputValue()).toBe('participating')
      await page.getByText('No projects or groups with a different level yet.').waitFor()
      await everywhere.selectOption('Custom')
      await visit.press(page.getByLabel('New issue', { exact: true }))
      expect(await page.getByLabel('Your pipeline failed').isChecked()).toBe(true)
      await visit.press(page.getByRole('button', { name: 'Save events' }))
      const stored = async () => {
        const setting = await ask<{ level: string; events: Record<string, boolean> }>(
          'GET /notification_settings',
          undefined,
          { token },
        )
        return [setting.level, setting.events.new_issue, setting.events.new_note]
      }
      await expect.poll(stored).toEqual(['custom', true, false])
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.press(page.getByRole('button', { name: 'Add project or group' }))
      await page.getByRole('combobox', { name: /^Filter/ }).fill(name)
      await page.getByRole('option', { name }).click()
      const level = page.getByLabel(/^Notification level for .*Forge/)
      await level.waitFor()
      expect(await level.inputValue()).toBe('watch')
      await level.selectOption('Custom')
      const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
      await visit.press(row.locator('summary'))
      await visit.press(row.getByLabel('New comment'))
      await visit.press(row.getByRole('button', { name: 'Save events' }))
      const ownLevel = () =>
        ask<{ level: string; events?: Record<string, boolean> }>(
          `GET /projects/${project.id}/notification_settings`,
          undefined,
          { token },
        )
      await expect.poll(async () => (await ownLevel()).events?.new_note).toBe(true)
      await visit.open('/-/profile/notifications')
      await level.waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await visit.findMisplaced()).toEqual([])

      await visit.open(`/${project.path_with_namespace}`)
      await visit.press(page.getByRole('link', { name: 'Notifications' }))
      await level.waitFor()
      expect(await level.inputValue()).toBe('custom')
      await level.selectOption('Global')
      const stays = async () => [await level.inputValue(), (await ownLevel()).level]
      await expect.poll(stays).toEqual(['global', 'global'])
      await level.selectOption('Watch')
      await expect.poll(stays).toEqual(['watch', 'watch'])
      await visit.checkAccess()
      await visit.checkWidth()

      const { iid } = await ask<{ iid: number }>(`POST /projects/${project.id}/issues`, {
        title: `Cold hearth ${evil}`,
      })
      const body = `Light it: **now**. ${evil}`
      await ask(`POST /projects/${project.id}/issues/${iid}/notes`, { body })
      const received = () => mail.received.filter(({ to }) => to.includes(email))
      await expect.poll(() => received().length).toBe(2)
      const first = received().find(({ headers }) => headers.get('subject')?.startsWith('Re: '))
      expect(first?.headers.get('x-gitlab-notificationreason')).toBe('watching')

      await page.goto('about:blank')
      await page.setContent(first?.html ?? '')
      await page.getByText('now', { exact: true }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await visit.checkAccess()
        await visit.checkWidth()
      }
      expect(await page.locator('[onerror]').count()).toBe(0)
      await page.getByRole('link', { name: 'Unsubscribe from this thread' }).click()
      await page.getByRole('button', { name: 'Unsubscribe' }).click()
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
      const asked = await ask<{ subscribed: boolean }>(
        `GET /projects/${project.id}/issues/${iid}`,
        undefined,
        { token },
      )
      expect(asked.subscribed).toBe(false)
      await visit.open('/profile/notifications')
      await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    })
  },
  async () => (await start()).server,
)
