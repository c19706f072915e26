import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

stories(
  'two-factor',
  (story) => {
    story('one turns it on, and signs in by a code', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      const login = `user-${visit.width}`
      const password = 'a long pass phrase of mine'
      const email = `${login}@mail.example`
      await ask('POST /users', {
        username: login,
        name: 'U',
        email,
        password,
        skip_confirmation: true,
      })
      await visit.signIn({ login, password })
      await visit.open('/-/profile/two_factor_auth')
      await visit.write(page.getByLabel('Current password'), password)
      await visit.press(page.getByRole('button', { name: 'Set up two-factor authentication' }))
      const secret = (await page.locator('.copy-line-text').first().innerText()).trim()
      const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
      const first = code()
      await visit.write(page.getByLabel('Verification code', { exact: true }), first)
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(page.getByRole('button', { name: 'Enable two-factor authentication' }))
      await page.getByRole('heading', { name: 'Recovery codes', exact: true }).waitFor()
      const recovery = (await page.locator('.copy-line-text').first().innerText()).trim()
      await visit.checkAccess()

      await visit.press(page.getByRole('button', { name: 'Account menu of U' }))
      await visit.press(page.getByRole('menuitem', { name: 'Sign out' }))
      await visit.write(page.getByLabel('Username'), login)
      await visit.write(page.getByLabel('Password', { exact: true }), password)
      await page.keyboard.press('Enter')
      await visit.write(page.getByLabel('Verification code or recovery code'), '000000')
      await visit.checkAccess()
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await visit.write(
        page.getByLabel('Verification code or recovery code'),
        recovery.split(/\s+/)[0] ?? '',
      )
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your projects' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    })
  },
  open,
)
