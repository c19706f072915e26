import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories, type Visit } from './browser.ts'
import { type Clone, newClone } from './repositories.ts'

let server: Promise<Server> | undefined
/** With the runner that the server starts itself. */
const open = () => {
  server ??= startServer({ BLOOMERY_RUNNER: 'builtin' })
  return server
}

const evil = '<img src=x onerror=alert(1)>'

const finding = (name: string, severity: string, file: string, more: object = {}) => ({
  category: 'sast',
  name,
  description: `${name} may harm.\n\nMention @root \`\`\` and ${evil}`,
  severity,
  solution: 'Do not.',
  scanner: { id: 'semgrep', name: 'Semgrep' },
  identifiers: [{ type: 'cwe', name: 'CWE-95', value: '95', url: 'https://cwe.example.test/95' }],
  location: { file, start_line: 1, end_line: 2 },
  ...more,
})

const sast = {
  version: '15.0.7',
  scan: { type: 'sast', status: 'success', scanner: { id: 'semgrep', name: 'Semgrep' } },
  vulnerabilities: [
    finding('Weak hash', 'Low', 'src/hash.js'),
    finding('Use of eval', 'Critical', 'src/eval.js'),
    finding(`${evil} title`, 'Medium', `src/${evil}.js`, {
      identifiers: [{ type: 'x', name: evil, value: '1', url: 'javascript:alert(2)' }],
      links: [{ name: 'press', url: 'javascript:alert(3)' }],
    }),
  ],
}

/** Has an export be under way for so long, which small ones are not long enough for people to see. */
function setPercent(
  data: string,
  { id, percent, passed_ms }: { id: number; percent: number; passed_ms: number },
): void {
  const db = new Database(join(data, 'bloomery.sqlite'), { timeout: 10_000 })
  const started_at = new Date(Date.now() - passed_ms).toISOString()
  db.prepare(
    "update vulnerability_exports set status = 'running', percent = ?, started_at = ?, finished_at = null where id = ?",
  ).run(percent, started_at, id)
  db.close()
}

const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    properties: [
      { name: 'gitlab:dependency_scanning:input_file:path', value: 'package-lock.json' },
      { name: 'gitlab:dependency_scanning:package_manager:name', value: 'npm' },
    ],
  },
  components: [
    { type: 'library', name: 'abbrev', version: '1.1.1', licenses: [{ license: { id: 'ISC' } }] },
    {
      type: 'library',
      name: 'lodash',
      version: '4.17.20',
      'bom-ref': 'lodash',
      licenses: [{ license: { id: 'MIT' } }],
    },
    {
      type: 'library',
      name: evil,
      version: '1',
      licenses: [{ license: { name: evil, url: 'javascript:alert(4)' } }],
    },
  ],
  vulnerabilities: [
    { id: 'CVE-2021-23337', ratings: [{ severity: 'high' }], affects: [{ ref: 'lodash' }] },
  ],
}

const configuration = `scan:
  script: [echo scanned]
  artifacts:
    reports:
      sast: gl-sast-report.json
      cyclonedx: gl-sbom.cdx.json
`

/** A project whose pipeline has reported all of that. */
async function newScanned(visit: Visit, name: string): Promise<Clone> {
  const clone = await newClone(await open(), `${name} ${visit.width}`)
  const { ask } = await open()
  await clone.commit('Begin', {
    'src/eval.js': 'eval(1)\neval(2)\n',
    'package-lock.json': '{"lockfileVersion":3,"packages":{}}\n',
    'gl-sast-report.json': JSON.stringify(sast),
    'gl-sbom.cdx.json': JSON.stringify(bill),
    '.gitlab-ci.yml': configuration,
  })
  await clone.push('main')
  const count = async () =>
    (await ask<unknown[]>(`GET /projects/${clone.id}/vulnerabilities`)).length
  await expect.poll(count, { timeout: 60_000 }).toBe(3)
  return clone
}

stories(
  'security',
  (story) => {
    story(
      'several vulnerabilities are changed at once, and those that fail are told',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        const clone = await newScanned(visit, 'Many')
        await visit.signIn()
        await visit.open(`${clone.path}/-/security/vulnerability_report`)
        const rows = page.getByRole('list', { name: 'Vulnerability report' }).getByRole('listitem')
        await expect.poll(() => rows.count()).toBe(3)
        const box = (title: string) => page.getByRole('checkbox', { name: `Select ${title}` })
        const dialog = page.getByRole('dialog')
        const bar = page.getByRole('region', { name: 'Change selected vulnerabilities' })
        await visit.press(box('Use of eval'))
        await visit.press(box(`${evil} title`))
        await bar.getByText('2 selected').waitFor()
        await visit.checkAccess()
        await visit.press(bar.getByRole('button', { name: 'Change status' }))
        await dialog.getByLabel('New status').selectOption('dismissed')
        await dialog.getByLabel('Reason').selectOption('used_in_tests')
        await visit.write(dialog.getByLabel('Comment (optional)'), 'Only in tests.')
        await visit.checkAccess()
        await visit.checkWidth()
        expect(await visit.findMisplaced()).toEqual([])
        await visit.press(dialog.getByRole('button', { name: 'Change status' }))
        await page.getByText('2 vulnerabilities changed').waitFor()
        await expect.poll(() => rows.count()).toBe(1)
        await bar.waitFor({ state: 'detached' })
        type Told = { id: number; title: string; state: string; dismissal_reason: string | null }
        const list = () => ask<Told[]>(`GET /projects/${clone.id}/vulnerabilities`)
        const dismissed = (await list()).filter(({ state }) => state === 'dismissed')
        expect(dismissed.map(({ title }) => title).sort()).toEqual([`${evil} title`, 'Use of eval'])
        for (const one of dismissed) {
          expect(one).toMatchObject({ dismissal_reason: 'used_in_tests' })
          const changes = await ask<object[]>(`GET /vulnerabilities/${one.id}/state_transitions`)
          expect(changes[0]).toMatchObject({ comment: 'Only in tests.' })
        }

        // Some of the group's projects take no changes any more.
        const path = `watch-${visit.width}`
        const group = await ask<{ id: number }>('POST /groups', { name: path, path })
        await ask(`PUT /projects/${clone.id}/transfer?namespace=${group.id}`)
        const second = await newScanned(visit, 'Shelved')
        await ask(`PUT /projects/${second.id}/transfer?namespace=${group.id}`)
        await visit.open(`/groups/${path}/-/security/vulnerability_report?state=all&severity=low`)
        await expect.poll(() => rows.count()).toBe(2)
        await visit.press(rows.first().getByRole('checkbox'))
        await visit.press(bar.getByRole('button', { name: 'Select all on this page' }))
        await bar.getByText('2 selected').waitFor()
        await ask(`POST /projects/${second.id}/archive`)
        await visit.press(bar.getByRole('button', { name: 'Change status' }))
        await dialog.getByLabel('New status').selectOption('resolved')
        await visit.write(dialog.getByLabel('Comment (optional)'), 'Fixed in 2.0.')
        await visit.press(dialog.getByRole('button', { name: 'Change status' }))
        const failed = dialog.getByRole('list', {
          name: 'Vulnerabilities that could not be changed',
        })
        await failed.getByText('Forbidden').waitFor()
        await dialog.getByText('1 of 2 vulnerabilities could not be changed').waitFor()
        await page.getByText('1 vulnerability changed').waitFor()
        expect(await failed.getByRole('link').getAttribute('href')).toContain(`/${path}/shelved`)
        await visit.checkAccess()
        await visit.checkWidth()
        const low = (await list()).find(({ title }) => title === 'Weak hash')
        expect(low?.state).toBe('resolved')
        const [change] = await ask<object[]>(`GET /vulnerabilities/${low?.id}/state_transitions`)
        expect(change).toMatchObject({ comment: 'Fixed in 2.0.' })
        await visit.press(dialog.getByRole('button', { name: 'Close' }))
        await bar.getByText('1 selected').waitFor()
        await visit.press(bar.getByRole('button', { name: 'Clear selection' }))
        await bar.waitFor({ state: 'detached' })
        await visit.open(`/${path}/shelved-${visit.width}/-/security/vulnerability_report`)
        await rows.first().waitFor()
        expect(await page.getByRole('checkbox').count()).toBe(0)
      },
    )

    story('a vulnerability is found, judged, and has an issue made from it', async (visit) => {
      const { page } = visit
      const ran: string[] = []
      page.on('dialog', (dialog) => {
        ran.push(dialog.message())
        void dialog.dismiss()
      })
      await visit.signIn()
      const { ask } = await open()
      const clone = await newScanned(visit, 'Scanned')
      await visit.open(clone.path)
      const tabs = page.getByRole('navigation', { name: 'Project', exact: true })
      await visit.press(tabs.getByRole('link', { name: 'Security' }))
      await page.getByRole('heading', { level: 1, name: 'Vulnerability report' }).waitFor()
      const rows = page.getByRole('list', { name: 'Vulnerability report' }).getByRole('listitem')
      await rows.first().waitFor()
      const titles = await rows.getByRole('link').allInnerTexts()
      expect(titles).toEqual(['Use of eval', `${evil} title`, 'Weak hash'])
      await visit.checkAccess()
      await visit.checkWidth()

      const counts = page.getByRole('navigation', { name: 'Vulnerabilities by severity' })
      await visit.press(counts.getByRole('link', { name: 'Low 1' }))
      await expect.poll(() => rows.count()).toBe(1)
      expect(new URL(page.url()).search).toBe('?severity=low')
      await visit.press(page.getByRole('link', { name: 'Clear filters' }))
      await expect.poll(() => rows.count()).toBe(3)
      await visit.open(`${clone.path}/-/security/vulnerability_report?state=RESOLVED`)
      await page.getByText('No matching vulnerabilities').waitFor()
      await visit.checkAccess()

      await visit.open(`${clone.path}/-/security/vulnerability_report`)
      await visit.press(page.getByRole('link', { name: 'Use of eval' }))
      await page.getByRole('heading', { level: 1, name: 'Use of eval' }).waitFor()
      const lines = page.getByRole('link', { name: 'src/eval.js:1' })
      expect(await lines.getAttribute('href')).toBe(`${clone.path}/-/blob/main/src/eval.js#L1-2`)
      await visit.checkAccess()
      await visit.checkWidth()
      const bar = page.locator('.state-bar')
      await visit.press(page.getByRole('button', { name: 'Confirm', exact: true }))
      await bar.getByText('Confirmed').waitFor()
      await visit.press(page.getByRole('button', { name: 'Dismiss', exact: true }))
      await page.getByLabel('Reason').selectOption('used_in_tests')
      await visit.write(page.getByLabel('Comment'), `Only in tests. ${evil}`)
      await visit.checkAccess()
      await visit.press(page.getByRole('button', { name: 'Dismiss vulnerability' }))
      await bar.getByText('Dismissed').waitFor()
      await bar.getByText('Reason: Used in tests').waitFor()
      const history = page.getByRole('list', { name: 'History' }).getByRole('listitem')
      await history.first().getByText(`Only in tests. ${evil}`).waitFor()
      const told = (await history.allInnerTexts()).map((one) => one.split('\n', 1)[0])
      expect(told).toEqual([
        expect.stringContaining('Changed from Confirmed to Dismissed'),
        expect.stringContaining('Changed from Detected to Confirmed'),
        expect.stringContaining('Detected by a scan'),
      ])
      await visit.press(page.getByRole('button', { name: 'Revert to detected' }))
      await bar.getByText('Detected').waitFor()

      await visit.press(page.getByRole('button', { name: 'Create issue' }))
      const linked = page.getByRole('list', { name: 'Linked issues' })
      await linked.getByText('Created from this vulnerability').waitFor()
      const [issue] = await ask<{ iid: number; title: string; confidential: boolean }[]>(
        `GET /projects/${clone.id}/issues`,
      )
      expect(issue).toMatchObject({
        title: 'Investigate vulnerability: Use of eval',
        confidential: true,
      })
      await visit.checkAccess()
      await visit.checkWidth()
      const vulnerability = new URL(page.url()).pathname
      await visit.press(linked.getByRole('link', { name: 'Investigate vulnerability' }))
      await page.getByText('Mention @root').waitFor()
      expect(await page.locator('main .prose a[href="/root"]').count()).toBe(0)
      await visit.open(vulnerability)
      await visit.press(page.getByRole('button', { name: 'Unlink #1' }))
      await page.getByText('No linked issues').waitFor()
      await visit.press(page.getByRole('button', { name: 'Link issue' }))
      await visit.write(page.getByLabel('Issue number'), '77')
      await visit.press(page.getByRole('button', { name: 'Link issue' }))
      await page.getByRole('alert').getByText('Issue Not Found').waitFor()
      await visit.write(page.getByLabel('Issue number'), '1')
      await visit.press(page.getByRole('button', { name: 'Link issue' }))
      await linked.getByText('Investigate vulnerability').waitFor()

      await visit.open(`${clone.path}/-/security/vulnerability_report`)
      await visit.press(page.getByRole('link', { name: `${evil} title` }))
      await page.getByRole('heading', { level: 1, name: `${evil} title` }).waitFor()
      await page.getByText('press', { exact: true }).waitFor()
      expect(await page.locator('main [href^="javascript:"], main img[src="x"]').count()).toBe(0)
      await visit.checkWidth()
      expect(ran).toEqual([])
    })

    story('a group lists what its projects depend on, in German too', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      await visit.signIn()
      const clone = await newScanned(visit, 'Shared')
      const path = `packages-${visit.width}`
      const group = await ask<{ id: number }>('POST /groups', { name: path, path })
      await ask(`PUT /projects/${clone.id}/transfer?namespace=${group.id}`)
      await visit.open(`/groups/${path}/-/security/vulnerability_report`)
      await visit.press(page.getByRole('link', { name: 'Dependencies' }))
      const packages = page.getByRole('list', { name: 'Dependencies' }).locator('> li')
      await packages.first().getByText('lodash', { exact: true }).waitFor()
      const [, name] = clone.path.split('/').filter(Boolean)
      const project = packages.first().getByRole('link', { name: ` / Shared ${visit.width}` })
      expect(await project.getAttribute('href')).toBe(`/${path}/${name}/-/dependencies`)
      const file = packages.first().getByRole('link', { name: 'package-lock.json' })
      const blob = `/${path}/${name}/-/blob/main/package-lock.json`
      expect(await file.getAttribute('href')).toBe(blob)
      expect(await page.locator('main [href^="javascript:"], main img[src="x"]').count()).toBe(0)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.write(page.getByLabel('Search packages'), 'loda')
      await expect.poll(() => packages.count()).toBe(1)
      await visit.write(page.getByLabel('Search packages'), 'nothing')
      await page.getByText('No matching dependencies').waitFor()

      await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
      await visit.open(`/groups/${path}/-/dependencies?search=loda`)
      await page.getByRole('heading', { level: 1, name: 'Abhängigkeiten' }).waitFor()
      await page.getByRole('list', { name: 'Abhängigkeiten' }).getByText('lodash').first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('dependencies are found, and licenses allowed and denied', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const clone = await newScanned(visit, 'Built')
      await visit.open(`${clone.path}/-/security/vulnerability_report`)
      await visit.press(page.getByRole('link', { name: 'Dependencies' }))
      const packages = page.getByRole('list', { name: 'Dependencies' }).locator('> li')
      await packages.first().getByText('lodash', { exact: true }).waitFor()
      const file = packages.first().getByRole('link', { name: 'package-lock.json' })
      expect(await file.getAttribute('href')).toBe(`${clone.path}/-/blob/main/package-lock.json`)
      await visit.checkAccess()
      await visit.press(page.locator('summary', { hasText: '1 vulnerability' }))
      await page.getByText('CVE-2021-23337').waitFor()
      expect(await page.locator('main [href^="javascript:"], main img[src="x"]').count()).toBe(0)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.write(page.getByLabel('Search packages'), 'abb')
      await expect.poll(() => packages.count()).toBe(1)
      expect(new URL(page.url()).search).toBe('?search=abb')
      await visit.write(page.getByLabel('Search packages'), 'nothing')
      await page.getByText('No matching dependencies').waitFor()

      await visit.press(page.getByRole('link', { name: 'Licenses' }))
      const found = page.getByRole('list', { name: 'Licenses found' }).getByRole('listitem')
      await found.first().waitFor()
      expect(await found.count()).toBe(3)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Allow MIT' }))
      const policies = page.getByRole('list', { name: 'Policies' }).getByRole('listitem')
      await policies.getByText('MIT').waitFor()
      await found.filter({ hasText: 'MIT License' }).getByText('Allowed').waitFor()
      await visit.press(page.getByRole('link', { name: 'Add policy' }))
      await visit.write(page.getByLabel('License', { exact: true }), 'ISC')
      await page.getByLabel('Policy', { exact: true }).selectOption('denied')
      await visit.checkAccess()
      await visit.press(page.getByRole('button', { name: 'Add policy' }))
      await found.filter({ hasText: 'ISC License' }).getByText('Denied').waitFor()
      await page.getByLabel('Status').selectOption('denied')
      await expect.poll(() => found.count()).toBe(1)
      await visit.press(page.getByRole('button', { name: 'Actions for policy ISC' }))
      await visit.press(page.getByRole('menuitem', { name: 'Allow' }))
      await page.getByText('No matching licenses').waitFor()
      await visit.press(page.getByRole('button', { name: 'Actions for policy ISC' }))
      await visit.press(page.getByRole('menuitem', { name: 'Delete policy' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete policy' }))
      await expect.poll(() => policies.count()).toBe(1)
    })

    story('what was found is exported, of a project, a group and a dashboard', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const { ask } = await open()
      const clone = await newScanned(visit, 'Exported')
      const path = `exporting-${visit.width}`
      const group = await ask<{ id: number }>('POST /groups', { name: path, path })
      await ask(`PUT /projects/${clone.id}/transfer`, { namespace: path })
      const [, name = ''] = clone.path.slice(1).split('/')
      const report = `/${path}/${name}/-/security/vulnerability_report`
      const download = async () => {
        await visit.press(page.getByRole('button', { name: 'Export as CSV' }))
        const link = page.getByRole('link', { name: 'Download CSV' })
        await link.waitFor({ timeout: 30_000 })
        expect(new URL(page.url()).search).toMatch(/^\?export=\d+$/)
        await visit.checkAccess()
        await visit.checkWidth()
        // Whoever opens the address again finds the same export.
        await page.reload()
        const [file] = await Promise.all([page.waitForEvent('download'), visit.press(link)])
        const csv = await page.request.get((await link.getAttribute('href')) ?? '')
        expect(await csv.text()).toContain(',Use of eval,')
        return file.suggestedFilename()
      }
      await visit.open(report)
      expect(await download()).toMatch(new RegExp(`^${path}-${name}_vulnerabilities_.*\\.csv$`))

      await visit.open(`/groups/${path}`)
      await visit.press(page.getByRole('link', { name: 'Security', exact: true }))
      await page.getByRole('link', { name: 'Use of eval' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await download()).toMatch(new RegExp(`^${path}_vulnerabilities_.*\\.csv$`))
      await visit.press(page.getByRole('link', { name: 'Use of eval' }))
      await page.getByRole('heading', { level: 1, name: 'Use of eval' }).waitFor()
      expect(new URL(page.url()).pathname).toContain(`/${path}/${name}/-/security/vulnerabilities/`)

      await visit.open('/')
      await visit.press(page.getByRole('button', { name: /^Account menu/ }))
      await visit.press(page.getByRole('menuitem', { name: 'Security dashboard' }))
      await page.getByText('No projects on your dashboard yet').waitFor()
      await visit.checkAccess()
      await visit.enter(page.getByRole('combobox', { name: 'Project' }))
      await page.keyboard.insertText(name)
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await visit.press(page.getByRole('button', { name: 'Add project' }))
      await page.getByRole('list', { name: 'Projects' }).getByRole('link').waitFor()
      await page.getByRole('link', { name: 'Use of eval' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await download()).toMatch(/^instance_vulnerabilities_.*\.csv$/)

      const id = Number(new URL(page.url()).searchParams.get('export'))
      setPercent((await open()).data, { id, percent: 40, passed_ms: 40_000 })
      await page.reload()
      const bar = page.getByRole('progressbar', { name: 'Rows exported' })
      await bar.waitFor()
      expect(await bar.getAttribute('aria-valuetext')).toMatch(/^40%, about (?:1 min|5\d s|6\d s)/)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.open('/admin/exports')
      await page.getByRole('progressbar', { name: 'Rows exported' }).first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await page.goBack()
      await visit.press(page.getByRole('button', { name: /^Remove/ }))
      await page.getByText('No projects on your dashboard yet').waitFor()
      await ask(`DELETE /groups/${group.id}`)
    })
  },
  open,
)
