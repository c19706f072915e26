import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { atFileEnd } from '../kit/file-end.ts'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startWithLocalWebhooks()
  return server
}

async function startWithLocalWebhooks(): Promise<Server> {
  const started = await startServer()
  await started.ask('PUT /application/settings', {
    allow_local_requests_from_web_hooks_and_services: true,
  })
  return started
}

const evil = '<img src=x onerror=alert(1)>'

/** Takes what webhooks send, and answers as it is told to. */
async function startReceiver() {
  const taken: { event: string; token: string }[] = []
  const answer = { status: 200 }
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const { 'x-gitlab-event': event, 'x-gitlab-token': token } = request.headers
      taken.push({ event: String(event), token: String(token) })
      response.writeHead(answer.status, { 'x-evil': evil })
      response.end(evil)
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  atFileEnd(() => new Promise((resolve) => receiver.close(resolve)))
  const { port } = receiver.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, taken, answer }
}

stories(
  'webhooks',
  (story) => {
    story('a webhook is added, tried, looked at and sent to again', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const receiver = await startReceiver()
      await visit.signIn()
      const clone = await newClone(await open(), `Hooked ${visit.width}`)
      await clone.commit('Begin', { 'a.txt': 'a\n' })
      await clone.push('main')
      await visit.open(`${clone.path}/-/settings/general`)
      const places = page.getByRole('navigation', { name: 'Project settings' })
      await visit.press(places.getByRole('link', { name: 'Webhooks' }))
      await page.getByText('No webhooks yet').waitFor()
      await visit.checkAccess()
      await visit.press(page.getByRole('link', { name: 'Add webhook' }))
      await page.getByRole('heading', { level: 1, name: 'New webhook' }).waitFor()
      await visit.write(page.getByLabel('URL'), receiver.url)
      await visit.write(page.getByLabel('Name'), `Chat ${evil}`)
      await visit.write(page.getByLabel('Secret token'), 'a-secret')
      await visit.press(page.getByLabel('Issues', { exact: true }))
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Add webhook' }))
      await page.getByRole('heading', { level: 1, name: `Chat ${evil}` }).waitFor()
      await page.getByText('No deliveries yet').waitFor()

      await visit.press(page.getByRole('button', { name: 'Send test request' }))
      const rows = page.getByRole('list', { name: 'Recent deliveries' }).locator('> li')
      await rows.getByText('200').waitFor()
      await rows.getByText(/^[1-9]\d* ms$|^[\d.]+ s$/).waitFor()
      expect(await rows.getByText('0 s', { exact: true }).count()).toBe(0)
      expect(receiver.taken).toEqual([{ event: 'Push Hook', token: 'a-secret' }])
      await visit.press(page.locator('summary', { hasText: 'Request and response' }))
      await page.locator('pre', { hasText: 'X-Gitlab-Event: Push Hook' }).waitFor()
      await page.locator('pre', { hasText: evil }).first().waitFor()
      expect(await page.getByText('a-secret').count()).toBe(0)
      await visit.checkAccess()
      await visit.checkWidth()

      receiver.answer.status = 500
      await visit.press(page.getByRole('button', { name: 'Resend' }))
      await expect.poll(() => rows.count()).toBe(2)
      await rows.first().getByText('500').waitFor()
      expect(receiver.taken).toHaveLength(2)
      await page.getByLabel('Status').selectOption('successful')
      await expect.poll(() => rows.count()).toBe(1)
      expect(new URL(page.url()).search).toBe('?status=successful')

      await page.getByLabel('Event to test').selectOption('releases_events')
      await visit.press(page.getByRole('button', { name: 'Send test request' }))
      await page.getByRole('alert').getByText('Ensure the project has releases.').waitFor()
      await visit.press(page.getByLabel('Push', { exact: true }))
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Changes saved').waitFor()
      const [kept] = await ask<Record<string, unknown>[]>(`GET /projects/${clone.id}/hooks`)
      expect(kept).toMatchObject({ push_events: false, issues_events: true, url: receiver.url })
      await visit.press(page.getByRole('button', { name: 'Delete webhook' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }))
      await page.getByText('No webhooks yet').waitFor()
      await visit.open(`${clone.path}/-/hooks`)
      await page.waitForURL(`**${clone.path}/-/settings/hooks`)
    })

    story(
      'a group has webhooks of its own, and refuses an address it may not reach',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        await visit.signIn()
        const path = `hooked-group-${visit.width}`
        await ask('POST /groups', { name: path, path })
        await visit.open(`/groups/${path}/-/settings/hooks/new`)
        await visit.write(page.getByLabel('URL'), 'ftp://example.test')
        await visit.press(page.getByLabel('Members', { exact: true }))
        await visit.press(page.getByRole('button', { name: 'Add webhook' }))
        await page.getByRole('alert').getByText('Invalid url given').waitFor()
        await visit.checkAccess()
        await visit.write(page.getByLabel('URL'), 'https://example.test/hook')
        await visit.press(page.getByRole('button', { name: 'Add webhook' }))
        await page.getByRole('heading', { level: 1, name: 'https://example.test/hook' }).waitFor()
        await visit.open(`/groups/${path}/-/settings/hooks`)
        await page.getByText('Push, Members').waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
      },
    )
  },
  open,
)
