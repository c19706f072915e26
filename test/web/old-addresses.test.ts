// Addresses that people bring along in bookmarks, texts and mails: where each of them leads, and with which status.
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const nothing = "Page not found, or you don't have access"
const html = { accept: 'text/html' }

/** Addresses of the server itself, and where they lead. */
const own = [
  ['/-/user_settings/profile', '/-/profile'],
  ['/-/user_settings/ssh_keys', '/-/profile/keys'],
  ['/-/user_settings/password/edit', '/-/profile/password'],
  ['/-/user_settings/personal_access_tokens', '/-/profile/personal_access_tokens'],
  ['/-/user_settings/active_sessions', '/-/profile/active_sessions'],
  ['/-/user_settings/applications', '/-/profile/applications'],
  ['/oauth/applications', '/-/profile/applications'],
  ['/oauth/authorized_applications', '/-/profile/applications'],
  ['/profile', '/-/profile'],
  ['/profile/keys', '/-/profile/keys'],
  ['/profile/account', '/-/profile/two_factor_auth'],
  ['/profile/preferences', '/-/profile/preferences'],
  ['/profile/notifications', '/-/profile/notifications'],
  ['/-/user_settings/notifications', '/-/profile/notifications'],
  ['/-/profile/gpg_keys', '/-/profile/gpg_keys'],
  ['/-/security', '/-/security/dashboard'],
  ['/admin/dashboard', '/admin'],
  ['/admin/application_settings/general', '/admin/settings'],
  ['/admin/background_jobs', '/admin/tasks'],
  ['/admin/audit_logs', '/admin/audit_events'],
  ['/admin/health_check', '/admin'],
  ['/admin/system_info', '/admin/storage'],
  ['/users/root', '/root'],
  ['/users/root/projects', '/root?tab=projects'],
  ['/u/root', '/root'],
] as const

/** Those of a project, behind its path. */
const inside = [
  ['/-/releases', '/-/releases', 'Releases'],
  ['/-/releases/v1', '/-/releases/v1', 'The first'],
  ['/-/tags/new?tag_name=v9', '/-/tags/new?tag_name=v9', 'Tags'],
  ['/-/branches/new?branch_name=b', '/-/branches/new?branch_name=b', 'Branches'],
  ['/-/pipelines/charts', '/-/pipelines', 'Pipelines'],
  ['/-/environments/new', '/-/environments', 'Environments'],
  ['/-/hooks', '/-/settings/hooks', 'Webhooks'],
  ['/-/settings/operations', '/-/settings/monitor', 'Monitor'],
  ['/-/security/dashboard', '/-/security/vulnerability_report', 'Vulnerability report'],
  ['/-/pages/domains', '/-/pages', 'Pages'],
  ['/-/network/main', '/-/commits/main', 'Commits'],
  ['/-/compare?from=main&to=a%2Fbranch', '/-/compare/main...a/branch', 'Compare'],
  ['/-/compare/main...a/branch', '/-/compare/main...a/branch', 'Compare'],
  ['/tree/main', '/-/tree/main', ''],
  ['/blob/main/README.md', '/-/blob/main/README.md', ''],
  ['/pipelines', '/-/pipelines', 'Pipelines'],
  ['/issues/1', '/-/issues/1', 'Read more #1'],
  ['/merge_requests/1', '/-/merge_requests/1', 'More !1'],
  ['/edit', '/-/settings/general', 'General'],
  ['/-/edit', '/-/settings/general', 'General'],
] as const

const unknown = [
  '/-/nothing',
  '/admin/nothing',
  '/users/root/nothing',
  '/help/nothing',
  '/any/project/-/nothing',
  '/any/project/-/settings/nothing',
  '/groups/any/-/nothing',
]

stories(
  'old-addresses',
  (story) => {
    story('an address that leads elsewhere is forgotten by who has gone on', async (visit) => {
      const { page, width } = visit
      await newClone(await open(), `Renamed ${width}`)
      await visit.signIn()
      await visit.open('/explore/projects')
      // The network is slow: what the first address is of comes after the second one was opened.
      const late = page.waitForResponse(/\/resolve\?/)
      await page.route(/\/resolve\?/, async (route) => {
        await setTimeout(1_500)
        await route.continue()
      })
      await visit.follow(`/ROOT/RENAMED-${width}`)
      await visit.follow('/-/profile/keys')
      const heading = page.getByRole('heading', { level: 1, name: 'SSH keys' })
      await heading.waitFor()
      await late
      await visit.settle()
      expect(new URL(page.url()).pathname).toBe('/-/profile/keys')
      await heading.waitFor()
      await page.unroute(/\/resolve\?/)
      await visit.follow(`/ROOT/RENAMED-${width}`)
      await page.waitForURL(`**/root/renamed-${width}`)
    })

    story('lead to the pages of today', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const { ask, url } = await open()
      const clone = await newClone(await open(), `Old ${visit.width}`)
      await clone.commit('Begin', { 'README.md': '# Read me\n' })
      await clone.git('tag', 'v1')
      await clone.git('checkout', '-q', '-b', 'a/branch')
      await clone.commit('More', { 'b.txt': 'b\n' })
      await clone.push('main', 'a/branch', 'v1')
      await ask(`POST /projects/${clone.id}/issues`, { title: 'Read more' })
      await ask(`POST /projects/${clone.id}/merge_requests`, {
        title: 'More',
        source_branch: 'a/branch',
        target_branch: 'main',
      })
      const release = { tag_name: 'v1', name: 'The first', description: '**Notes**' }
      await ask(`POST /projects/${clone.id}/releases`, release)

      for (const [from, to] of [...own, [`/projects/${clone.id}`, clone.path] as const]) {
        await visit.open(from)
        await page.waitForURL((now) => now.pathname + now.search === to)
        expect(await page.locator('main h1').first().innerText(), from).not.toBe(nothing)
        expect((await fetch(url + from, { headers: html })).status, from).toBe(200)
      }
      for (const [from, to, title] of inside) {
        await visit.open(clone.path + from)
        await expect
          .poll(() => page.url().replace(url, ''), { message: from, timeout: 15_000 })
          .toBe(clone.path + to)
        const heading = page.locator('main h1').first()
        expect(await heading.innerText(), from).not.toBe(nothing)
        if (title !== '') await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      }
      await visit.open(`${clone.path}/-/tags/new?tag_name=v9`)
      expect(await page.getByLabel('Tag name').inputValue()).toBe('v9')
      await visit.open(`${clone.path}/-/releases`)
      await page.locator('.prose strong').getByText('Notes').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.open('/projects/987654')
      await page.getByRole('heading', { name: nothing }).waitFor()
      await visit.open(`${clone.path}/-/pipelines/latest`)
      await page.getByRole('heading', { name: nothing }).waitFor()
    })

    story('that no page is for answer 404 with the same shell', async () => {
      const { url } = await open()
      const shell = await (await fetch(`${url}/`, { headers: html })).text()
      for (const path of unknown) {
        const answer = await fetch(url + path, { headers: html })
        expect([path, answer.status, await answer.text()]).toEqual([path, 404, shell])
      }
    })
  },
  open,
)
