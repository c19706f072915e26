import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories, type Visit } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const configuration = 'build: { script: make }\n'

/** What the rows say, once nothing more is to come. */
async function rowsFor({ page }: Visit, typed: string): Promise<string[]> {
  const field = page.getByRole('combobox', { name: 'Search projects' })
  await field.fill(typed)
  // The last row of a search is the search itself.
  if (!typed.startsWith('>'))
    await page.getByRole('option', { name: /^Search everywhere/ }).waitFor()
  return page
    .getByRole('option')
    .allInnerTexts()
    .then((all) => all.map((one) => one.replace(/\s+/g, ' ')))
}

stories(
  'palette',
  (story) => {
    story('everything is found by plain words, the best first', async (visit) => {
      const { page } = visit
      await visit.signIn()
      const { ask } = await open()
      const name = `Palette ${visit.width}`
      const clone = await newClone(await open(), name)
      await clone.commit('Begin', { 'src/unusual.txt': 'a\n', '.gitlab-ci.yml': configuration })
      await clone.git('checkout', '-q', '-b', 'topic-of-mine')
      await clone.push('main', 'topic-of-mine')
      await clone.git('tag', 'v7.1')
      await clone.push('v7.1')
      await ask(`POST /projects/${clone.id}/environments`, { name: 'harbour' })
      await ask(`POST /projects/${clone.id}/pipeline_schedules`, {
        description: 'nightly sweep',
        ref: 'main',
        cron: '0 3 * * *',
      })

      await visit.open(`${clone.path}/-/branches`)
      await visit.settle()
      await page.keyboard.press('Control+k')
      for (const [typed, first] of [
        ['ssh key', 'SSH keys'],
        ['token', 'Personal access tokens'],
        ['dark', 'Use dark theme'],
        ['2fa', 'Two-factor authentication'],
        ['secret', 'CI/CD variables'],
        ['cron', 'Pipeline schedules'],
        ['protected br', 'Protected branches'],
        ['run pip', 'Run pipeline'],
        ['releases', 'Releases'],
        ['topic-of', 'topic-of-mine branch'],
        ['v7', 'v7.1 tag'],
        ['harb', 'harbour environment'],
        ['sweep', 'nightly sweep schedule'],
        ['unusual', 'src/unusual.txt file'],
        [name.toLowerCase(), 'Palette'],
      ] as const) {
        const [row = ''] = await rowsFor(visit, typed)
        expect(row, typed).toContain(first)
      }
      const members = await rowsFor(visit, 'admin')
      expect(members.some((row) => /@root (?:user|member)$/.test(row))).toBe(true)
      const jobs = await rowsFor(visit, 'build')
      expect(jobs.some((row) => row === 'build job')).toBe(true)
      await visit.checkAccess()
      await visit.checkWidth()

      // Rows that are there stay where they are when more come.
      const field = page.getByRole('combobox', { name: 'Search projects' })
      await field.fill('')
      await field.pressSequentially('token', { delay: 20 })
      const early = await page.getByRole('option').allInnerTexts()
      const later = await rowsFor(visit, 'token')
      expect(early.length).toBeGreaterThan(0)
      expect(later.map((row) => row.replace(/\s+/g, ' ')).slice(0, early.length)).toEqual(
        early.map((row) => row.replace(/\s+/g, ' ')),
      )

      // Enter does not have to wait for the server.
      await field.fill('harb')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'harbour' }).waitFor()

      await page.keyboard.press('Control+k')
      const recent = page.getByRole('option').first()
      expect(await recent.innerText()).toContain('Branches')
      await page.keyboard.press('Escape')
      await page.keyboard.press('.')
      await page.getByRole('combobox', { name: 'Search projects' }).waitFor()
      expect(await page.getByRole('combobox', { name: 'Search projects' }).inputValue()).toBe('>')
      const actions = await rowsFor(visit, '>dark')
      expect(actions[0]).toContain('Use dark theme')
      await page.keyboard.press('Enter')
      await expect
        .poll(() => page.evaluate(() => document.documentElement.dataset.theme))
        .toBe('dark')
      await ask('PUT /user/preferences', { theme: 'system' })
    })

    story('recent pages have their own names, however soon one follows another', async (visit) => {
      const { page } = visit
      await visit.signIn()
      await visit.open('/admin/groups')
      await visit.follow('/admin/users')
      await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
      await visit.follow('/admin')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await visit.settle()
      // Both have been read, so that the second follows the first before the browser has painted that.
      await page.evaluate(
        ([first, name, second]) => {
          const follow = (href: string) => {
            const link = Object.assign(document.createElement('a'), { href })
            document.body.append(link)
            link.click()
            link.remove()
          }
          new MutationObserver((_, observer) => {
            if (document.querySelector('main h1')?.textContent !== name) return
            observer.disconnect()
            follow(second)
          }).observe(document.body, { childList: true, subtree: true, characterData: true })
          follow(first)
        },
        ['/admin/users', 'Users', '/admin/groups'] as const,
      )
      await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
      await visit.settle()
      // The palette leaves out the page that it is opened on.
      await visit.follow('/admin')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await visit.settle()
      await page.keyboard.press('Control+k')
      await page.getByRole('option').nth(1).waitFor()
      const recent = await page.getByRole('option').allInnerTexts()
      expect(recent.slice(0, 2).map((one) => one.split(/\s/)[0])).toEqual(['Groups', 'Users'])
    })
  },
  open,
)
