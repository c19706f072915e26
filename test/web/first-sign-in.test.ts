import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { newKeyPair } from '../kit/ssh-key.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'first-sign-in',
  (story) => {
    story('a newcomer signs in with the password of root and adds a key', async (visit) => {
      const { page } = visit
      await visit.open('/')
      await visit.checkAccess()
      await page.getByRole('link', { name: 'Sign in' }).first().click()
      await page.getByLabel('User name').fill('root')
      await page.getByLabel('Password', { exact: true }).fill('not the one')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await visit.checkAccess()
      await page.getByLabel('Password', { exact: true }).fill('a long pass phrase of root')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your projects' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.open('/-/profile/keys')
      const key = newKeyPair().public
      await page.getByLabel('Public key').fill(key)
      await page.getByLabel('Title').fill(`laptop ${visit.width}`)
      await page.getByRole('button', { name: 'Add key' }).click()
      await page
        .getByRole('strong')
        .filter({ hasText: `laptop ${visit.width}` })
        .waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const { ask } = await open()
      const keys = await ask<{ title: string; key: string }[]>('GET /user/keys')
      expect(keys.map(({ title }) => title)).toContain(`laptop ${visit.width}`)
    })
  },
  open,
)
