// Lists of administrators of what others have made: sites and exports.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer({ BLOOMERY_RUNNER: 'builtin', BLOOMERY_PAGES_HOST: 'http://sites.test' })
  return server
}

const evil = '<img src=x onerror=alert(1)>'
const password = 'a pass phrase of hers'

async function newUser(username: string, name = username): Promise<string> {
  const { ask } = await open()
  const { id } = await ask<{ id: number }>('POST /users', {
    ...{ username, name, email: `${username}@foundry.test`, password },
    skip_confirmation: true,
  })
  const made = { name: 'story', scopes: ['api'] }
  return (await ask<{ token: string }>(`POST /users/${id}/impersonation_tokens`, made)).token
}

stories(
  'admin-lists',
  (story) => {
    story(
      'sites of all projects are listed with domains, size and last deployment',
      async (visit) => {
        const { page, width } = visit
        const { ask } = await open()
        await visit.signIn()
        if (width === 375) {
          await visit.open('/admin/pages')
          await page.getByText('No Pages sites yet').waitFor()
          await visit.checkAccess()
        }
        const clone = await newClone(await open(), `Site ${width}`)
        await clone.commit('Begin', {
          'public/index.html': '<h1>Home</h1>\n',
          '.gitlab-ci.yml': 'pages: { script: [echo done], artifacts: { paths: [public] } }\n',
        })
        await clone.push('main')
        await ask(`POST /projects/${clone.id}/pages/domains`, {
          domain: `shop-${width}.example.test`,
        })
        const sites = async () =>
          (await ask<{ project: { id: number } }[]>('GET /pages/sites')).map(
            ({ project }) => project.id,
          )
        await expect.poll(sites, { timeout: 60_000 }).toContain(clone.id)
        await visit.open('/admin/pages')
        const row = page.getByRole('listitem').filter({ hasText: `root/site-${width}` })
        await row.getByText(`Domains: shop-${width}.example.test (not verified)`).waitFor()
        await row.getByText(/ in 1 file$/).waitFor()
        await row.getByRole('link', { name: `http://root.sites.test/site-${width}` }).waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
        await visit.press(row.getByRole('link', { name: `Settings of root/site-${width}` }))
        await page.waitForURL(`**/root/site-${width}/-/pages`)
      },
    )

    story('exports of everybody are listed until they are over', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const login = `ada-${width}`
      const token = await newUser(login, `Ada ${evil}`)
      const project = { name: `Exported ${width}`, path: `exported-${width}` }
      const { id } = await ask<{ id: number }>('POST /projects', project, { token })
      await visit.signIn()
      await visit.open('/admin/exports')
      // What somebody asks for now appears by itself.
      await ask(`POST /security/projects/${id}/vulnerability_exports`, {}, { token })
      const row = page.getByRole('listitem').filter({ hasText: `${login}/exported-${width}` })
      await row.getByText('Ready').waitFor({ timeout: 30_000 })
      await row.getByRole('link', { name: `Ada ${evil}` }).waitFor()
      expect(await page.locator('main [onerror]').count()).toBe(0)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(row.getByRole('link', { name: `${login}/exported-${width}` }))
      await page.waitForURL(`**/${login}/exported-${width}`)

      await visit.signIn({ login, password })
      for (const address of ['/admin/exports', '/admin/pages']) {
        await visit.open(address)
        await page.getByText('Page not found').waitFor()
      }
    })
  },
  open,
)
