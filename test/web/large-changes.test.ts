import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { phone_px, stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const files = 250

/** A merge request that adds more files than one page of the list has. */
async function newRequest(name: string) {
  const { ask } = await open()
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
    name,
    initialize_with_readme: true,
  })
  const at = `/projects/${project.id}`
  await ask(`POST ${at}/repository/commits`, {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'Add files',
    actions: Array.from({ length: files }, (_, file) => ({
      action: 'create',
      file_path: `f${1_000 + file}.txt`,
      content: Array.from({ length: 90 }, (_line, line) => `${line} of ${file}\n`).join(''),
    })),
  })
  const request = { title: 'Many files', source_branch: 'topic', target_branch: 'main' }
  await ask(`POST ${at}/merge_requests`, request)
  return {
    own: `${at}/merge_requests/1`,
    url: `/${project.path_with_namespace}/-/merge_requests/1`,
  }
}

stories(
  'large changes',
  (story) => {
    story(
      'all files come by themselves, and the last one is viewed and noted on',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        const { own, url } = await newRequest(`Large ${visit.width}`)
        await visit.signIn()
        await visit.open(`${url}/diffs`)
        await expect.poll(() => page.locator('.diff-file').count(), { timeout: 60_000 }).toBe(files)
        expect(await page.getByRole('button', { name: /more files/ }).count()).toBe(0)
        const last = page.locator('.diff-file').last()
        await last.scrollIntoViewIfNeeded()
        const line = last.locator('tr[data-new="7"]')
        await line.waitFor()
        await visit.checkWidth()
        await line.locator('th').last().click()
        const note = last.getByRole('region', { name: /Comment on/ })
        await note.getByRole('textbox').fill('Is this the last one?')
        await note.getByRole('button', { name: 'Add comment', exact: false }).first().click()
        await last.locator('.note-body', { hasText: 'Is this the last one?' }).waitFor()
        const box = last.getByRole('checkbox')
        await box.click()
        await last.locator('.diff-body').waitFor({ state: 'hidden' })
        await expect
          .poll(() => ask<{ path: string }[]>(`GET ${own}/viewed_files`))
          .toMatchObject([{ path: `f${1_000 + files - 1}.txt` }])
        expect(await page.locator('.diff-file').count()).toBe(files)
        if (visit.width === phone_px) return
        // The files between are like these, and axe takes minutes for 20,000 lines.
        await page.locator('.diff-file').evaluateAll((all) => {
          for (const file of all.slice(2, -2)) file.remove()
        })
        expect(await page.locator('.diff-file').count()).toBe(4)
        await visit.checkAccess()
      },
    )
  },
  open,
)
