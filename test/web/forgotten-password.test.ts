import { expect } from 'vitest'
import { tokenIn } from '../kit/emails.ts'
import { startMailingServer } from '../kit/mailing-server.ts'
import { stories } from './browser.ts'

let started: ReturnType<typeof startMailingServer> | undefined
function start() {
  started ??= startMailingServer()
  return started
}

stories(
  'forgotten-password',
  (story) => {
    story('who has forgotten theirs sets another by an email, by keys alone', async (visit) => {
      const { page } = visit
      const { server, mail } = await start()
      const username = `ada-${visit.width}`
      const email = `${username}@foundry.test`
      await server.ask('POST /users', {
        ...{ username, email, name: 'Ada', skip_confirmation: true },
        password: 'the one that is forgotten',
      })
      const tabTo = async (name: string) => {
        for (let presses = 0; presses < 30; presses++) {
          await page.keyboard.press('Tab')
          const text = await page.evaluate(() => {
            const { activeElement: now } = document
            return now instanceof HTMLInputElement ? now.labels?.[0]?.textContent : now?.textContent
          })
          if (text?.trim() === name) return
        }
        throw new Error(`Tab never came to ${name}.`)
      }
      await visit.open('/users/sign_in')
      await tabTo('Forgot your password?')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Reset password' }).waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      await tabTo('Email')
      await page.keyboard.type(email)
      await page.keyboard.press('Enter')
      await page.getByText('If an account has this email address').waitFor()
      await visit.checkAccess()
      const sent = () => mail.received.find(({ to }) => to.includes(email))
      await expect.poll(sent, { timeout: 10_000 }).toBeDefined()
      const token = tokenIn(sent())

      // The browser puts the cursor into the field when it first draws the page, which may be after it is loaded.
      const openLink = async () => {
        await page.goto(`/users/password/edit?reset_password_token=${token}`)
        await page.locator('input[type=password]:focus').waitFor()
      }
      const password = `never to be forgotten ${visit.width}`
      await openLink()
      await visit.checkAccess()
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your password was set' }).waitFor()
      await visit.checkAccess()
      await tabTo('sign in')
      await page.keyboard.press('Enter')
      await page.getByLabel('Username').and(page.locator(':focus')).waitFor()
      await page.keyboard.type(username)
      await page.keyboard.press('Tab')
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your projects' }).waitFor()
      // The link is good once.
      await openLink()
      await page.keyboard.type('another password of hers')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    })
  },
  async () => (await start()).server,
)
