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
      await page.getByText('An administrator must approve your account').waitFor()
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

    story('an administrator says who may sign up', async (visit) => {
      const { page } = visit
      const { server } = await start()
      await visit.signIn()
      await visit.open('/admin/settings')
      const form = page.getByRole('form', { name: 'Sign-up' })
      const save = form.getByRole('button', { name: 'Save changes' })
      expect(await form.getByLabel('Sign-up enabled').isChecked()).toBe(true)
      await visit.write(form.getByLabel('Allowed domains for sign-up'), 'foundry.test\n*.mine.test')
      await visit.press(form.getByLabel('Enable domain denylist for sign-up'))
      await visit.write(form.getByLabel('Denied domains for sign-up'), 'slag.test')
      await visit.write(form.getByLabel('Minimum password length for sign-up'), '20')
      await visit.press(form.getByLabel('Require admin approval for new sign-ups'))
      await visit.checkAccess()
      await visit.checkWidth()
      await visit.press(save)
      await page.getByText('Settings saved').waitFor()
      const settings = () => server.ask<Record<string, unknown>>('GET /application/settings')
      expect(await settings()).toMatchObject({
        signup_enabled: true,
        require_admin_approval_after_user_signup: false,
        domain_allowlist: ['foundry.test', '*.mine.test'],
        domain_denylist_enabled: true,
        domain_denylist: ['slag.test'],
        email_restrictions_enabled: false,
        email_restrictions: null,
        minimum_password_length: 20,
      })

      // The flag alone is saved with the list that the API wants beside it.
      const search = page.getByRole('searchbox', { name: 'Search settings' })
      await visit.write(search, 'domain_denylist_enabled')
      await form.getByLabel('Sign-up enabled').waitFor({ state: 'detached' })
      for (const domain_denylist_enabled of [false, true]) {
        await visit.press(form.getByLabel('Enable domain denylist for sign-up'))
        await visit.press(save)
        await expect
          .poll(settings)
          .toMatchObject({ domain_denylist_enabled, domain_denylist: ['slag.test'] })
      }

      await visit.context.clearCookies()
      await visit.open('/users/sign_up')
      await visit.write(page.getByLabel('Full name'), 'Ada')
      await visit.write(page.getByLabel('Username'), `kept-out-${visit.width}`)
      await visit.write(page.getByLabel('Email'), 'ada@elsewhere.test')
      await visit.write(page.getByLabel('Password'), 'a long pass phrase')
      await visit.press(page.getByRole('button', { name: 'Create account' }))
      await page.locator('.field-problem', { hasText: 'domain is not authorized' }).waitFor()
      await page.locator('.field-problem', { hasText: 'minimum is 20' }).waitFor()
      await server.ask('PUT /application/settings', {
        ...{ domain_allowlist: [], domain_denylist: [], domain_denylist_enabled: false },
        ...{ minimum_password_length: 8, require_admin_approval_after_user_signup: true },
      })
    })
  },
  async () => (await start()).server,
)
