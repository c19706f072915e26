import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'
import { newClone } from './repositories.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'writing',
  (story) => {
    story('a project is made in three clicks, and says the four lines of git', async (visit) => {
      const { page } = visit
      await visit.signIn()
      await visit.open('/')
      await visit.press(page.getByRole('link', { name: 'New project' }).first())
      await visit.write(page.getByLabel('Name', { exact: true }), `Made here ${visit.width}`)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Create project' }))
      await page.getByText('This repository is empty').waitFor()
      await page
        .getByText(/git push/)
        .first()
        .waitFor()
      expect(new URL(page.url()).pathname).toBe(`/root/made-here-${visit.width}`)
      // What is there is asked for once, whatever it was answered.
      await page.waitForLoadState('networkidle')
      // The stream of changes begins with the present versions, after which a page reads once more.
      await page.waitForTimeout(3_000)
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/')) asked.push(request.url())
      })
      await page.waitForTimeout(1_000)
      expect(asked).toEqual([])
    })

    story(
      'a branch is protected in a sentence, a commit carried over after a trial',
      async (visit) => {
        const { page } = visit
        await visit.signIn()
        const clone = await newClone(await open(), `Protect ${visit.width}`)
        await clone.commit('Begin', { 'a.txt': 'one\n' })
        await clone.git('checkout', '-q', '-b', 'release/1')
        await clone.git('checkout', '-q', '-b', 'topic')
        await clone.commit('Add b', { 'b.txt': 'b\n' })
        await clone.push('main', 'release/1', 'topic')
        await visit.open(`${clone.path}/-/settings/repository`)
        const part = page.locator('#protected-branches')
        await part.getByText('Maintainers can push').first().waitFor()
        await visit.write(part.getByRole('combobox', { name: 'Branch or wildcard' }), 'release/*')
        await part.getByRole('status').getByText('matches 1 branch').waitFor()
        await visit.press(part.getByRole('button', { name: 'Protect branch', exact: true }))
        await part.getByText('release/*', { exact: true }).first().waitFor()
        await part.getByRole('listitem').getByText('matches 1 branch').waitFor()
        await visit.press(part.getByRole('button', { name: 'Edit branch release/*' }))
        const dialog = page.getByRole('dialog', { name: 'Edit protection of release/*' })
        await dialog.getByLabel('Allowed to push').selectOption('Developers + Maintainers')
        await visit.press(dialog.getByLabel('Allow force push'))
        await visit.checkAccess()
        await visit.press(dialog.getByRole('button', { name: 'Save changes' }))
        await part
          .getByText(
            'Developers + Maintainers can push. Maintainers can merge. Force push is allowed.',
          )
          .waitFor()
        await visit.write(part.getByLabel('Test a branch name'), 'release/2')
        await part.getByText(/^release\/2: /).waitFor()
        await visit.checkAccess()
        await visit.checkWidth()

        const head = await clone.git('rev-parse', 'topic')
        await visit.open(`${clone.path}/-/commit/${head}`)
        await visit.press(page.getByRole('button', { name: 'Options' }))
        await visit.press(page.getByRole('menuitem', { name: 'Cherry-pick commit' }))
        await visit.press(page.getByRole('button', { name: 'Check for conflicts' }))
        await page.getByText('No conflicts with main').waitFor()
        await visit.checkAccess()
        await visit.press(page.getByRole('button', { name: 'Commit to main' }))
        await expect.poll(() => new URL(page.url()).pathname).not.toContain(head)
        await clone.git('fetch', '-q', 'origin')
        expect(await clone.git('show', 'origin/main:b.txt')).toBe('b')
      },
    )
  },
  open,
)
