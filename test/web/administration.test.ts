// What administrators look at each morning, and do when something is wrong.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { newFolder } from '../kit/git.ts'
import { type Server, startServer } from '../kit/server.ts'
import { stories, type Visit, visit as visitServer } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer({
    BLOOMERY_STORAGES: JSON.stringify({
      default: { path: newFolder() },
      second: { path: newFolder(), weight: 0 },
    }),
  })
  return server
}

const nothing = "Page not found, or you don't have access"
const password = 'a pass phrase of somebody'

/** A background task that was tried in vain, and that does nothing if it is tried again. */
async function failTask(key: string, last_error = 'Error: The disk was away.'): Promise<void> {
  const { data } = await open()
  const db = await openDatabase({ url: join(data, 'bloomery.sqlite'), migrates: false })
  const now = new Date().toISOString()
  const times = { run_at: now, failed_at: now, created_at: now }
  const task = { name: 'maintain-wiki', lane: 'upkeep', payload: '{"wiki_id":0}', attempts: 20 }
  await db
    .insertInto('tasks')
    .values({ ...task, key, last_error, ...times })
    .execute()
  await db.destroy()
}

async function newUser(username: string): Promise<{ id: number; login: string; password: string }> {
  const { ask } = await open()
  const { id } = await ask<{ id: number }>('POST /users', {
    ...{ username, name: username, email: `${username}@forge.test`, password },
    skip_confirmation: true,
  })
  return { id, login: username, password }
}

/** A browser of somebody else. */
async function otherBrowser({ width }: Visit, who?: { login: string; password: string }) {
  const other = await visitServer(await open(), { width })
  onTestFinished(other.close)
  if (who) await other.signIn(who)
  return other
}

it('has no place for what its tier does not have', { timeout: 120_000 }, async () => {
  const free = await startServer({ BLOOMERY_TIER: 'free' })
  const seen = await visitServer(free)
  const refused: string[] = []
  seen.page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()))
  await seen.signIn()
  await seen.open('/admin/storage')
  await seen.page.getByText('Storage default').waitFor()
  await seen.settle()
  expect(await seen.page.getByText('Storage moves').count()).toBe(0)
  expect(await seen.page.getByRole('link', { name: 'Audit events' }).count()).toBe(0)
  await seen.open('/admin')
  await seen.settle()
  expect(refused).toEqual([])
  await seen.close()
})

stories(
  'administration',
  (story) => {
    story('the overview says what a new server needs and what is wrong', async (visit) => {
      const { page, width } = visit
      const { data } = await open()
      const somebody = await newUser(`outsider-${width}`)
      await visit.signIn(somebody)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await visit.open('/admin')
      await page.getByRole('heading', { level: 1, name: nothing }).waitFor()
      // What is known to be for others is not even asked for.
      expect(asked.filter((address) => address.includes('/api/v4/admin/'))).toEqual([])

      await visit.signIn()
      await visit.open('/')
      await page.keyboard.press('Control+k')
      await page.locator('.palette-input').fill('administration')
      await page
        .getByRole('option', { name: /^Administration/ })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      const steps = page.getByRole('list', { name: 'Get started' })
      for (const step of [
        'Set the public URL',
        'Set up an email server',
        'Add a runner',
        'Protect your account',
      ]) {
        await steps.getByText(step, { exact: true }).waitFor()
      }
      await visit.checkAccess()
      await visit.checkWidth()

      const env = { PATH: process.env.PATH, BLOOMERY_DATA: data }
      const storages = { default: { path: join(data, 'a') }, second: { path: join(data, 'b') } }
      await promisify(execFile)(process.execPath, ['dist/main.js', 'backup', '--to', newFolder()], {
        cwd: join(import.meta.dirname, '../..'),
        env: { ...env, BLOOMERY_STORAGES: JSON.stringify(storages) },
      })
      await failTask(`seen-${width}`)
      await visit.open('/admin')
      await page.locator('.state-bar', { hasText: /problems? found/ }).waitFor()
      expect(await steps.getByText('Set up backups').count()).toBe(0)
      const lines = page.getByRole('list', { name: 'Server health' })
      await lines.getByText(/tasks? failed/).waitFor()
      await lines.getByText('No runners are online. Jobs stay pending.').waitFor()
      await lines.getByText('1 node running', { exact: true }).waitFor()
      await lines.getByText(/^Bloomery .* on SQLite$/).waitFor()
      await visit.press(lines.getByRole('link', { name: 'Background tasks' }))
      await page.getByText(`seen-${width}`, { exact: true }).waitFor()
    })

    story('a failed task is retried or deleted', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      await failTask(`again-${width}`, 'Error: <img src=x onerror=alert(1)>')
      await failTask(`never-${width}`)
      await visit.signIn()
      await visit.open('/admin/tasks')
      const row = (key: string) => page.getByRole('listitem').filter({ hasText: `${key}-${width}` })
      await row('again').getByText('Error: <img src=x onerror=alert(1)>').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(row('again').getByRole('button', { name: /^Retry/ }))
      await row('again').waitFor({ state: 'detached' })
      await visit.press(row('never').getByRole('button', { name: /^Delete/ }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete task' }))
      await row('never').waitFor({ state: 'detached' })
      const left = () => ask<{ key: string }[]>('GET /admin/background_tasks')
      await expect
        .poll(async () => (await left()).filter(({ key }) => /^(?:again|never)-/.test(key)))
        .toEqual([])
      await page.getByLabel('Task type').selectOption('mail')
      await page.getByText('No failed tasks').waitFor()
      expect(new URL(page.url()).search).toBe('?lane=mail')
    })

    story('a message is written, seen on every page, and dismissed for good', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const text = `Maintenance ${width} <b>tonight</b>, see https://status.test/now`
      const path = `/broadcast-${width}`
      const clone = await newClone(await open(), `Broadcast ${width}`)
      await ask(`PUT /projects/${clone.id}`, { visibility: 'public' })
      const reader = await otherBrowser(visit, await newUser(`reader-${width}`))
      const visitor = await otherBrowser(visit)

      await visit.signIn()
      await visit.open('/admin/broadcast_messages')
      await visit.press(page.getByRole('link', { name: 'New message' }))
      await visit.write(page.getByLabel('Message', { exact: true }), text)
      await page.getByLabel('Theme').selectOption('Blue')
      await visit.checkAccess()
      await visit.checkWidth()
      const preview = page.locator('main .broadcast')
      await preview.getByText('<b>tonight</b>').waitFor()
      expect(await preview.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
        'rgb(8, 89, 172)',
      )
      await visit.press(page.getByRole('button', { name: 'Add message' }))
      const region = { name: 'Messages from administrators' }
      const band = page.getByRole('region', region).locator('.broadcast')
      await band.filter({ hasText: text.slice(0, 20) }).waitFor()
      await page
        .getByRole('list', { name: 'Broadcast messages' })
        .getByText('active')
        .first()
        .waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      for (const seen of [reader, visitor]) {
        await seen.open(clone.path)
        const shown = seen.page.getByRole('region', region).locator('.broadcast')
        await shown.getByRole('link', { name: 'https://status.test/now' }).waitFor()
        await seen.checkAccess()
        await seen.press(
          shown.getByRole('button', { name: new RegExp(`^Dismiss message: .*${width}`) }),
        )
        await shown.filter({ hasText: text.slice(0, 20) }).waitFor({ state: 'detached' })
        await seen.open('/explore/projects')
        await seen.settle()
        expect(await seen.page.getByText(text.slice(0, 20)).count()).toBe(0)
        expect(seen.problems).toEqual([])
      }

      await visit.press(
        page.getByRole('button', { name: new RegExp(`Actions for message.*${width}`) }),
      )
      await visit.press(page.getByRole('menuitem', { name: 'Edit message' }))
      expect(await page.getByLabel('Theme').inputValue()).toBe('blue')
      await visit.write(page.getByLabel('Target path'), `/root${path}/*`)
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText(`on /root${path}/*`).waitFor()
      await band.filter({ hasText: text.slice(0, 20) }).waitFor({ state: 'detached' })
      await visit.open(`${clone.path}/-/branches`)
      await band.filter({ hasText: text.slice(0, 20) }).waitFor()
      await visit.open('/admin/broadcast_messages')
      await visit.press(
        page.getByRole('button', { name: new RegExp(`Actions for message.*${width}`) }),
      )
      await visit.press(page.getByRole('menuitem', { name: 'Delete message' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Delete message' }))
      await expect
        .poll(() => ask<{ message: string }[]>('GET /broadcast_messages'))
        .not.toContainEqual(expect.objectContaining({ message: text }))
    })

    story('a message for roles is shown to those who have them', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const clone = await newClone(await open(), `Roles ${width}`)
      const developer = await newUser(`developer-${width}`)
      await ask(`POST /projects/${clone.id}/members`, { user_id: developer.id, access_level: 30 })
      const message = `Developers ${width}`
      await ask('POST /broadcast_messages', {
        message,
        target_access_levels: [30],
        color: '#eeeeee',
      })
      await visit.signIn(developer)
      await visit.open(clone.path)
      await page.getByText(message).waitFor()
      // White letters on that ground could not be read.
      await visit.checkAccess()
      await visit.open('/explore/projects')
      await visit.settle()
      expect(await page.getByText(message).count()).toBe(0)
    })

    story('a project moves to another storage, and says why it could not', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const clone = await newClone(await open(), `Moving ${width}`)
      await clone.commit('Begin', { 'a.txt': 'a\n' })
      await clone.push('main')
      await visit.signIn()
      await visit.open('/admin/storage')
      await page.getByText('Storage second').waitFor()
      const move = async (to: string) => {
        await visit.press(page.getByRole('button', { name: 'Move repositories' }))
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('What to move').selectOption('A project')
        await visit.write(dialog.getByRole('combobox', { name: 'Project' }), `moving-${width}`)
        await visit.press(page.getByRole('option', { name: `root/moving-${width}` }))
        await dialog.getByLabel('To storage').selectOption(to)
        await visit.checkAccess()
        await visit.press(dialog.getByRole('button', { name: 'Start move' }))
        await dialog.waitFor({ state: 'detached' })
      }
      const rows = page.getByRole('listitem').filter({ hasText: `root/moving-${width}` })
      await move('second')
      await rows.first().getByText('default → second').waitFor()
      await rows.first().getByText('finished').waitFor({ timeout: 60_000 })
      const stored = () => ask<{ repository_storage: string }>(`GET /projects/${clone.id}`)
      expect((await stored()).repository_storage).toBe('second')
      await move('second')
      await rows.first().getByText('Source and destination storage are both second.').waitFor()
      await rows.first().getByText('The repository was not moved.').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('a group moves with its projects, and everything on a storage', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const group = await ask<{ id: number }>('POST /groups', {
        name: `Fleet ${width}`,
        path: `fleet-${width}`,
      })
      for (const name of ['one', 'two']) {
        await ask('POST /projects', { name, namespace_id: group.id, initialize_with_readme: true })
      }
      const storages = async () => {
        const all = await ask<{ repository_storage: string }[]>(`GET /groups/${group.id}/projects`)
        return all.map(({ repository_storage }) => repository_storage)
      }
      await visit.signIn()
      await visit.open('/admin/storage')
      const dialog = page.getByRole('dialog')
      await visit.press(page.getByRole('button', { name: 'Move repositories' }))
      await dialog.getByLabel('What to move').selectOption('A group with its projects')
      await visit.write(dialog.getByRole('combobox', { name: 'Group' }), `fleet-${width}`)
      await visit.press(page.getByRole('option', { name: `fleet-${width}` }))
      await dialog.getByLabel('To storage').selectOption('second')
      await visit.press(dialog.getByRole('button', { name: 'Start move' }))
      await page.getByText('3 moves scheduled').waitFor()
      await expect.poll(storages, { timeout: 60_000 }).toEqual(['second', 'second'])
      await visit.press(page.getByRole('link', { name: 'Group wikis' }))
      await page.getByRole('link', { name: `Fleet ${width}` }).waitFor()

      await expect
        .poll(
          async () => {
            const moves = await ask<{ state: string }[]>('GET /project_repository_storage_moves')
            return moves.filter(({ state }) => state !== 'finished' && state !== 'failed')
          },
          { timeout: 60_000 },
        )
        .toEqual([])
      await visit.press(page.getByRole('button', { name: 'Move repositories' }))
      await dialog.getByLabel('From storage').selectOption('second')
      await dialog.getByLabel('To storage').selectOption('default')
      await visit.press(dialog.getByRole('button', { name: 'Start move' }))
      await expect.poll(storages, { timeout: 60_000 }).toEqual(['default', 'default'])
    })

    story('an administrator impersonates a user, and stops', async (visit) => {
      const { page, width } = visit
      const login = `looked-into-${width}`
      await newUser(login)
      await visit.signIn()
      await visit.open(`/admin/users/${login}`)
      await visit.press(page.getByRole('button', { name: `Actions for ${login}` }))
      await visit.press(page.getByRole('menuitem', { name: 'Impersonate' }))
      const question = page.getByRole('dialog', { name: `Impersonate ${login}?` })
      await visit.press(question.getByRole('button', { name: 'Impersonate' }))
      const band = page.getByRole('region', { name: 'Impersonation' })
      await band.getByText(`You are impersonating ${login} (@${login}).`).waitFor()
      await question.waitFor({ state: 'detached' })
      await visit.settle()
      await visit.checkWidth()
      await visit.checkAccess()
      await page.getByRole('button', { name: `Account menu of ${login}` }).waitFor()

      // It is so on every page, after a reload too, and nothing of an administrator is there.
      await visit.open('/-/profile/active_sessions')
      const sessions = page.getByRole('list', { name: 'Your active sessions' })
      await sessions.getByText('impersonated by an administrator').waitFor()
      await visit.checkAccess()
      await visit.open('/admin/users')
      await page.getByText(nothing).waitFor()
      await visit.press(band.getByRole('button', { name: 'Stop impersonating' }))
      await page.waitForURL(new RegExp(`/admin/users/${login}$`))
      await page.getByRole('heading', { level: 1, name: login }).waitFor()
      expect(await band.count()).toBe(0)

      await visit.open('/admin/audit_events')
      for (const event of ['Impersonation started', 'Impersonation ended']) {
        await page.getByText(event).first().waitFor()
      }
    })

    story('an account is approved, signed out, and entered by a token', async (visit) => {
      const { page, width } = visit
      const { ask, url } = await open()
      const login = `waiting-${width}`
      const account = await newUser(login)
      const { data } = await open()
      const db = await openDatabase({ url: join(data, 'bloomery.sqlite'), migrates: false })
      await db
        .updateTable('users')
        .set({ state: 'blocked_pending_approval' })
        .where('id', '=', account.id)
        .execute()
      await db.destroy()

      await visit.signIn()
      await visit.open('/admin')
      await page.getByText('1 user waiting').waitFor()
      await visit.press(page.getByRole('link', { name: 'Users pending approval' }))
      await visit.press(page.getByRole('button', { name: `Actions for ${login}` }))
      await page.getByRole('menuitem', { name: 'Reject user' }).waitFor()
      await visit.press(page.getByRole('menuitem', { name: 'Approve user' }))
      await page.getByRole('link', { name: login }).waitFor({ state: 'detached' })
      await expect.poll(() => ask(`GET /users/${account.id}`)).toMatchObject({ state: 'active' })

      const second = await openDatabase({ url: join(data, 'bloomery.sqlite'), migrates: false })
      await second
        .updateTable('users')
        .set({ two_factor_enabled: true })
        .where('id', '=', account.id)
        .execute()
      await second.destroy()
      await visit.open(`/admin/users/${login}`)
      await visit.press(page.getByRole('button', { name: `Actions for ${login}` }))
      await visit.press(page.getByRole('menuitem', { name: /^Disable two-factor/ }))
      const question = page.getByRole('dialog').getByRole('button', { name: /^Disable two-factor/ })
      await visit.press(question)
      await question.waitFor({ state: 'detached' })
      expect(await ask(`GET /users/${account.id}`)).toMatchObject({ two_factor_enabled: false })
      const identity = { provider: 'github', extern_uid: `<b>${login}</b>` }
      await ask(`PUT /users/${account.id}`, identity)
      const other = await otherBrowser(visit, account)
      await other.open('/-/profile')
      await visit.open(`/admin/users/${login}`)
      await page.getByText(identity.extern_uid).waitFor()
      await visit.press(page.getByRole('button', { name: 'Remove github' }))
      await visit.press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }))
      await page.getByText(identity.extern_uid).waitFor({ state: 'detached' })
      expect(await ask(`GET /users/${account.id}`)).toMatchObject({ identities: [] })
      const sessions = page.getByRole('list', { name: 'Active sessions' })
      await visit.press(sessions.getByRole('button', { name: /^Sign out/ }))
      await page.getByText('The user is not signed in anywhere.').waitFor()
      await other.page.reload()
      await other.page.waitForURL(/\/users\/sign_in/)

      await visit.press(page.getByRole('button', { name: 'Add impersonation token' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel('Token name'), 'Looking into it')
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Create token' }))
      const token = (await dialog.locator('.copy-line-text').textContent())?.trim() ?? ''
      const own = await fetch(`${url}/api/v4/user`, { headers: { 'private-token': token } })
      expect(await own.json()).toMatchObject({ username: login })
      await visit.press(dialog.getByRole('button', { name: 'Close' }))
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Revoke token Looking into it' }))
      await visit.press(dialog.getByRole('button', { name: 'Revoke token' }))
      await page.getByText('No active impersonation tokens').waitFor()
      const ended = await fetch(`${url}/api/v4/user`, { headers: { 'private-token': token } })
      expect(ended.status).toBe(401)
    })
  },
  open,
)
