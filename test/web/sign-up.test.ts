import { expect } from 'vitest'
import { tokenIn } from '../kit/emails.ts'
import { startMailingServer } from '../kit/mailing-server.ts'
import { stories } from './browser.ts'

let started: ReturnType<typeof startMailingServer> | undefined
function start() {
  started ??= startMailingServer({ BLOOMERY_CONFIRM_EMAILS: 'on' })
  return started
}

stories(
  'sign-up',
  (story) => {
    story('a newcomer makes an account, which is confirmed and approved', async (visit) => {
      const { page, width } = visit
      const { server, mail } = await start()
      const username = `ada-${width}`
      const email = `${username}@foundry.test`
      const password = `a long pass phrase ${width}`
      await visit.open('/users/sign_in')
      await visit.press(page.getByRole('link', { name: 'Create an account' }))
      await page.getByRole('heading', { name: 'Sign up' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.write(page.getByLabel('Full name'), '<b>Ada</b>')
      await visit.write(page.getByLabel('Username'), 'root')
      await visit.write(page.getByLabel('Email'), email)
      await visit.write(page.getByLabel('Password'), 'short')
      const submit = page.getByRole('button', { name: 'Create account' })
      await visit.press(submit)
      await page.getByText('Username has already been taken').waitFor()
      await visit.write(page.getByLabel('Username'), username)
      await visit.press(submit)
      await page.locator('.field-problem', { hasText: 'too short' }).waitFor()
      await visit.checkAccess()
      await visit.write(page.getByLabel('Password'), password)
      await visit.press(submit)
      await page.getByRole('heading', { name: 'Account created' }).waitFor()
      await page.getByText(`Open the link in the email to ${email}`).waitFor()
      await page.getByText('An administrator has to approve your account').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      const sent = () => mail.received.find(({ to }) => to.includes(email))
      await expect.poll(sent, { timeout: 10_000 }).toBeDefined()
      const confirmation = { confirmation_token: tokenIn(sent()) }
      await server.ask('POST /user/confirmation', confirmation)
      const [user] = await server.ask<{ id: number }[]>(`GET /users?username=${username}`)
      await server.ask(`POST /users/${user?.id}/approve`)

      await visit.press(page.getByRole('link', { name: 'Back to sign in' }))
      await visit.write(page.getByLabel('Username or email'), username)
      await visit.write(page.getByLabel('Password'), password)
      await visit.press(page.getByRole('button', { name: 'Sign in' }))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    })

    story('nobody is led to sign up where it is disabled', async (visit) => {
      const { page } = visit
      const { server } = await start()
      await server.ask('PUT /application/settings', { signup_enabled: false })
      await visit.open('/users/sign_in')
      await page.getByRole('link', { name: 'Explore public projects' }).waitFor()
      await visit.settle()
      expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
      await visit.open('/users/sign_up')
      await page.getByText('Sign-up is disabled on this server.').waitFor()
      await visit.checkAccess()
      await server.ask('PUT /application/settings', { signup_enabled: true })
    })
  },
  async () => (await start()).server,
)
