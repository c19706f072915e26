import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const branches = ['feature/deep/carts', 'odd#100%@+é']
const file = 'docs/a b#c?.md'

stories(
  'slash-branch-addresses',
  (story) => {
    story('branches and files of any name have addresses that hold', async (visit) => {
      const { page } = visit
      const clone = await newClone(await open(), `Slash ${visit.width}`)
      await clone.commit('Begin', { 'a.txt': 'on main\n' })
      await clone.push('main')
      for (const branch of branches) {
        await clone.git('checkout', '-q', '-b', branch, 'main')
        await clone.commit(`Work on ${branch}`, { [file]: `# On ${branch}\n` })
        await clone.push(branch)
      }
      for (const branch of branches) {
        await visit.open(`${clone.path}/-/branches`)
        await visit.press(page.getByRole('link', { name: branch, exact: true }))
        await visit.press(page.getByRole('link', { name: 'docs folder' }))
        await visit.press(page.getByRole('link', { name: 'a b#c?.md' }))
        await page.getByRole('heading', { name: `On ${branch}` }).waitFor()
        await page.reload()
        await page.getByRole('heading', { name: `On ${branch}` }).waitFor()
        await visit.checkWidth()
        await visit.checkAccess()
        await page.keyboard.press('h')
        await page
          .getByRole('link', { name: `Work on ${branch}` })
          .first()
          .waitFor()
        await page.goBack()
        await page.getByRole('heading', { name: `On ${branch}` }).waitFor()
        await page.keyboard.press('r')
        await visit.write(page.getByRole('combobox', { name: 'Branch, tag or commit' }), 'main')
        await page.getByRole('option', { name: /^main/ }).waitFor()
        await page.keyboard.press('Enter')
        // The file is not there on that branch, and the page says so.
        await page.getByRole('heading', { name: /^docs\/.* not found$/ }).waitFor()
        expect(new URL(page.url()).pathname).toContain('/-/blob/main/docs/')
      }
      await visit.open(`${clone.path}/-/compare/main...${branches[0]}`)
      await page.locator('.diff-added').first().waitFor()
    })
  },
  open,
)
