import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'new-project',
  (story) => {
    story(
      'a group, then a project in it by keys alone, refused once; its first file, and a fork',
      async (visit) => {
        const { page, width } = visit
        const { ask } = await open()
        await visit.signIn()
        await visit.open('/groups/new')
        await visit.write(page.getByLabel('Name', { exact: true }), `Iron Works ${width}`)
        await visit.checkAccess()
        await visit.checkWidth()
        await page.keyboard.press('Enter')
        await page.waitForURL(`**/groups/iron-works-${width}`)
        await visit.open('/projects/new')
        await visit.write(page.getByLabel('Name', { exact: true }), 'Shop')
        const owner = page.getByRole('combobox', { name: 'Namespace' })
        await owner.focus()
        await page.keyboard.insertText(`iron-works-${width}`)
        await page.getByRole('option', { name: `iron-works-${width}` }).waitFor()
        await visit.checkAccess()
        await visit.checkWidth()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.getByText(`/iron-works-${width}/shop`).waitFor()
        await visit.press(page.getByLabel('Public'))
        await page.getByRole('button', { name: 'Create project' }).press('Enter')
        await page.getByRole('alert').waitFor()
        await visit.checkAccess()
        await visit.press(page.getByLabel('Private'))
        await page.getByRole('button', { name: 'Create project' }).press('Enter')
        await page.waitForURL(`**/iron-works-${width}/shop`)
        const made = await ask<{ visibility: string }>(
          `GET /projects/${encodeURIComponent(`iron-works-${width}/shop`)}`,
        )
        expect(made.visibility).toBe('private')
        await visit.press(page.getByRole('link', { name: 'Create file' }))
        await visit.write(page.getByLabel('File name'), 'README.md')
        await page.locator('.cm-content').waitFor()
        await visit.write(page.getByRole('textbox', { name: 'Contents of README.md' }), '# Shop')
        await visit.press(page.getByRole('button', { name: 'Commit changes' }))
        await page.waitForURL('**/-/blob/main/README.md')
        await visit.open(`/iron-works-${width}/shop`)
        await page.getByRole('heading', { name: 'Shop' }).nth(1).waitFor()
        await visit.press(page.getByRole('link', { name: 'Add file' }))
        await page.waitForURL('**/-/new/main')
        await page.locator('.cm-content').waitFor()
        await visit.write(page.getByLabel('File name'), 'more.md')
        await visit.write(page.getByRole('textbox', { name: 'Contents of more.md' }), '# More')
        const missing: string[] = []
        page.on('response', (answer) => {
          if (answer.status() === 404) missing.push(answer.url())
        })
        await visit.press(page.getByRole('button', { name: 'Commit changes' }))
        await page.getByRole('heading', { name: 'More', exact: true }).waitFor()
        expect(missing).toEqual([])
        await visit.open(`/iron-works-${width}/shop`)
        await visit.press(page.getByRole('link', { name: 'Fork', exact: true }))
        await visit.press(page.getByRole('button', { name: 'Fork project' }))
        await page.waitForURL('**/root/shop')
        await ask('DELETE /projects/root%2Fshop')
      },
    )
  },
  open,
)
