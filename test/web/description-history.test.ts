import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** An issue or a merge request of a project of its own, whose description was changed twice. */
async function newThing(kind: 'issues' | 'merge_requests', name: string) {
  const { ask } = await open()
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
    name,
    initialize_with_readme: true,
  })
  const at = `/projects/${project.id}`
  if (kind === 'merge_requests') {
    await ask(`POST ${at}/repository/commits`, {
      branch: 'topic',
      start_branch: 'main',
      commit_message: 'Heat the iron',
      actions: [{ action: 'create', file_path: 'iron', content: 'hot\n' }],
    })
  }
  await ask(`POST ${at}/${kind}`, {
    title: 'A thing',
    description: 'Strike while\nthe iron is cold.',
    ...(kind === 'merge_requests' ? { source_branch: 'topic', target_branch: 'main' } : {}),
  })
  const own = `${at}/${kind}/1`
  await ask(`PUT ${own}`, { description: 'Strike while\nthe iron is warm.' })
  await ask(`PUT ${own}`, { description: 'Strike while\nthe iron is hot.' })
  const notes = await ask<{ id: number }[]>(`GET ${own}/notes?sort=asc`)
  return {
    url: `/${project.path_with_namespace}/-/${kind}/1`,
    first: `${own}/notes/${notes[0]?.id}/description_version`,
  }
}

stories(
  'descriptions',
  (story) => {
    for (const kind of ['issues', 'merge_requests'] as const) {
      story(`changes of descriptions of ${kind} are compared and deleted`, async (visit) => {
        const { page } = visit
        const { ask } = await open()
        const { url, first } = await newThing(kind, `Past of ${kind} ${visit.width}`)
        await visit.signIn()
        await visit.open(url)
        const compare = page.getByRole('button', { name: 'Compare with previous version' })
        await expect.poll(() => compare.count()).toBe(2)
        await visit.press(compare.first())
        const change = page.getByRole('group', { name: 'Changes to the description' })
        await change.waitFor()
        const lines = () => page.locator('.line-diff-line').allTextContents()
        expect(await lines()).toEqual([' Strike while', '-the iron is cold.', '+the iron is warm.'])
        await visit.checkAccess()
        await visit.checkWidth()
        await visit.press(page.getByRole('button', { name: 'Delete this version' }))
        await visit.press(
          page.getByRole('dialog').getByRole('button', { name: 'Delete this version' }),
        )
        await page.getByText('This version is no longer available.').waitFor()
        await expect.poll(() => ask(`GET ${first}`).catch(String)).toContain('404')

        await visit.press(compare.last())
        await change.waitFor()
        expect(await lines()).toEqual([' Strike while', '-the iron is cold.', '+the iron is hot.'])
        await visit.press(compare.last())
        await change.waitFor({ state: 'detached' })
      })
    }
  },
  open,
)
