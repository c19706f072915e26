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
      const picture = page.getByRole('img', { name: 'QR code for your authenticator app' })
      await picture.waitFor()
      const dark = await picture.locator('path').getAttribute('d')
      // Its upper left begins with the seven dark modules of a finder pattern, four modules from the edge.
      expect(dark).toMatch(/^M4 4h7v1h-7z/)
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

    story('a new token is suggested to read alone, and to end', async (visit) => {
      const { page } = visit
      const { ask } = await open()
      await visit.signIn()
      await visit.open('/-/profile/personal_access_tokens')
      const scopes = page.getByRole('checkbox')
      expect(await scopes.first().getAttribute('value')).toBe('read_user')
      expect(
        await page
          .locator('input[name=scopes]:checked')
          .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
      ).toEqual(['read_api'])
      const name = `reader ${visit.width}`
      await visit.write(page.getByLabel('Token name'), name)
      await visit.press(page.getByRole('button', { name: 'Create token' }))
      await page.getByRole('heading', { name: 'Your new token' }).waitFor()
      const made = await ask<{ name: string; scopes: string[]; expires_at: string }[]>(
        'GET /personal_access_tokens?state=active',
      )
      const token = made.find((one) => one.name === name)
      expect(token?.scopes).toEqual(['read_api'])
      const days = (Date.parse(token?.expires_at ?? '') - Date.now()) / 86_400_000
      expect(Math.round(days)).toBeGreaterThanOrEqual(29)
      expect(Math.round(days)).toBeLessThanOrEqual(31)
    })
  },
  open,
)
