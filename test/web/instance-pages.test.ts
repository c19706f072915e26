// What the instance has and how it is set: lists of administrators, and what they do there.
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { serverVersion } from '../../src/kernel/version.ts'
import { startReceiver } from '../kit/receiver.ts'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer({ BLOOMERY_METRICS_TOKEN: 'nobody-sees-this' })
  return server
}

const evil = '<img src=x onerror=alert(1)>'

stories(
  'instance-pages',
  (story) => {
    story('a setting is found by its name, changed and kept', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      await visit.signIn()
      await visit.open('/admin/settings')
      await page.getByRole('heading', { level: 2, name: 'Rate limits' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const search = page.getByRole('searchbox', { name: 'Search settings' })
      await visit.write(search, 'max_attachment')
      const field = page.getByLabel('Maximum attachment size (MB)')
      await page.getByLabel('Default projects limit').waitFor({ state: 'detached' })
      expect(await page.locator('main form').count()).toBe(1)
      await visit.write(field, '0')
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.locator('.field-problem', { hasText: 'must be greater than 0' }).waitFor()
      await visit.write(field, String(width))
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Settings saved').waitFor()
      const settings = () => ask<Record<string, unknown>>('GET /application/settings')
      expect(await settings()).toMatchObject({
        max_attachment_size: width,
        default_projects_limit: 100_000,
      })

      await visit.write(search, 'local addresses')
      const lines = page.getByLabel('Allowed local addresses')
      await visit.write(lines, `10.0.0.0/8\nhost-${width}.test`)
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await expect
        .poll(async () => (await settings()).outbound_local_requests_whitelist)
        .toEqual(['10.0.0.0/8', `host-${width}.test`])

      await visit.write(search, 'BLOOMERY_METRICS')
      const row = page.getByRole('listitem').filter({ hasText: 'BLOOMERY_METRICS_TOKEN' })
      await row.getByText('Configured').waitFor()
      expect(await page.locator('main').innerText()).not.toContain('nobody-sees-this')
      await visit.write(search, 'nothing is like this')
      await page.getByText('No matching settings').waitFor()
    })

    story('a runner is added, paused and deleted', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const name = `Big one ${width}`
      await visit.signIn()
      await visit.open('/admin')
      await visit.press(page.getByRole('link', { name: 'Add runner' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel('Description'), name)
      await visit.write(dialog.getByLabel('Tags'), 'linux, gpu')
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Create runner' }))
      await dialog.getByText(/gitlab-runner register .* --token glrt-/).waitFor()
      await visit.press(dialog.getByRole('button', { name: 'Close' }))
      const row = page.getByRole('listitem').filter({ hasText: name })
      await row.getByText('never contacted').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const runners = await ask<{ id: number; description: string }[]>('GET /runners/all')
      const id = runners.find(({ description }) => description === name)?.id
      expect(await ask(`GET /runners/${id}`)).toMatchObject({ tag_list: ['linux', 'gpu'] })
      const menu = page.getByRole('button', { name: `Actions for runner ${name}` })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Edit runner' }))
      await expect.poll(() => dialog.getByLabel('Tags').inputValue()).toBe('linux, gpu')
      await visit.write(dialog.getByLabel('Tags'), 'gpu')
      await visit.press(dialog.getByRole('checkbox', { name: 'Protected branches only' }))
      await visit.write(dialog.getByLabel('Maximum job timeout (seconds)'), '700')
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Runner saved').waitFor()
      expect(await ask(`GET /runners/${id}`)).toMatchObject({
        ...{ tag_list: ['gpu'], access_level: 'ref_protected', maximum_timeout: 700 },
        description: name,
      })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Pause runner' }))
      await row.getByText('paused').waitFor()
      await visit.press(page.getByRole('link', { name: 'Online' }))
      await page.getByText('No matching runners').waitFor()
      await visit.press(page.getByRole('link', { name: 'Paused' }))
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Delete runner' }))
      await visit.press(dialog.getByRole('button', { name: 'Delete runner' }))
      await row.waitFor({ state: 'detached' })
    })

    story('jobs of all projects are in one list', async (visit) => {
      const { page, width } = visit
      const clone = await newClone(await open(), `Jobs ${width}`)
      await clone.commit('Begin', { '.gitlab-ci.yml': 'smelt: { script: [heat] }\n' })
      await clone.push('main')
      await visit.signIn()
      await visit.open('/admin/jobs')
      const row = page.getByRole('listitem').filter({ hasText: `root/jobs-${width}` })
      await row.getByText('pending').waitFor({ timeout: 30_000 })
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('link', { name: 'Failed' }))
      await page.getByText('No matching jobs').waitFor()
      await visit.press(page.getByRole('link', { name: 'Pending' }))
      await visit.press(row.getByRole('link', { name: 'smelt' }))
      await page.getByRole('heading', { level: 1, name: /smelt/ }).waitFor()
    })

    story('the server that runs is in the list of nodes', async (visit) => {
      const { page } = visit
      await visit.signIn()
      await visit.open('/admin/nodes')
      const row = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem')
      await row.getByText('Running').waitFor()
      expect(await row.count()).toBe(1)
      expect(await row.textContent()).toContain(`Bloomery ${serverVersion}`)
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('the page of backups says how they are set up', async (visit) => {
      const { page } = visit
      await visit.signIn()
      await visit.open('/admin/backups')
      await page.getByText('Scheduled backups are not set up').waitFor()
      await page.getByText('BLOOMERY_BACKUP_TO=/var/backups/bloomery').waitFor()
      expect(await page.getByRole('button', { name: 'Back up now' }).count()).toBe(0)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('link', { name: 'Documentation of backups' }))
      await page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor()
    })

    story('projects and groups are found and deleted', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      await ask('POST /groups', {
        name: `Guild ${width}`,
        path: `guild-${width}`,
        description: evil,
      })
      await ask('POST /projects', { name: `Waste ${width}`, path: `waste-${width}` })
      await visit.signIn()
      await visit.open('/admin/projects')
      await visit.write(page.getByRole('searchbox', { name: 'Search projects' }), `waste-${width}`)
      const path = `root/waste-${width}`
      await page.waitForURL(`**/admin/projects?search=waste-${width}`)
      await visit.settle()
      await page.getByText('on default').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: `Actions for project ${path}` }))
      await visit.press(page.getByRole('menuitem', { name: 'Delete project' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel(`Type ${path} to confirm`), path)
      await visit.press(dialog.getByRole('button', { name: 'Delete project' }))
      await page.getByText('No matching projects').waitFor()

      await visit.open('/admin/groups')
      await visit.write(page.getByRole('searchbox', { name: 'Search groups' }), `guild-${width}`)
      await page.waitForURL(`**/admin/groups?search=guild-${width}`)
      await visit.settle()
      await page.getByText(evil).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: `Actions for group guild-${width}` }))
      await visit.press(page.getByRole('menuitem', { name: 'Delete group' }))
      await visit.write(dialog.getByLabel(`Type guild-${width} to confirm`), `guild-${width}`)
      await visit.press(dialog.getByRole('button', { name: 'Delete group' }))
      await page.getByText('No matching groups').waitFor()
    })

    story('an application is registered, and its secret shown once', async (visit) => {
      const { page, width } = visit
      const { url } = await open()
      const name = `Chat ${width} ${evil}`
      await visit.signIn()
      await visit.open('/admin/applications')
      await visit.press(page.getByRole('button', { name: 'New application' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel('Name', { exact: true }), name)
      await visit.write(dialog.getByLabel('Redirect URIs'), 'javascript:alert(1)')
      await visit.press(dialog.getByRole('checkbox', { name: 'Read access to the API' }))
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Register application' }))
      await dialog.locator('.field-problem').waitFor()
      await visit.write(dialog.getByLabel('Redirect URIs'), 'https://chat.test/callback')
      await visit.press(dialog.getByRole('button', { name: 'Register application' }))
      await dialog.getByText('You cannot see it again.').waitFor()
      const [client_id, client_secret] = await dialog.locator('.copy-line-text').allTextContents()
      const isKnown = async (secret: string | undefined) => {
        const body = new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client_id?.trim() ?? '',
          client_secret: secret?.trim() ?? '',
        })
        return (await fetch(`${url}/oauth/token`, { method: 'POST', body })).ok
      }
      expect(await isKnown(client_secret)).toBe(true)
      await visit.press(dialog.getByRole('button', { name: 'Close' }))
      await page.getByText(name, { exact: true }).first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      const menu = page.getByRole('button', { name: `Actions for application ${name}` })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Renew secret' }))
      await visit.press(dialog.getByRole('button', { name: 'Renew secret' }))
      await dialog.getByText('You cannot see it again.').waitFor()
      const [, renewed] = await dialog.locator('.copy-line-text').allTextContents()
      expect([await isKnown(client_secret), await isKnown(renewed)]).toEqual([false, true])
      await visit.press(dialog.getByRole('button', { name: 'Close' }))
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Delete application' }))
      await visit.press(dialog.getByRole('button', { name: 'Delete application' }))
      await menu.waitFor({ state: 'detached' })
      expect(await isKnown(renewed)).toBe(false)
    })

    story('a system hook is tried, and what it was sent is sent again', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const receiver = await startReceiver()
      const address = `${receiver.url}/in/${width}`
      await visit.signIn()
      await visit.open('/admin/hooks')
      await visit.press(page.getByRole('button', { name: 'New system hook' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel('URL'), address)
      await visit.write(dialog.getByLabel('Secret token'), 'told to the receiver alone')
      await visit.press(dialog.getByRole('checkbox', { name: 'Pushes', exact: true }))
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Add system hook' }))
      const row = page.getByRole('listitem').filter({ hasText: address })
      await row.getByText('Repository updates, Pushes').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      receiver.answer = (response) => response.writeHead(500).end(evil)
      const call = receiver.next()
      await ask('POST /groups', { name: `Hooked ${width}`, path: `hooked-${width}` })
      const { headers, body } = await call
      expect(headers['x-gitlab-token']).toBe('told to the receiver alone')
      expect(body).toMatchObject({ event_name: 'group_create' })
      await expect
        .poll(async () => {
          const [hook] = await ask<{ id: number; url: string }[]>('GET /hooks')
          return (await ask<object[]>(`GET /hooks/${hook?.id}/events`)).length
        })
        .toBe(2)
      await visit.press(row.getByRole('button', { name: /^Recent deliveries/ }))
      // The group, and its owner in it.
      const newest = dialog.getByRole('listitem').first()
      await newest.getByText('status 500').waitFor()
      await visit.press(newest.getByText('Request and response'))
      await newest.getByText(evil).waitFor()
      await visit.checkAccess()
      receiver.answer = (response) => response.end('ok')
      await visit.press(newest.getByRole('button', { name: /^Resend/ }))
      await dialog.getByText('status 200').waitFor()
      const [, second, third] = receiver.received
      expect([receiver.received.length, third?.body]).toEqual([3, second?.body])
      await visit.press(dialog.getByRole('button', { name: 'Close' }))

      const menu = page.getByRole('button', { name: `Actions for system hook ${address}` })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Edit system hook' }))
      await visit.press(dialog.getByRole('checkbox', { name: 'Enable SSL verification' }))
      await visit.press(dialog.getByRole('button', { name: 'Save changes' }))
      await row.getByText('SSL verification disabled').waitFor()
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Delete system hook' }))
      await visit.press(dialog.getByRole('button', { name: 'Delete system hook' }))
      await row.waitFor({ state: 'detached' })
      await receiver.close()
    })

    story('audit events are filtered, and exported by the same filters', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const name = `=1+1 ${evil}`
      const password = 'a pass phrase of an author'
      const login = `author-${width}`
      await ask('POST /users', {
        ...{ username: login, name, email: `${login}@forge.test`, password },
        skip_confirmation: true,
      })
      await visit.signIn({ login, password })
      await visit.signIn()
      await visit.open('/admin/audit_events')
      await visit.write(page.getByRole('combobox', { name: 'Author' }), login)
      await visit.press(page.getByRole('option', { name: new RegExp(`@${login}`) }))
      const rows = page.getByRole('list', { name: 'Audit events' }).getByRole('listitem')
      await expect.poll(() => rows.count()).toBe(1)
      await rows.getByText('Signed in').waitFor()
      await rows.getByText(`by ${name}`).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        visit.press(page.getByRole('link', { name: 'Export as CSV' })),
      ])
      expect(download.suggestedFilename()).toBe('audit_events.csv')
      const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\n')
      expect(head).toMatch(/^id,created_at,event_name,/)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(`,'=1+1 ${evil},User,`)

      await page.getByLabel('Scope').selectOption('Projects')
      await visit.press(page.getByRole('button', { name: 'Apply filters' }))
      await page.getByText('No matching events').waitFor()
      await visit.press(page.getByRole('link', { name: 'Clear filters' }))
      await expect.poll(() => rows.count()).toBeGreaterThan(2)
      await page.getByLabel('To', { exact: true }).fill('2020-01-01')
      await visit.press(page.getByRole('button', { name: 'Apply filters' }))
      await page.getByText('No matching events').waitFor()
    })

    story('a group and a project have audit events of their own', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const path = `audited-${width}`
      const group = await ask<{ id: number }>('POST /groups', { name: path, path })
      const project = await ask<{ id: number }>('POST /projects', {
        ...{ name: 'Vault', path: 'vault', namespace_id: group.id },
      })
      await ask(`POST /groups/${group.id}/variables`, { key: 'OF_GROUP', value: 'hidden' })
      await ask(`POST /projects/${project.id}/protected_branches`, { name: `stable ${evil}` })
      for (let at = 0; at < 50; at++)
        await ask(`POST /projects/${project.id}/variables`, { key: `K_${at}`, value: 'hidden' })
      const login = `keeper-${width}`
      const password = 'a pass phrase of a keeper'
      const keeper = await ask<{ id: number }>('POST /users', {
        ...{ username: login, name: login, email: `${login}@forge.test`, password },
        skip_confirmation: true,
      })
      await ask(`POST /projects/${project.id}/members`, { user_id: keeper.id, access_level: 40 })

      await visit.signIn({ login, password })
      await visit.open(`/${path}/vault/-/audit_events`)
      await page.getByRole('heading', { level: 1, name: 'Audit events' }).waitFor()
      const rows = page.getByRole('list', { name: 'Audit events' }).getByRole('listitem')
      await expect.poll(() => rows.count()).toBe(50)
      await rows.getByText('Member added', { exact: true }).waitFor()
      await rows.getByText('CI/CD variable created').first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('link', { name: 'Next', exact: true }))
      await rows.getByText('Branch protected', { exact: true }).waitFor()
      await rows.getByText(`stable ${evil}`).waitFor()

      await visit.write(page.getByRole('combobox', { name: 'Author' }), login)
      await visit.press(page.getByRole('option', { name: new RegExp(`@${login}`) }))
      await page.getByText('No matching events').waitFor()
      await visit.press(page.getByRole('link', { name: 'Clear filters' }))
      await page.getByLabel('From', { exact: true }).fill('2020-01-01')
      await visit.press(page.getByRole('button', { name: 'Apply filters' }))
      await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2020-01-01')
      await expect.poll(() => rows.count()).toBe(50)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        visit.press(page.getByRole('link', { name: 'Export as CSV' })),
      ])
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
      expect(lines).toHaveLength(1 + 52)
      expect(lines.join()).not.toContain('hidden')

      // A maintainer of the project is nobody in the group.
      await visit.open(`/groups/${path}/-/audit_events`)
      await page.getByRole('heading', { name: /^Page not found/ }).waitFor()
      await visit.signIn()
      await visit.open(`/groups/${path}`)
      await visit.press(page.getByRole('link', { name: 'Settings', exact: true }))
      await visit.press(page.getByRole('link', { name: 'Audit events', exact: true }))
      await rows.getByText('OF_GROUP').waitFor()
      expect(await rows.count()).toBe(1)
      await visit.checkAccess()
      await visit.checkWidth()
    })
  },
  open,
)
