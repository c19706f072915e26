// The services a project works with: reached in one place, and those without a page of their own kept there.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= begin()
  return server
}

/** Mirrors go to another project of the same server. */
async function begin(): Promise<Server> {
  const started = await startServer()
  await started.ask('PUT /application/settings', {
    allow_local_requests_from_web_hooks_and_services: true,
  })
  return started
}

const evil = '<img src=x onerror=alert(1)>'
const html = { accept: 'text/html' }

stories(
  'integrations',
  (story) => {
    story('a mirror is pushed to, a check is asked, an alert is tried', async (visit) => {
      const { page, width } = visit
      const { ask, url, root } = await open()
      const check = async () => {
        await visit.settle()
        await visit.checkWidth()
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme })
          await visit.checkAccess()
        }
      }
      await visit.signIn()
      const clone = await newClone(await open(), `Outside ${width}`)
      await clone.commit('Begin', { 'a.txt': 'a\n' })
      await clone.push('main')
      const target = await ask<{ id: number }>('POST /projects', { name: `Mirror ${width}` })

      await visit.open(`${clone.path}/-/settings/general`)
      const nav = page.getByRole('navigation', { name: 'Project settings' })
      await visit.press(nav.getByRole('link', { name: 'Integrations' }))
      await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor()
      for (const words of [
        'No webhooks yet',
        'No alert integrations yet',
        'No push mirrors yet',
        'No external status checks yet',
      ]) {
        await page.getByText(words).waitFor()
      }
      await check()

      await visit.press(page.getByRole('button', { name: 'Add push mirror' }))
      await visit.write(page.getByLabel('Repository URL'), 'ftp://nowhere.test/a.git')
      await visit.press(page.getByRole('button', { name: 'Add push mirror' }))
      await page.getByRole('alert').first().waitFor()
      await check()
      const address = new URL(`/root/mirror-${width}.git`, url)
      Object.assign(address, { username: root.login, password: root.token })
      await visit.write(page.getByLabel('Repository URL'), address.href)
      await visit.press(page.getByLabel('Mirror only protected branches'))
      await visit.press(page.getByRole('button', { name: 'Add push mirror' }))
      const mirrors = page.getByRole('list', { name: 'Push mirrors' })
      await mirrors.getByText('Not updated yet').waitFor()
      expect(await page.locator('main').innerText()).not.toContain(root.token)
      await visit.press(mirrors.getByRole('button', { name: /^Update now/ }))
      // The page sees by itself that it is done.
      await mirrors.getByText('Up to date').waitFor()
      const branches = await ask<{ name: string }[]>(
        `GET /projects/${target.id}/repository/branches`,
      )
      expect(branches.map(({ name }) => name)).toEqual(['main'])
      await mirrors.getByText('last successful update').waitFor()
      await check()
      await visit.press(mirrors.getByRole('button', { name: /^Actions for/ }))
      await visit.press(page.getByRole('menuitem', { name: 'Disable' }))
      await mirrors.getByText('Disabled').waitFor()
      await visit.press(mirrors.getByRole('button', { name: /^Actions for/ }))
      await visit.press(page.getByRole('menuitem', { name: 'Delete push mirror' }))
      await visit.press(page.getByRole('button', { name: 'Delete push mirror' }))
      await page.getByText('No push mirrors yet').waitFor()

      await visit.press(page.getByRole('button', { name: 'Add status check' }))
      await visit.write(page.getByLabel('Name', { exact: true }), `Compliance ${evil}`)
      await visit.write(page.getByLabel('URL to call'), 'https://checks.example/ask')
      await visit.write(page.getByLabel('Shared secret'), 'not for anybody')
      await visit.press(page.getByRole('button', { name: 'Add status check' }))
      const checks = page.getByRole('list', { name: 'External status checks' })
      await checks
        .getByRole('strong')
        .filter({ hasText: `Compliance ${evil}` })
        .waitFor()
      await checks.getByText('Signed').waitFor()
      await check()
      await visit.press(checks.getByRole('button', { name: /^Delete status check/ }))
      await visit.press(
        page.getByRole('dialog').getByRole('button', { name: 'Delete status check' }),
      )
      await page.getByText('No external status checks yet').waitFor()

      await ask(`POST /projects/${clone.id}/hooks`, { url: 'https://hooks.example/a', name: evil })
      await ask(`POST /projects/${clone.id}/alert_management/integrations`, {
        type: 'http',
        name: `Uptime ${evil}`,
      })
      await visit.open(`${clone.path}/-/settings/integrations`)
      await page.getByRole('link', { name: evil }).waitFor()
      await page.getByRole('link', { name: 'Manage webhooks' }).waitFor()
      await check()
      await visit.press(page.getByRole('button', { name: `Send test alert Uptime ${evil}` }))
      await page.getByText('Test alert sent').waitFor()
      await page.waitForURL(/\/-\/alert_management\/1\/details$/)
    })

    story('addresses people have lead there, and only for who may change it', async (visit) => {
      const { page, context } = visit
      const { ask } = await open()
      const clone = await newClone(await open(), `Known ${visit.width}`)
      await visit.signIn()
      for (const old of [
        'integrations',
        'integrations/slack/edit',
        'services',
        'services/slack/edit',
      ]) {
        await visit.open(`${clone.path}/-/${old}`)
        await page.waitForURL(`**${clone.path}/-/settings/integrations`)
      }
      await visit.open(`${clone.path}/-/settings/integrations/slack/edit`)
      await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor()
      const known = await context.request.get(`${clone.path}/-/integrations`, {
        headers: html,
        maxRedirects: 0,
      })
      expect(known.status()).toBeLessThan(400)

      const login = `dev-${visit.width}`
      const password = 'a pass phrase of theirs'
      const { id } = await ask<{ id: number }>('POST /users', {
        ...{ username: login, name: 'Dev', email: `${login}@foundry.test`, password },
        skip_confirmation: true,
      })
      await ask(`POST /projects/${clone.id}/members`, { user_id: id, access_level: 30 })
      await context.clearCookies()
      await visit.signIn({ login, password })
      await visit.open(`${clone.path}/-/settings/integrations`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    })
  },
  open,
)
