import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { newKeyPair } from '../kit/ssh-key.ts'
import { phone_px, stories } from './browser.ts'

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
      await visit.press(page.getByRole('link', { name: 'Sign in' }).first())
      // The second visitor is not the first to sign in.
      const hint = page.getByText('First time here?')
      if (visit.width === phone_px) await hint.waitFor()
      else {
        await visit.settle()
        expect(await hint.count()).toBe(0)
      }
      await visit.write(page.getByLabel('Username'), 'root')
      await visit.write(page.getByLabel('Password', { exact: true }), 'not the one')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText('Invalid username or password').waitFor()
      await visit.checkAccess()
      await visit.write(page.getByLabel('Password', { exact: true }), 'a long pass phrase of root')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your projects' }).waitFor()
      await page.getByText('Pages you open appear here.').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.open('/-/profile/keys')
      const key = newKeyPair().public
      await visit.write(page.getByLabel('Public key'), key)
      await visit.write(page.getByLabel('Title'), `laptop ${visit.width}`)
      await visit.press(page.getByRole('button', { name: 'Add key' }))
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

    story(
      'the next one at the same browser sees nothing of what was opened before',
      async (visit) => {
        const { page } = visit
        const { ask } = await open()
        const login = `next-${visit.width}`
        const password = 'a long pass phrase of the next'
        const email = `${login}@x.test`
        await ask('POST /users', {
          username: login,
          name: login,
          email,
          password,
          skip_confirmation: true,
        })
        await visit.signIn()
        await visit.open('/admin/users')
        await visit.open('/')
        await page.getByRole('main').getByRole('link', { name: 'Users', exact: true }).waitFor()
        await visit.signIn({ login, password })
        await visit.open('/')
        await page.getByText('Pages you open appear here.').waitFor()
      },
    )
  },
  open,
)
