import { expect } from 'vitest'
import { newCertificate } from '../kit/certificates.ts'
import { type NameServer, startNameServer } from '../kit/dns.ts'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let opened: Promise<{ server: Server; names: NameServer }> | undefined
const openAll = () => {
  opened ??= start()
  return opened
}
const open = async () => (await openAll()).server

/** With the runner that the server starts itself, a host of sites, and a name server that the story fills. */
async function start() {
  const names = await startNameServer()
  const server = await startServer({
    BLOOMERY_RUNNER: 'builtin',
    BLOOMERY_PAGES_HOST: 'pages.test',
    BLOOMERY_PAGES_PORT: '0',
    BLOOMERY_DNS_SERVERS: names.address,
  })
  return { server, names }
}

const configuration = `pages:
  script: [mkdir public, echo hello > public/index.html]
  artifacts: { paths: [public] }
`

stories(
  'operating',
  (story) => {
    story('a site is published and gets a domain with a certificate', async (visit) => {
      const { page } = visit
      const { server, names } = await openAll()
      const { ask } = server
      await visit.signIn()
      const clone = await newClone(server, `Site ${visit.width}`)
      await visit.open(`${clone.path}/-/alert_management`)
      await visit.press(page.getByRole('link', { name: 'Pages', exact: true }))
      await page.getByText('No site published yet').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await clone.commit('Begin', { '.gitlab-ci.yml': configuration })
      await clone.push('main')
      const site = () =>
        ask<{ deployments: unknown[]; url: string }>(`GET /projects/${clone.id}/pages`)
      await expect.poll(async () => (await site()).deployments.length, { timeout: 60_000 }).toBe(1)
      await page.reload()
      const link = page.getByRole('link', { name: 'Open site' })
      expect(await link.getAttribute('href')).toBe((await site()).url)
      await visit.checkAccess()

      const domain = `www.${visit.width}.example.test`
      await visit.press(page.getByRole('link', { name: 'Add domain' }))
      await visit.write(page.getByLabel('Domain', { exact: true }), 'x.pages.test')
      await visit.press(page.getByRole('button', { name: 'Add domain' }))
      await page
        .getByText(/is restricted/)
        .first()
        .waitFor()
      await visit.checkAccess()
      await visit.write(page.getByLabel('Domain', { exact: true }), domain)
      await visit.press(page.getByRole('button', { name: 'Add domain' }))
      await page.getByRole('heading', { level: 1, name: domain }).waitFor()
      await page.getByText(`${domain} CNAME root.pages.test.`, { exact: true }).waitFor()
      const line = await page.getByText(/ TXT /).innerText()
      await visit.checkAccess()
      await visit.checkWidth()
      const verify = page.getByRole('button', { name: 'Verify domain' })
      await visit.press(verify)
      await page.getByRole('alert').getByText(`Couldn't verify ${domain}`).waitFor()
      const [name = '', text = ''] = line.trim().split(' TXT ')
      names.texts.set(name, [text])
      await visit.press(verify)
      await page.locator('.state-bar').getByText('Verified', { exact: true }).waitFor()

      await page.getByText('No certificate: the site is served without encryption.').waitFor()
      const made = newCertificate({ subject: `/O=Example, Inc./CN=${domain}` })
      await visit.press(page.getByRole('button', { name: 'Change certificate' }))
      await visit.write(page.getByLabel('Certificate (PEM)'), made.certificate)
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page
        .getByText(/doesn't match the certificate/)
        .first()
        .waitFor()
      await visit.checkAccess()
      await visit.write(page.getByLabel('Private key (PEM)'), made.key)
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      const ends = new Date(Date.now() + 400 * 86_400_000).getUTCFullYear()
      await page.getByText(`Valid for ${domain}, until`).getByText(String(ends)).waitFor()
      await visit.press(page.locator('summary', { hasText: 'Show details' }))
      await page.locator('pre', { hasText: 'Signature Algorithm' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.open(`${clone.path}/-/pages`)
      await page.getByRole('link', { name: domain }).waitFor()
      await visit.press(page.getByLabel('Redirect visitors to HTTPS'))
      await page.getByLabel('Who can see the site').selectOption('private')
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Changes saved').waitFor()
      expect(await site()).toMatchObject({ force_https: true })
      expect(await ask(`GET /projects/${clone.id}`)).toMatchObject({
        pages_access_level: 'private',
      })
      await visit.press(page.getByRole('link', { name: domain }))
      await visit.press(page.getByRole('button', { name: 'Delete domain' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete domain' }))
      await page.getByText('No domains yet').waitFor()
      await visit.press(page.getByRole('button', { name: 'Take site down' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Take site down' }))
      await page.getByText('No site published yet').waitFor()
      await page.getByLabel('Who can see the site').selectOption('disabled')
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Pages is turned off in this project').waitFor()
    })

    story(
      'a cluster is added to a project, a group and the instance, and changed',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        await visit.signIn()
        const clone = await newClone(await open(), `Clustered ${visit.width}`)
        const path = `clustered-group-${visit.width}`
        await ask('POST /groups', { name: path, path })
        for (const [owner, api] of [
          [`${clone.path}/-`, `/projects/${clone.id}/clusters`],
          [`/groups/${path}/-`, `/groups/${path}/clusters`],
          ['/admin', '/admin/clusters'],
        ] as const) {
          await visit.open(`${owner}/clusters`)
          await page.getByText('No clusters yet').waitFor()
          await visit.checkAccess()
          await visit.press(page.getByRole('link', { name: 'Add cluster' }))
          await visit.write(page.getByLabel('Name', { exact: true }), 'Production')
          await visit.write(page.getByLabel('API URL'), 'http://127.0.0.1:6443')
          await visit.write(page.getByLabel('Service token'), 'a-secret-token')
          await visit.press(page.getByRole('button', { name: 'Add cluster' }))
          await page
            .getByText(/is blocked/)
            .first()
            .waitFor()
          await visit.checkAccess()
          await visit.checkWidth()
          await visit.write(page.getByLabel('API URL'), 'https://kube.example.test:6443')
          await visit.press(page.getByRole('button', { name: 'Add cluster' }))
          await page.getByRole('heading', { level: 1, name: 'Production' }).waitFor()
          expect(await page.getByLabel('Service token').inputValue()).toBe('')
          expect(await page.getByText('a-secret-token').count()).toBe(0)
          await visit.checkAccess()
          await visit.checkWidth()
          await visit.press(page.getByRole('button', { name: 'Disable cluster' }))
          await page.locator('.state-bar').getByText('Disabled').waitFor()
          await visit.write(page.getByLabel('Environment scope'), 'production')
          await visit.press(page.getByRole('button', { name: 'Save changes' }))
          await expect
            .poll(() => ask<object[]>(`GET ${api}`))
            .toMatchObject([{ enabled: false, environment_scope: 'production' }])
          await visit.open(`${owner}/clusters`)
          await page.getByText('Environments: production').waitFor()
          await visit.press(page.getByRole('link', { name: 'Production' }))
          await visit.press(page.getByRole('button', { name: 'Delete cluster' }))
          await visit.press(
            page.getByRole('dialog').getByRole('button', { name: 'Delete cluster' }),
          )
          await page.getByText('No clusters yet').waitFor()
        }
        const login = `clusterless-${visit.width}`
        const password = 'a pass phrase of hers'
        await ask('POST /users', {
          ...{ username: login, name: login, email: `${login}@foundry.test`, password },
          skip_confirmation: true,
        })
        await visit.signIn({ login, password })
        for (const address of ['/admin/clusters', '/admin/clusters/new']) {
          await visit.open(address)
          await page.getByText('Page not found').waitFor()
        }
      },
    )
  },
  open,
)
