import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { newFolder } from '../kit/git.ts'
import { type Server, startServer } from '../kit/server.ts'
import { stories, type Visit } from './browser.ts'

const root = join(import.meta.dirname, '../..')
let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}
afterEach(async () => {
  await (await server)?.stop()
  server = undefined
})

/** Starts a server again: on the same port, with the same data. */
function startAgain({ url, data }: Server, wrapper: readonly string[] = []): Promise<Server> {
  const settings = { BLOOMERY_PORT: new URL(url).port, BLOOMERY_DATA: data }
  server = startServer(settings, wrapper)
  return server
}

/** An installation whose built pages have other names, as those of another version have. */
function installOtherBuild(): string {
  const folder = newFolder()
  for (const part of ['dist', 'web/dist']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  for (const part of ['src', 'node_modules', 'package.json']) {
    symlinkSync(join(root, part), join(folder, part))
  }
  const pages = join(folder, 'web/dist')
  const names = readdirSync(pages)
  for (const name of names.filter((one) => /\.(?:br|gz)$/.test(one))) rmSync(join(pages, name))
  const scripts = names.filter((name) => name.endsWith('.js'))
  const known = new Set(scripts)
  const renamed = (name: string) => name.replace(/\.js$/, '2.js')
  for (const name of names.filter((one) => /\.(?:js|html|json)$/.test(one))) {
    const text = readFileSync(join(pages, name), 'utf8')
    const other = text.replace(/[\w.-]+\.js/g, (one) => (known.has(one) ? renamed(one) : one))
    writeFileSync(join(pages, name), other)
  }
  for (const script of scripts) renameSync(join(pages, script), join(pages, renamed(script)))
  return folder
}

const projects = (page: Visit['page']) =>
  page.getByRole('heading', { name: 'Projects', exact: true })

stories(
  'server-away',
  (story) => {
    story('an open page waits for a server that restarts, and goes on by itself', async (visit) => {
      const { page } = visit
      const first = await open()
      await visit.open('/explore/projects')
      await visit.settle()
      await first.stop()
      await visit.press(page.getByRole('link', { name: 'Sign in' }).first())
      const note = page.getByRole('status').filter({ hasText: 'Server unreachable. Reconnecting…' })
      await note.waitFor()
      await projects(page).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await startAgain(first)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await note.waitFor({ state: 'hidden' })
      await visit.signIn()
    })

    story('an open page of an older build is loaded anew with the next page', async (visit) => {
      const { page } = visit
      const first = await open()
      await visit.open('/explore/projects')
      await visit.settle()
      const scriptOf = () =>
        page
          .locator('script[type=module]')
          .first()
          .evaluate((one) => one.outerHTML)
      const before = await scriptOf()
      await first.stop()
      await startAgain(first, ['sh', '-c', 'cd "$0" && exec "$@"', installOtherBuild()])
      await visit.press(page.getByRole('link', { name: 'Sign in' }).first())
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await scriptOf()).not.toBe(before)
    })

    story(
      'an open page says that a newer build is there, and keeps what is on it',
      async (visit) => {
        const { page } = visit
        const first = await open()
        await visit.open('/users/sign_in')
        await visit.write(page.getByLabel('Username'), 'half a name')
        await first.stop()
        await visit.write(page.getByLabel('Password', { exact: true }), 'something')
        await page.keyboard.press('Enter')
        await page.getByText('Server unreachable. Reconnecting…').waitFor()
        await startAgain(first, ['sh', '-c', 'cd "$0" && exec "$@"', installOtherBuild()])
        await page.getByText('Bloomery was updated.').waitFor()
        await visit.checkAccess()
        expect(await page.getByLabel('Username').inputValue()).toBe('half a name')
        await visit.press(page.getByRole('button', { name: 'Reload page' }))
        await page.getByText('Bloomery was updated.').waitFor({ state: 'detached' })
      },
    )
  },
  open,
)
