// CI/CD variables of a project, a group and the instance: added, edited, hidden, deleted.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories, type Visit } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

const evil = '<img src=x onerror=alert(1)>'

/** Adds a masked variable and a hidden one, edits both and deletes one; `path` is where the API has them. */
async function tendVariables(visit: Visit, path: string, hasScope: boolean): Promise<void> {
  const { page } = visit
  const { ask } = await open()
  await page.getByText('No variables yet').waitFor()
  await visit.checkAccess()
  const add = page.getByRole('button', { name: 'Add variable' })
  const dialog = page.getByRole('dialog')
  await visit.press(add)
  await visit.write(dialog.getByLabel('Key'), 'FURNACE')
  await visit.write(dialog.getByRole('textbox', { name: 'Value' }), 'hot')
  await visit.write(dialog.getByLabel('Description'), `Keep ${evil}`)
  expect(await dialog.getByLabel('Environment scope').count()).toBe(hasScope ? 1 : 0)
  await visit.press(dialog.getByRole('radio', { name: 'Masked', exact: false }).first())
  await visit.press(dialog.getByRole('checkbox', { name: /protected branches/ }))
  await visit.checkAccess()
  await visit.checkWidth()
  const submit = dialog.getByRole('button', { name: 'Add variable' })
  await visit.press(submit)
  // Too short to be masked: what was typed stays.
  await dialog.locator('.field-problem', { hasText: 'is invalid' }).waitFor()
  await visit.write(dialog.getByRole('textbox', { name: 'Value' }), 'hot-enough-now')
  await visit.press(submit)
  await page.getByText('Variable FURNACE added').waitFor()
  const rowOf = (key: string) => page.getByRole('listitem').filter({ hasText: key })
  await rowOf('FURNACE').getByText('masked', { exact: true }).waitFor()
  await rowOf('FURNACE').getByText('protected', { exact: true }).waitFor()
  await rowOf('FURNACE').getByText(`Keep ${evil}`).waitFor()
  const known = (key: string) => ask<Record<string, unknown>>(`GET ${path}/${key}`)
  expect(await known('FURNACE')).toMatchObject({
    ...{ value: 'hot-enough-now', masked: true, protected: true, raw: false },
  })

  await visit.press(add)
  await visit.write(dialog.getByLabel('Key'), 'SECRET')
  await visit.write(dialog.getByRole('textbox', { name: 'Value' }), 'nobody-reads-it')
  await visit.press(dialog.getByRole('radio', { name: /^Masked and hidden/ }))
  await visit.press(submit)
  await rowOf('SECRET').getByText('hidden', { exact: true }).waitFor()
  await visit.checkAccess()
  await visit.checkWidth()

  const edit = async (key: string) => {
    await visit.press(page.getByRole('button', { name: `Actions for ${key}` }))
    await visit.press(page.getByRole('menuitem', { name: 'Edit variable' }))
    await dialog.getByRole('heading', { name: `Edit variable ${key}` }).waitFor()
  }
  const save = dialog.getByRole('button', { name: 'Save changes' })
  await edit('SECRET')
  expect(await dialog.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('')
  await dialog.getByText('You cannot change the visibility of this variable.').waitFor()
  await visit.write(dialog.getByLabel('Description'), 'Still a secret')
  await visit.checkAccess()
  await visit.press(save)
  await rowOf('SECRET').getByText('Still a secret').waitFor()
  expect(await known('SECRET')).toMatchObject({ value: null, hidden: true, masked: true })

  await edit('FURNACE')
  expect(await dialog.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('hot-enough-now')
  await visit.write(dialog.getByRole('textbox', { name: 'Value' }), 'cold')
  await visit.press(dialog.getByRole('radio', { name: /^Visible/ }))
  await visit.press(dialog.getByRole('checkbox', { name: /protected branches/ }))
  await visit.press(save)
  await rowOf('FURNACE').getByText('masked', { exact: true }).waitFor({ state: 'detached' })
  expect(await known('FURNACE')).toMatchObject({ value: 'cold', masked: false, protected: false })

  await visit.press(page.getByRole('button', { name: 'Actions for FURNACE' }))
  await visit.press(page.getByRole('menuitem', { name: 'Delete variable' }))
  await visit.press(dialog.getByRole('button', { name: 'Delete variable' }))
  await rowOf('FURNACE').waitFor({ state: 'detached' })
  const left = await ask<{ key: string }[]>(`GET ${path}`)
  expect(left.map(({ key }) => key)).toEqual(['SECRET'])
}

const password = 'a pass phrase of hers'
async function newUser(username: string): Promise<number> {
  const { ask } = await open()
  const { id } = await ask<{ id: number }>('POST /users', {
    ...{ username, name: username, email: `${username}@foundry.test`, password },
    skip_confirmation: true,
  })
  return id
}

stories(
  'variables',
  (story) => {
    story('a group has variables for all its projects', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const path = `forge-${width}`
      const { id } = await ask<{ id: number }>('POST /groups', { name: path, path })
      await visit.signIn()
      await visit.open(`/groups/${path}/-/settings/ci_cd`)
      await tendVariables(visit, `/groups/${id}/variables`, true)
      // Who may not manage them has no such page.
      const login = `maintainer-${width}`
      const user_id = await newUser(login)
      await ask(`POST /groups/${id}/members`, { user_id, access_level: 40 })
      await visit.signIn({ login, password })
      await visit.open(`/groups/${path}/-/settings/ci_cd`)
      await page.getByText('Page not found').waitFor()
    })

    story('a project has variables by environment', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      const path = `anvil-${width}`
      const { id } = await ask<{ id: number }>('POST /projects', { name: path, path })
      await ask(`POST /projects/${id}/variables`, {
        ...{ key: 'URL', value: 'one', environment_scope: 'production' },
      })
      await ask(`POST /projects/${id}/variables`, {
        ...{ key: 'URL', value: 'two', environment_scope: 'review/*' },
      })
      await visit.signIn()
      await visit.open(`/root/${path}/-/settings/ci_cd`)
      await visit.press(page.getByRole('button', { name: 'Actions for URL in review/*' }))
      await visit.press(page.getByRole('menuitem', { name: 'Edit variable' }))
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('two')
      await visit.write(dialog.getByLabel('Environment scope'), 'staging')
      await visit.write(dialog.getByRole('textbox', { name: 'Value' }), 'three')
      await visit.press(dialog.getByRole('button', { name: 'Save changes' }))
      await page.getByRole('button', { name: 'Actions for URL in staging' }).waitFor()
      const list = await ask<{ value: string; environment_scope: string }[]>(
        `GET /projects/${id}/variables`,
      )
      expect(list.map((one) => [one.environment_scope, one.value]).sort()).toEqual([
        ['production', 'one'],
        ['staging', 'three'],
      ])
      await visit.checkAccess()
      await visit.checkWidth()
    })

    story('the instance has variables for all projects', async (visit) => {
      const { page, width } = visit
      const { ask } = await open()
      for (const { key } of await ask<{ key: string }[]>('GET /admin/ci/variables'))
        await ask(`DELETE /admin/ci/variables/${key}`)
      await visit.signIn()
      await visit.open('/admin/ci_cd')
      await tendVariables(visit, '/admin/ci/variables', false)
      await visit.open('/admin/application_settings/ci_cd')
      await page.waitForURL('**/admin/ci_cd')
      const login = `nobody-${width}`
      await newUser(login)
      await visit.signIn({ login, password })
      await visit.open('/admin/ci_cd')
      await page.getByText('Page not found').waitFor()
    })
  },
  open,
)
