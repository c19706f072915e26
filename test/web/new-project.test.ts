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
    story('a group, then a project in it by keys alone, refused once', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      await visit.signIn()
      await visit.open('/groups/new')
      await visit.write(page.getByLabel('Name'), `Iron Works ${width}`)
      await visit.checkAccess()
      await visit.checkWidth()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/groups/iron-works-${width}`)
      await visit.open('/projects/new')
      await visit.write(page.getByLabel('Name'), 'Shop')
      const owner = page.getByRole('combobox', { name: 'Owned by' })
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
    })
  },
  open,
)
