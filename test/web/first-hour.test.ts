// A newcomer's first hour, told as one: an empty server, and at its end a merged change, a colleague and a backup. Each
// step prints what it cost: what was pressed, which fields were filled, and how long it took here.
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Locator } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { freePort } from '../../tools/server-process.ts'
import { tokenIn } from '../kit/emails.ts'
import { newFolder } from '../kit/git.ts'
import { type Server, startServer } from '../kit/server.ts'
import { startSmtp } from '../kit/smtp.ts'
import { visit as openVisit, stories, type Visit } from './browser.ts'

const mail = startSmtp()
afterAll(async () => (await mail).close())

let empty: Server
/** A server nobody has told anything: its password is the printed one, and it has no runner yet. */
async function open(): Promise<Server> {
  const port = String(await freePort())
  const settings = { BLOOMERY_ROOT_PASSWORD: '', BLOOMERY_ROOT_TOKEN: '' }
  empty = await startServer({ BLOOMERY_PORT: port, ...settings })
  return empty
}

/** The same data again, with what the first steps say. */
async function restart({ url, data, stop }: Server): Promise<void> {
  await stop()
  await startServer({
    BLOOMERY_DATA: data,
    BLOOMERY_PORT: new URL(url).port,
    BLOOMERY_URL: url,
    BLOOMERY_SMTP_URL: `smtp://127.0.0.1:${(await mail).port}`,
    BLOOMERY_RUNNER: 'builtin',
    BLOOMERY_BACKUP_TO: join(newFolder(), 'backups'),
  })
}

type Tally = { clicks: number; fields: number; commands: number }

/** What one does on a page; each press, field and command is counted. */
function countingOf(visit: Visit, tally: Tally) {
  const { page } = visit
  return {
    press: (what: Locator) => {
      tally.clicks++
      return visit.press(what)
    },
    write: (what: Locator, text: string) => {
      tally.fields++
      return visit.write(what, text)
    },
    /** Enter, in the field that was written last. */
    enter: () => {
      tally.clicks++
      return page.keyboard.press('Enter')
    },
    /** Writes in the editor, which takes the place of a plain field once it is loaded. */
    edit: async (text: string) => {
      tally.fields++
      await visit.enter(page.locator('.code-field-host .cm-content'))
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    },
  }
}

/** Tells steps one by one, each of which ends on a page without barriers, in both themes. */
function stepsOf(tally: Tally) {
  const lines: string[] = []
  const step = async (
    title: string,
    { clicks_max, on }: { clicks_max: number; on: Visit },
    run: () => Promise<void>,
  ) => {
    Object.assign(tally, { clicks: 0, fields: 0, commands: 0 })
    const start_ms = performance.now()
    await run()
    const seconds = ((performance.now() - start_ms) / 1000).toFixed(1)
    const { clicks, fields, commands } = tally
    lines.push(`${title}: ${clicks} clicks, ${fields} fields, ${commands} commands, ${seconds} s`)
    expect(clicks, title).toBeLessThanOrEqual(clicks_max)
    await on.settle()
    await on.checkWidth()
    for (const colorScheme of ['dark', 'light'] as const) {
      await on.page.emulateMedia({ colorScheme })
      await on.checkAccess()
    }
  }
  return { step, lines }
}

const jobs = `unit:
  script:
    - echo "the first job"
`

stories(
  'first-hour',
  (story) => {
    story('from an empty server to a merged change, a colleague and a backup', async (visit) => {
      const { page } = visit
      const tally = { clicks: 0, fields: 0, commands: 0 }
      const { press, write, enter, edit } = countingOf(visit, tally)
      const { step: stepOn, lines } = stepsOf(tally)
      const step = (title: string, clicks_max: number, run: () => Promise<void>) =>
        stepOn(title, { clicks_max, on: visit }, run)
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const link = (name: string) => page.getByRole('link', { name, exact: true })
      const steps = page.getByRole('list', { name: 'Get started' }).locator('strong')
      const password = /password: (\S+)/.exec(empty.greeting)?.[1] ?? ''
      expect(password).not.toBe('')

      await visit.open('/')
      await step('Sign in', 2, async () => {
        await press(link('Sign in').first())
        await write(page.getByLabel('Username'), 'root')
        await write(page.getByLabel('Password', { exact: true }), password)
        await enter()
        await page.getByRole('heading', { name: 'Your projects' }).waitFor()
      })

      await step('Find the first steps', 1, async () => {
        await press(link('Get started'))
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        await steps.first().waitFor()
      })
      expect(await steps.allInnerTexts()).toEqual([
        'Set the public URL',
        'Set up an email server',
        'Add a runner',
        'Set up backups',
        'Protect your account',
      ])
      await page.getByText(`BLOOMERY_URL=${empty.url}`).waitFor()

      await step('Add a second factor', 3, async () => {
        await press(link('Set up two-factor authentication'))
        await write(page.getByLabel('Current password'), password)
        await enter()
        const secret = (await page.locator('.copy-line-text').first().innerText()).trim()
        const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
        await write(page.getByLabel('Verification code', { exact: true }), code)
        await enter()
        await page.getByRole('heading', { name: 'Recovery codes', exact: true }).waitFor()
      })

      await step('Set address, mail, runner and backups, and restart', 0, async () => {
        tally.commands++
        await restart(empty)
        await visit.open('/admin')
        await page.getByText('1 runner online').waitFor()
        // The runner may have come after the page was loaded, and the first backup takes a moment.
        await page.getByText('No problems found').waitFor()
        expect(await steps.count()).toBe(0)
      })

      await step('Make a project', 2, async () => {
        await visit.open('/')
        await press(link('New project'))
        await write(page.getByLabel('Name', { exact: true }), 'Forge')
        await press(button('Create project'))
        await page.waitForURL('**/root/forge')
      })

      await step('Make the first file', 2, async () => {
        await press(link('Create file'))
        await write(page.getByLabel('File name'), 'README.md')
        await edit('# Forge\n\nIt is hot.\n')
        await press(button('Commit changes'))
        await page.waitForURL('**/-/blob/main/README.md')
        await page.getByRole('heading', { level: 1, name: 'Forge' }).waitFor()
      })

      await step('Run the first pipeline', 5, async () => {
        await press(link('Pipelines'))
        await page.getByText('No pipelines yet').waitFor()
        await press(link('Open pipeline editor'))
        await edit(jobs)
        await page.getByText('The CI configuration is valid.').waitFor()
        await press(button('Commit changes'))
        await press(page.getByRole('link', { name: /^#\d+/ }))
        await press(link('unit'))
        await page.getByText('the first job', { exact: true }).last().waitFor()
        await page.locator('.state-bar', { hasText: 'passed' }).waitFor()
      })

      await step('Propose a change', 5, async () => {
        await press(link('Code'))
        await press(link('README.md').first())
        // The folder has a link of that name as well, beside its README.
        await page.getByRole('heading', { level: 1, name: 'README.md' }).waitFor()
        await press(link('Edit file'))
        await edit('# Forge\n\nIt is very hot.\n')
        await write(page.getByLabel('Target branch'), 'hotter')
        await press(button('Commit changes'))
        await page.waitForURL('**/-/merge_requests/new?*')
        await page.locator('.diff-added', { hasText: 'very hot' }).waitFor()
        await press(button('Create merge request'))
        await page.getByRole('heading', { level: 1, name: 'Update README.md' }).waitFor()
      })

      await step('Merge it', 1, async () => {
        await page.getByText('Ready to merge').waitFor()
        await press(button('Merge'))
        await page.getByText('Merged into main').waitFor()
      })

      const email = `ada-${visit.width}@foundry.test`
      await step('Invite a colleague', 5, async () => {
        await press(link('Members'))
        const who = page.getByRole('combobox', { name: 'User' })
        await write(who, email)
        await enter()
        await press(button('Add member'))
        await page.getByText('Pending invitations').waitFor()
        await press(page.getByRole('link', { name: `Create account ${email}` }))
        await write(page.getByLabel('Name', { exact: true }), 'Ada')
        await write(page.getByLabel('Username'), 'ada')
        await enter()
        await page.getByRole('link', { name: 'Ada', exact: true }).waitFor()
      })

      const { received } = await mail
      const findEmail = () =>
        received.find(
          ({ to, text }) => to.includes(email) && text.includes('reset_password_token='),
        )
      await expect.poll(findEmail).toBeDefined()
      const theirs = await openVisit(empty, { width: visit.width })
      try {
        const her = theirs.page
        const hers = countingOf(theirs, tally)
        await stepOn('The colleague signs in', { clicks_max: 3, on: theirs }, async () => {
          await her.goto(`/users/password/edit?reset_password_token=${tokenIn(findEmail())}`)
          await hers.write(her.getByLabel('New password'), 'hotter than hers')
          await hers.enter()
          await hers.press(her.getByRole('link', { name: 'sign in' }))
          await hers.write(her.getByLabel('Username'), 'ada')
          await hers.write(her.getByLabel('Password', { exact: true }), 'hotter than hers')
          await hers.enter()
          await her.getByRole('link', { name: 'root/forge' }).waitFor()
        })
        expect(theirs.problems).toEqual([])
      } finally {
        await theirs.close()
      }

      await step('Back up', 2, async () => {
        await visit.open('/admin')
        await press(link('Last backup'))
        const rows = page.getByRole('list', { name: 'Backups' }).getByRole('listitem')
        await rows.first().waitFor()
        await press(button('Back up now'))
        await rows.getByText('1 repository').waitFor()
        expect(await rows.count()).toBe(2)
        await visit.checkAccess()
        await visit.checkWidth()
      })
      process.stdout.write(`First hour (${visit.width} px)\n${lines.join('\n')}\n`)
    })
  },
  open,
)
