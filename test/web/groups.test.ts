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
      await visit.press(page.getByRole('link', { name: 'New subgroup' }))
      await visit.write(page.getByLabel('Name'), 'Within')
      await visit.press(page.getByRole('button', { name: 'Create group' }))
      await page.waitForURL(`**${path}/within`)
      await visit.open(path)
      await page.getByRole('link', { name: 'Within' }).waitFor()
      await visit.press(page.getByRole('link', { name: 'Settings' }))
      await visit.press(page.getByRole('link', { name: 'CI/CD' }))
      await visit.press(page.getByRole('button', { name: 'Add variable' }))
      const dialog = page.getByRole('dialog')
      await visit.write(dialog.getByLabel('Key'), 'FURNACE')
      await visit.write(dialog.getByRole('textbox', { name: 'Value' }), 'hot')
      await visit.press(dialog.getByRole('button', { name: 'Add variable' }))
      await page.locator('.list .mono', { hasText: 'FURNACE' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await expect
        .poll(() => ask(`GET /groups/${group.id}/variables/FURNACE`))
        .toMatchObject({ value: 'hot' })

      await visit.press(page.getByRole('link', { name: 'Runners' }))
      await visit.write(page.getByLabel('Description'), 'The big one')
      await visit.press(page.getByRole('button', { name: 'Create runner' }))
      await page.getByText(/gitlab-runner register/).waitFor()
      await page.getByText('The big one').first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      await visit.press(page.getByRole('link', { name: 'Members' }))
      await visit.write(page.getByRole('combobox', { name: 'Group' }), 'guests')
      await visit.press(page.getByRole('option', { name: `Guests-${visit.width}` }))
      await visit.press(page.getByRole('button', { name: 'Invite group' }))
      await page.getByRole('link', { name: guests }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const { shared_with_groups } = await ask<{ shared_with_groups: unknown[] }>(
        `GET /groups/${group.id}`,
      )
      expect(shared_with_groups).toMatchObject([{ group_name: guests, group_access_level: 30 }])

      await visit.open(`${path}/-/settings/general`)
      await visit.write(page.getByRole('combobox', { name: 'New parent group' }), 'above')
      await visit.press(page.getByRole('option', { name: `Above-${visit.width}` }))
      await visit.press(page.getByRole('button', { name: 'Transfer group' }))
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
      await visit.write(page.getByLabel('Full name', { exact: true }), 'Bo Smith')
      await visit.write(page.getByLabel('Bio'), 'Keeps the fire.')
      await visit.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Changes saved').waitFor()
      await visit.checkAccess()
      await visit.open(`/${login}`)
      await page.getByText('Keeps the fire.').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Bo Smith' }).waitFor()

      await visit.signIn()
      await visit.open(`/admin/users/${login}`)
      await page.getByText(`${login}@foundry.test`).first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Actions for Bo Smith' }))
      await visit.press(page.getByRole('menuitem', { name: 'Block user' }))
      await page.getByText('blocked', { exact: true }).waitFor()
      await expect
        .poll(() => ask(`GET /users/${id}`))
        .toMatchObject({ state: 'blocked', name: 'Bo Smith' })
      await page.getByText('today', { exact: true }).waitFor()

      // The form for a new account has an address of its own, which does not outlive it.
      const form = page.getByRole('dialog', { name: 'New user' })
      await visit.open(`/admin/users?search=${login}&new=true&email=cy%40foundry.test`)
      await form.waitFor()
      expect(await form.getByLabel('Email').inputValue()).toBe('cy@foundry.test')
      await page.keyboard.press('Escape')
      await form.waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).search).toBe(`?search=${login}`)
      await page.reload()
      await page.getByText(`${login}@foundry.test`).waitFor()
      expect(await form.count()).toBe(0)
      await visit.press(page.getByRole('button', { name: 'New user' }))
      await form.waitFor()
      await visit.write(form.getByLabel('Name', { exact: true }), 'Cy')
      await visit.write(form.getByLabel('Username'), `cy-${visit.width}`)
      await visit.write(form.getByLabel('Email'), `cy-${visit.width}@foundry.test`)
      await visit.press(form.getByRole('button', { name: 'Create user' }))
      await form.waitFor({ state: 'detached' })
      await expect.poll(() => new URL(page.url()).search).toBe(`?search=${login}`)

      // When somebody was there last is known to the day.
      await page.getByText('Last activity today', { exact: true }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const today = new Date().toISOString().slice(0, 10)
      const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
      await page.clock.setFixedTime(Date.now() + 3 * 24 * 60 * 60_000)
      await page.reload()
      await page.getByText(`Last activity ${format.format(new Date(today))}`).waitFor()
    })
  },
  open,
)
