import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const evil = '<img src=x onerror=alert(1)>'

stories(
  'alerts',
  (story) => {
    story('an alert is sent by an integration and becomes an incident', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const ran: string[] = []
      page.on('dialog', (dialog) => {
        ran.push(dialog.message())
        void dialog.dismiss()
      })
      await visit.signIn()
      const clone = await newClone(await open(), `Watched ${visit.width}`)
      await visit.open(clone.path)
      const tabs = page.getByRole('navigation', { name: 'Project', exact: true })
      await visit.press(tabs.getByRole('link', { name: 'Operate' }))
      await page.getByText('No open alerts').waitFor()
      await visit.checkAccess()
      await visit.press(page.getByRole('link', { name: 'Set up an integration' }))
      await page.getByText('No alert integrations yet').waitFor()
      await visit.checkAccess()
      await visit.press(page.getByRole('button', { name: 'Add integration' }))
      await visit.write(page.getByLabel('Name'), `Uptime ${evil}`)
      await visit.press(page.getByRole('button', { name: 'Add integration' }))
      const key = page.getByRole('heading', { name: `Key of Uptime ${evil}` })
      await key.waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const list = page.getByRole('list', { name: 'Alert integrations' })
      const url = (await list.locator('pre').innerText()).trim()
      const header = (await page.getByText(/^Authorization: Bearer /).innerText()).trim()
      const sent = await fetch(url, {
        method: 'POST',
        headers: { authorization: header.slice('Authorization: '.length) },
        body: JSON.stringify({
          title: `${evil} is down`,
          description: `Look at it, @root.\n${evil}`,
          severity: 'high',
          service: 'shop',
          hosts: ['web-1', 'web-2'],
          deep: { reason: evil },
        }),
      })
      expect(sent.status).toBe(200)
      // Whoever opens the page again is not shown the key.
      await page.reload()
      await list.getByText('Uptime').first().waitFor()
      expect(await key.count()).toBe(0)

      await visit.open(`${clone.path}/-/alert_management`)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('link', { name: `${evil} is down` }))
      await page.getByRole('heading', { level: 1, name: `${evil} is down` }).waitFor()
      await page.getByText('web-1, web-2').first().waitFor()
      await page.locator('pre', { hasText: `"reason": "${evil}"` }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Add metric image' }))
      await page.getByLabel('Image', { exact: true }).setInputFiles({
        name: 'load #1.png',
        mimeType: 'image/png',
        buffer: Buffer.from(pixel, 'base64'),
      })
      await visit.write(page.getByLabel('Link', { exact: true }), 'https://grafana.example.test/1')
      await visit.press(page.getByRole('button', { name: 'Upload image' }))
      const picture = page.getByRole('img', { name: /load/ })
      await picture.waitFor()
      await expect
        .poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth))
        .toBe(1)
      await visit.checkAccess()
      await visit.checkWidth()
      const bar = page.locator('.state-bar')
      await visit.press(page.getByRole('button', { name: 'Acknowledge' }))
      await bar.getByText('Acknowledged').waitFor()
      await visit.press(page.getByRole('button', { name: 'Assign', exact: true }))
      await visit.press(page.getByRole('option').first())
      await page.keyboard.press('Escape')
      const assignees = page.locator('section', {
        has: page.getByRole('heading', { name: 'Assignees' }),
      })
      await assignees.getByRole('link').waitFor()
      await visit.press(page.getByRole('button', { name: 'Create incident' }))
      const incident = page.getByRole('link', { name: /^Incident #\d+$/ })
      await incident.waitFor()
      await visit.press(page.getByRole('button', { name: 'Resolve' }))
      await bar.getByText('Resolved').waitFor()
      await visit.checkAccess()
      const [alert] = await ask<{ status: string; assignees: unknown[]; issue: { iid: number } }[]>(
        `GET /projects/${clone.id}/alert_management_alerts`,
      )
      expect(alert).toMatchObject({ status: 'resolved', issue: { iid: 1 } })
      expect(alert?.assignees).toHaveLength(1)

      await visit.open(`${clone.path}/-/alert_management`)
      await page.getByText('No open alerts').waitFor()
      await visit.press(page.getByRole('link', { name: 'Resolved' }))
      await page.getByRole('link', { name: `${evil} is down` }).waitFor()
      await visit.write(page.getByLabel('Search alerts'), 'nothing like it')
      await page.getByText('No matching alerts').waitFor()
      expect(new URL(page.url()).search).toBe('?status=resolved&search=nothing+like+it')
      expect(await page.locator('main img[src="x"]').count()).toBe(0)
      expect(ran).toEqual([])
    })

    story('an integration is tried, given another key, switched off and deleted', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      await visit.signIn()
      const clone = await newClone(await open(), `Integrated ${visit.width}`)
      const integrations = `/projects/${clone.id}/alert_management/integrations`
      const { token } = await ask<{ token: string }>(`POST ${integrations}`, { name: 'Uptime' })
      await visit.open(`${clone.path}/-/settings/monitor`)
      await visit.press(page.getByRole('button', { name: 'Send test alert Uptime' }))
      await page.getByRole('heading', { level: 1, name: 'Test alert' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`${clone.path}/-/alert_management/1/details`)
      await visit.open(`${clone.path}/-/settings/operations`)
      const menu = page.getByRole('button', { name: 'Actions for Uptime' })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Reset key' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Reset key' }))
      await page.getByRole('heading', { name: 'Key of Uptime', exact: true }).waitFor()
      const [after] = await ask<{ token: string; active: boolean }[]>(`GET ${integrations}`)
      expect(after?.token).not.toBe(token)
      await page.getByText(`Bearer ${after?.token}`).waitFor()
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Map fields' }))
      await visit.write(page.getByLabel('Title', { exact: true }), 'event.name')
      await visit.write(page.getByLabel('Example payload'), '[1]')
      await visit.checkAccess()
      await visit.press(page.getByRole('button', { name: 'Save mapping' }))
      await page
        .getByText(/must be a valid json object/)
        .first()
        .waitFor()
      await visit.write(page.getByLabel('Example payload'), '{"event":{"name":"Down"}}')
      await visit.press(page.getByRole('button', { name: 'Save mapping' }))
      await expect
        .poll(() => ask<object[]>(`GET ${integrations}`))
        .toMatchObject([
          {
            payload_attribute_mappings: [{ field_name: 'title', path: ['event', 'name'] }],
            payload_example: { event: { name: 'Down' } },
          },
        ])
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Deactivate' }))
      await page.getByText('Inactive', { exact: true }).waitFor()
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Rename' }))
      await visit.write(page.getByRole('textbox', { name: 'Name' }), 'Watch')
      await visit.press(page.getByRole('button', { name: 'Save changes' }).first())
      await visit.press(page.getByRole('button', { name: 'Actions for Watch' }))
      await visit.press(page.getByRole('menuitem', { name: 'Delete integration' }))
      await visit.press(
        page.getByRole('dialog').getByRole('button', { name: 'Delete integration' }),
      )
      await page.getByText('No alert integrations yet').waitFor()

      await visit.press(page.getByLabel('Create an incident for each alert'))
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Changes saved').waitFor()
      const settings = `/projects/${clone.id}/alert_management/settings`
      expect(await ask(`GET ${settings}`)).toMatchObject({ create_issue: true })
      await visit.checkAccess()
      await visit.checkWidth()
    })
  },
  open,
)
