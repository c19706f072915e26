import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'groups',
  (story) => {
    story('a group has variables and runners, lets another in, and moves', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const [name, guests, above] = ['Foundry', 'Guests', 'Above'].map(
        (word) => `${word} ${visit.width}`,
      ) as [string, string, string]
      const make = (title: string) =>
        ask<{ id: number }>('POST /groups', { name: title, path: title.replace(' ', '-') })
      const group = await make(name)
      await make(guests)
      await make(above)
      const path = `/groups/Foundry-${visit.width}`
      await visit.signIn()
      await visit.open(path)
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('link', { name: 'CI/CD' }).click()
      await page.getByLabel('Key').fill('FURNACE')
      await page.getByLabel('Value').fill('hot')
      await page.getByRole('button', { name: 'Add variable' }).click()
      await page.locator('.list .mono', { hasText: 'FURNACE' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await ask(`GET /groups/${group.id}/variables/FURNACE`)).toMatchObject({ value: 'hot' })

      await page.getByRole('link', { name: 'Runners' }).click()
      await page.getByLabel('Description').fill('The big one')
      await page.getByRole('button', { name: 'Make runner' }).click()
      await page.getByText(/gitlab-runner register/).waitFor()
      await page.getByText('The big one').first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('combobox', { name: 'Group' }).fill('guests')
      await page.getByRole('option', { name: `Guests-${visit.width}` }).click()
      await page.getByRole('button', { name: 'Let group in' }).click()
      await page.getByRole('link', { name: guests }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const { shared_with_groups } = await ask<{ shared_with_groups: unknown[] }>(
        `GET /groups/${group.id}`,
      )
      expect(shared_with_groups).toMatchObject([{ group_name: guests, group_access_level: 30 }])

      await visit.open(`${path}/-/settings/general`)
      await page.getByRole('combobox', { name: 'To' }).fill('above')
      await page.getByRole('option', { name: `Above-${visit.width}` }).click()
      await page.getByRole('button', { name: 'Move elsewhere' }).click()
      await expect
        .poll(() => new URL(page.url()).pathname)
        .toBe(`/groups/Above-${visit.width}/Foundry-${visit.width}`)
    })

    story('people say who they are, and an administrator sees to accounts', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const login = `bo-${visit.width}`
      const password = 'a pass phrase of bo'
      const { id } = await ask<{ id: number }>('POST /users', {
        ...{ username: login, name: 'Bo', email: `${login}@foundry.test`, password },
        skip_confirmation: true,
      })
      await visit.signIn({ login, password })
      await visit.open('/-/profile')
      await page.getByLabel('Name', { exact: true }).fill('Bo Smith')
      await page.getByLabel('In a few words').fill('Keeps the fire.')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Saved').waitFor()
      await visit.checkAccess()
      await visit.open(`/${login}`)
      await page.getByText('Keeps the fire.').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Bo Smith' }).waitFor()

      await visit.signIn()
      await visit.open(`/admin/users/${login}`)
      await page.getByText(`${login}@foundry.test`).first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await page.getByRole('button', { name: 'Change Bo Smith' }).click()
      await page.getByRole('menuitem', { name: 'Block' }).click()
      await page.getByText('blocked', { exact: true }).waitFor()
      expect(await ask(`GET /users/${id}`)).toMatchObject({ state: 'blocked', name: 'Bo Smith' })
    })
  },
  open,
)
