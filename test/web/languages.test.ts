// The pages in the language that the browser asks for, or that the reader has chosen.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= begin()
  return server
}

async function begin(): Promise<Server> {
  const started = await startServer()
  await started.ask('POST /projects', { name: 'Anvil', initialize_with_readme: true })
  await started.ask('POST /projects/root%2Fanvil/issues', { title: 'The anvil rings' })
  return started
}

const texts = join(import.meta.dirname, '../../web/text')

/** Every sentence of two words or more that stands in the English texts and not in the German ones. */
async function readEnglish(): Promise<Set<string>> {
  const collect = async (folder: string) => {
    const found = new Set<string>()
    const look = (value: unknown): void => {
      if (typeof value === 'string' && /\p{L} \p{L}/u.test(value)) found.add(value)
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look)
    }
    for (const name of globSync('*.ts', { cwd: folder })) look(await import(join(folder, name)))
    return found
  }
  const [english, german] = [await collect(texts), await collect(join(texts, 'de'))]
  return english.difference(german)
}

/** What people see or hear of a page, text by text. */
function listWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const words: string[] = [document.title]
    while (walker.nextNode()) words.push(walker.currentNode.textContent?.trim() ?? '')
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
      for (const name of ['aria-label', 'placeholder', 'title']) {
        words.push(one.getAttribute(name) ?? '')
      }
    }
    return words
  })
}

const pages = [
  '/',
  '/root/anvil',
  '/root/anvil/-/issues',
  '/root/anvil/-/issues/1',
  '/root/anvil/-/merge_requests',
  '/root/anvil/-/pipelines',
  '/root/anvil/-/settings/ci_cd',
  '/root/anvil/-/audit_events',
  '/-/profile/applications',
  '/-/profile/preferences',
  '/admin',
  '/admin/audit_events',
  '/admin/settings',
]

stories(
  'languages',
  (story) => {
    story('a browser that asks for German reads German', async (visit) => {
      const { page } = visit
      await page.setExtraHTTPHeaders({ 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' })
      await visit.open('/users/sign_in')
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      await page.getByRole('button', { name: 'Anmelden' }).waitFor()
      await visit.signIn()
      const english = await readEnglish()
      expect(english.size).toBeGreaterThan(500)
      const left: string[] = []
      for (const path of pages) {
        await visit.open(path)
        await visit.settle()
        left.push(...(await listWords(page)).filter((words) => english.has(words)))
        await visit.checkWidth()
      }
      expect(left).toEqual([])
      await visit.checkAccess()
    })

    story('a form says in German what the server refuses', async (visit) => {
      const { page } = visit
      await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
      await visit.open('/users/sign_up')
      const submit = page.getByRole('button', { name: 'Konto erstellen' })
      await visit.write(page.getByLabel('Vollständiger Name'), 'Ada')
      await visit.write(page.getByLabel('Benutzername'), 'root')
      await visit.write(page.getByLabel('E-Mail'), 'ada@foundry.test')
      await visit.write(page.getByLabel('Passwort'), 'kurz')
      await visit.press(submit)
      await page.getByRole('alert').getByText('Dieser Benutzername ist bereits').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.write(page.getByLabel('Benutzername'), `ada-${visit.width}`)
      await visit.press(submit)
      const problem = 'ist zu kurz (mindestens 8 Zeichen)'
      await page.getByRole('alert').getByText(`Passwort ${problem}`).waitFor()
      await page.locator('.field-problem', { hasText: problem }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('what the server refuses outside of forms is in German too', async (visit) => {
      const { page } = visit
      await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
      await visit.signIn()
      const { ask } = await open()
      const name = `iron-${visit.width}`
      await ask('POST /projects/root%2Fanvil/labels', { name, color: 'red' })
      await visit.open('/root/anvil/-/labels')
      await page.route(/\/labels\/\d+/, (route) =>
        route.fulfill({ status: 403, json: { message: '403 Forbidden - Runner is locked' } }),
      )
      const row = page.getByRole('listitem').filter({ hasText: name })
      await visit.press(row.getByRole('button').last())
      await visit.press(page.getByRole('menuitem', { name: 'Label löschen' }))
      const dialog = page.getByRole('dialog')
      await visit.press(dialog.getByRole('button', { name: 'Label löschen' }))
      await dialog.getByRole('alert').getByText('Der Runner ist an andere Projekte').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await page.route(/\/milestones\?/, (route) =>
        route.fulfill({ status: 400, json: { message: '400 Bad request - too many parameters' } }),
      )
      await visit.open('/root/anvil/-/milestones')
      await page.getByRole('alert').getByText('Es sind zu viele Parameter').waitFor()
    })

    story(
      'the history of an issue is in German, with what people wrote as it is',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        const hostile = '<img src=x alt=x onerror="document.title=1"> **to** `and` to @root'
        const { iid } = await ask('POST /projects/root%2Fanvil/issues', { title: 'Cast iron' })
        const issue = `/projects/root%2Fanvil/issues/${iid}`
        await ask(`PUT ${issue}`, { title: hostile, due_date: '2026-03-07', assignee_ids: [1] })
        await ask(`PUT ${issue}`, { description: '- [ ] find **it** and <b>her</b>' })
        await ask(`PUT ${issue}`, { description: '- [x] find **it** and <b>her</b>' })
        await ask(`POST ${issue}/links`, {
          target_project_id: 'root/anvil',
          target_issue_iid: 1,
        })
        await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
        await visit.signIn()
        await visit.open(`/root/anvil/-/issues/${iid}`)
        const events = page.locator('.activity-event .activity-text')
        await events.getByText('hat dieses Issue mit #1 verknüpft').waitFor()
        const said = await events.allInnerTexts()
        expect(said.map((words) => words.trim())).toEqual([
          'hat den Titel von {-Cast iron-} in {+ to and to @root+} geändert',
          'hat das Fälligkeitsdatum auf 7. März 2026 geändert',
          'hat @root zugewiesen',
          'hat die Beschreibung geändert',
          'hat die Aufgabe find it and her als erledigt markiert',
          'hat dieses Issue mit #1 verknüpft',
        ])
        expect(await events.locator('[onerror]').count()).toBe(0)
        expect(await page.title()).not.toBe('1')
        expect(await events.getByRole('link', { name: '@root' }).count()).toBe(2)
        await visit.checkAccess()
        await visit.checkWidth()
      },
    )

    story('who chooses a language has it at once, and in every browser', async (visit) => {
      const { page } = visit
      const { root, ask, url } = await open()
      await visit.signIn()
      await visit.open('/-/profile/preferences')
      await page.getByLabel('Language').selectOption('Deutsch')
      await visit.press(page.getByRole('button', { name: 'Save' }))
      await page.getByRole('heading', { level: 1, name: 'Präferenzen' }).waitFor()
      expect(await ask('GET /user/preferences')).toMatchObject({ language: 'de' })

      await visit.context.clearCookies()
      await page.goto(url)
      await page.evaluate(() => localStorage.clear())
      await visit.open('/users/sign_in')
      await visit.write(page.getByLabel('Username or email'), root.login)
      await visit.write(page.getByLabel('Password'), root.password)
      await visit.press(page.getByRole('button', { name: 'Sign in' }))
      await page.locator('html[lang=de]').waitFor()
      await visit.open('/-/profile/preferences')
      await page.getByLabel('Sprache').selectOption('Wie im Browser')
      await visit.press(page.getByRole('button', { name: 'speichern' }))
      await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor()
    })
  },
  open,
)
