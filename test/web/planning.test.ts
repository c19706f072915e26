import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

type Issue = { id: number; iid: number; title: string; state: string; labels: string[] }

/** A project in a group of its own. */
async function newProject(name: string) {
  const { ask } = await open()
  const path = name.toLowerCase().replaceAll(' ', '-')
  const group = await ask<{ id: number }>('POST /groups', { name, path })
  const project = await ask<{ id: number; path_with_namespace: string }>('POST /projects', {
    name: 'Shop',
    namespace_id: group.id,
  })
  return {
    group: { id: group.id, base: `/groups/${path}` },
    base: `/${project.path_with_namespace}`,
    ask: <T>(route: string, body?: object) => {
      const [method, rest = ''] = route.split(' ')
      return ask<T>(`${method} /projects/${project.id}${rest}`, body)
    },
  }
}

stories(
  'planning',
  (story) => {
    story('a label is made, changed, used as a filter, promoted and deleted', async (visit) => {
      const { page } = visit
      const project = await newProject(`Labels ${visit.width}`)
      await project.ask('POST /issues', { title: 'Anvil', labels: ['old'] })
      await project.ask('POST /issues', { title: 'Hammer' })
      await visit.signIn()
      await visit.open(`${project.base}/-/issues`)
      await visit.press(page.getByRole('link', { name: 'Labels', exact: true }))
      await visit.press(page.getByRole('link', { name: 'New label' }))
      await visit.write(page.getByLabel('Name', { exact: true }), 'needs heat')
      await visit.write(page.getByLabel('Description'), 'Into the fire first')
      await visit.press(page.getByRole('button', { name: 'Orange' }))
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Create label' }))
      await page.getByText('Into the fire first').waitFor()
      const labelOf = (name: string) =>
        project.ask<{ color: string; subscribed: boolean; is_project_label: boolean }>(
          `GET /labels/${encodeURIComponent(name)}`,
        )
      expect(await labelOf('needs heat')).toMatchObject({ color: '#e67e22', subscribed: false })

      await project.ask('PUT /issues/1', { add_labels: ['needs heat'] })
      await page.reload()
      await visit.press(page.getByRole('link', { name: '1 open issue with label needs heat' }))
      await page.getByRole('link', { name: 'Anvil' }).waitFor()
      expect(await page.getByRole('link', { name: 'Hammer' }).count()).toBe(0)

      await visit.press(page.getByRole('link', { name: 'Labels', exact: true }))
      await visit.press(page.getByRole('button', { name: 'Subscribe needs heat' }))
      await page.getByRole('button', { name: 'Unsubscribe needs heat' }).waitFor()
      expect(await labelOf('needs heat')).toMatchObject({ subscribed: true })

      const menu = page.getByRole('button', { name: 'Actions for label needs heat' })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Edit label' }))
      const form = page.getByRole('form', { name: 'Edit label needs heat' })
      await visit.write(form.getByLabel('Name'), 'hot')
      await visit.press(form.getByRole('button', { name: 'Save changes' }))
      await visit.press(page.getByRole('button', { name: 'Actions for label hot' }))
      await visit.press(page.getByRole('menuitem', { name: 'Promote to group label' }))
      await visit.press(page.getByRole('button', { name: 'Promote to group label' }))
      await page.getByText('Group label', { exact: true }).waitFor()
      expect(await labelOf('hot')).toMatchObject({ is_project_label: false })
      expect((await project.ask<Issue>('GET /issues/1')).labels).toEqual(['hot', 'old'])

      await visit.write(page.getByRole('searchbox', { name: 'Search labels' }), 'hot')
      await page.getByText('Actions for label old').waitFor({ state: 'detached' })
      await visit.open(`${project.group.base}/-/labels`)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Actions for label hot' }))
      await visit.press(page.getByRole('menuitem', { name: 'Delete label' }))
      await visit.press(page.getByRole('button', { name: 'Delete label' }))
      await page.getByText('No labels yet').waitFor()
      expect((await project.ask<Issue>('GET /issues/1')).labels).toEqual(['old'])
    })
  },
  open,
)
