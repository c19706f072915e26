import { expect } from 'vitest'
import { newFolder, WorkingCopy } from '../kit/git.ts'
import { type Server, startServer } from '../kit/server.ts'
import { stories, type Visit } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

type Project = { id: number; path_with_namespace: string }

/** A project with a README, of its own for each width. */
async function newProject(name: string, { width }: Visit): Promise<Project> {
  const { ask } = await open()
  return ask<Project>('POST /projects', { name: `${name}-${width}`, initialize_with_readme: true })
}

/** The editor has taken the place of the plain field, with the text in it. */
async function writeInEditor({ page, enter }: Visit, text: string): Promise<void> {
  await enter(page.locator('.code-field-host .cm-content'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

/** Clones it, and answers what git says there. */
async function pull({ path_with_namespace }: Project): Promise<WorkingCopy> {
  const { url, root } = await open()
  const remote = new URL(`/${path_with_namespace}.git`, url)
  remote.username = root.login
  remote.password = root.token
  const copy = new WorkingCopy(newFolder())
  await copy.must(['clone', '--quiet', remote.href, '.'])
  return copy
}

/** Ends it on the server alone: the browser still has its cookie. */
async function endSession({ context }: Visit): Promise<void> {
  const session = await context.request.get('/api/v4/session')
  const { csrf_token } = (await session.json()) as { csrf_token: string }
  const { cookies } = await context.storageState()
  await context.request.delete('/api/v4/session', { headers: { 'x-csrf-token': csrf_token } })
  await context.addCookies(cookies)
}

stories(
  'edit-in-browser-then-pull',
  (story) => {
    story('one commits a file from the browser, then several, and git has them', async (visit) => {
      const { page } = visit
      const project = await newProject('edited', visit)
      const base = `/${project.path_with_namespace}`
      await visit.signIn()
      await visit.open(`${base}/-/edit/main/README.md`)
      await writeInEditor(visit, '# Carts\n\nThey hold **lines**.\n')
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Preview' }))
      await page.locator('.edit-preview strong', { hasText: 'lines' }).waitFor()
      await visit.press(page.getByRole('button', { name: 'Changes', exact: true }))
      await page.locator('.line-diff-added', { hasText: 'They hold' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      await page.getByText('Changes committed to main').waitFor()

      await visit.open(`${base}/-/new/main/src`)
      await visit.write(page.getByLabel('File name'), 'src/carts.ts')
      await writeInEditor(visit, 'export const carts = []\n')
      await visit.press(page.getByRole('button', { name: 'Add another file' }))
      await visit.write(page.getByLabel('File name'), 'LICENSE')
      await writeInEditor(visit, 'As you like.\n')
      await page.getByLabel('Upload files').setInputFiles({
        name: 'mark.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from([0, 255, 1]),
      })
      await page.getByRole('button', { name: 'mark.bin' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.write(page.getByLabel('Target branch'), 'carts')
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      await page.getByText('Changes committed to carts').waitFor()

      const copy = await pull(project)
      expect(await copy.must(['show', 'main:README.md'])).toBe('# Carts\n\nThey hold **lines**.')
      expect(await copy.must(['log', '-1', '--format=%s', 'origin/carts'])).toBe('Update 3 files')
      const named = await copy.must(['ls-tree', '-r', '--name-only', 'origin/carts'])
      expect(named.split('\n')).toEqual(['LICENSE', 'README.md', 'mark.bin', 'src/carts.ts'])
      expect(await copy.must(['cat-file', '-s', 'origin/carts:mark.bin'])).toBe('3')
    })

    story('a file that moved on meanwhile shows both versions', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const project = await newProject('contested', visit)
      await visit.signIn()
      await visit.open(`/${project.path_with_namespace}/-/edit/main/README.md`)
      await writeInEditor(visit, 'mine\n')
      await ask(`PUT /projects/${project.id}/repository/files/README.md`, {
        branch: 'main',
        content: 'theirs\n',
        commit_message: 'Theirs',
      })
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      await page.getByText('Someone else changed this file').waitFor()
      await page.locator('.line-diff-removed', { hasText: 'theirs' }).waitFor()
      await page.locator('.line-diff-added', { hasText: 'mine' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await page.reload()
      await page
        .getByText('Your uncommitted changes from an earlier visit were restored.')
        .waitFor()
      await page.locator('.cm-line', { hasText: 'mine' }).waitFor()
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      await visit.press(page.getByRole('button', { name: 'Use my version' }))
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      await page.getByText('Changes committed to main').waitFor()
      expect(await (await pull(project)).must(['show', 'main:README.md'])).toBe('mine')
    })

    story('a session that ends under the editor loses nothing', async (visit) => {
      const { page } = visit
      const { root } = await open()
      const project = await newProject('expired', visit)
      await visit.signIn()
      await visit.open(`/${project.path_with_namespace}/-/edit/main/README.md`)
      await writeInEditor(visit, 'typed for an hour\n')
      await endSession(visit)
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      await page.getByRole('dialog').getByLabel('Username').waitFor()
      await visit.checkAccess()
      await visit.write(page.getByRole('dialog').getByLabel('Username'), root.login)
      await visit.write(
        page.getByRole('dialog').getByLabel('Password', { exact: true }),
        root.password,
      )
      await page.keyboard.press('Enter')
      await page.getByText('Changes committed to main').waitFor()
      const text = await (await pull(project)).must(['show', 'main:README.md'])
      expect(text).toBe('typed for an hour')

      // To read on is to be asked as well, and leads where one was going.
      await endSession(visit)
      await visit.press(page.getByRole('link', { name: 'Branches' }))
      await visit.write(page.getByRole('dialog').getByLabel('Username'), root.login)
      await visit.write(
        page.getByRole('dialog').getByLabel('Password', { exact: true }),
        root.password,
      )
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Branches' }).waitFor()
    })

    story('nothing is committed for somebody else who has signed in meanwhile', async (visit) => {
      const { page, context, width } = visit
      const project = await newProject('shared-browser', visit)
      const { ask } = await open()
      const username = `second${width}`
      const password = 'a password of some length'
      const { id } = await ask<{ id: number }>('POST /users', {
        ...{ username, name: 'Second Person', email: `${username}@bloomery.test`, password },
        skip_confirmation: true,
      })
      await ask(`POST /projects/${project.id}/members`, { user_id: id, access_level: 40 })
      await visit.signIn()
      await visit.open(`/${project.path_with_namespace}/-/edit/main/README.md`)
      await writeInEditor(visit, 'by the first one')
      // As on another page of the same browser.
      const signedIn = await context.request.post('/api/v4/session', {
        data: { login: username, password },
      })
      expect(signedIn.status()).toBe(201)
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      const note = 'You are now signed in as Second Person in this browser. Nothing was changed'
      await page.getByText(note).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const before = await (await pull(project)).must(['show', 'main:README.md'])
      expect(before).not.toContain('by the first one')
      // Whoever wants it as that person says so.
      await visit.press(page.getByRole('button', { name: 'Commit changes', exact: true }))
      await page.getByText('Changes committed to main').waitFor()
      const author = await (await pull(project)).must(['log', '-1', '--format=%an', 'main'])
      expect(author.trim()).toBe('Second Person')
    })
  },
  open,
)
