// Programs that act for a user: allowed on the page that they lead to, listed in the user's settings, and revoked there.
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { stories } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** Shows the code on a page. */
const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'
const evil = '<img src=x onerror=alert(1)>'

stories(
  'authorized applications',
  (story) => {
    story('an application is allowed, listed with what it may do, and revoked', async (visit) => {
      const { page, width } = visit
      const { ask, url } = await open()
      const name = `Reader ${width} ${evil}`
      const { application_id, secret } = await ask<{ application_id: string; secret: string }>(
        'POST /applications',
        { name, redirect_uri: outOfBand, scopes: 'read_api openid api' },
      )
      await visit.signIn()
      await visit.open('/-/profile/applications')
      await page.getByText('No authorized applications').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()

      const asked = { client_id: application_id, redirect_uri: outOfBand, response_type: 'code' }
      const query = new URLSearchParams({ ...asked, scope: 'read_api openid' })
      await page.goto(`/oauth/authorize?${query}`)
      await page.getByRole('button', { name: /^(?:Allow|Authorize)/ }).click()
      await page.getByText('Copy this code').waitFor()
      const code = (await page.locator('code').last().innerText()).trim()
      const exchanged = await fetch(`${url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          ...{ grant_type: 'authorization_code', code, redirect_uri: outOfBand },
          ...{ client_id: application_id, client_secret: secret },
        }),
      })
      const { access_token } = (await exchanged.json()) as { access_token: string }
      const asApplication = () =>
        fetch(`${url}/api/v4/user`, { headers: { authorization: `Bearer ${access_token}` } })
      expect((await asApplication()).status).toBe(200)

      await visit.open('/-/user_settings/applications')
      const row = page.getByRole('list', { name: 'Authorized applications' }).getByRole('listitem')
      await row.getByText(name).first().waitFor()
      await row.getByText('Read access to the API').waitFor()
      await row.getByText('Sign you in with OpenID Connect').waitFor()
      expect(await row.getByText('Read and write access to the API').count()).toBe(0)
      await row.getByText('Last authorized').waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await visit.findMisplaced()).toEqual([])

      await visit.press(row.getByRole('button', { name: `Revoke ${name}` }))
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('heading', { name: `Revoke the authorization of ${name}?` }).waitFor()
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Revoke authorization' }))
      await page.getByText('No authorized applications').waitFor()
      expect((await asApplication()).status).toBe(401)
    })

    story('an application of one’s own is registered, changed and deleted', async (visit) => {
      const { page, width } = visit
      const { ask, url } = await open()
      const username = `registrar${width}`
      const password = 'a password of some length'
      await ask('POST /users', {
        ...{ username, name: username, email: `${username}@bloomery.test`, password },
        skip_confirmation: true,
      })
      await visit.signIn({ login: username, password })
      await visit.open('/-/profile/applications')
      await page.getByText('No applications yet').waitFor()
      const name = `Reader ${width} ${evil}`
      await visit.press(page.getByRole('button', { name: 'New application' }))
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Redirect URIs').fill('javascript:alert(1)')
      await dialog.getByLabel('Read access to the API').check()
      await visit.checkAccess()
      await visit.press(dialog.getByRole('button', { name: 'Register application' }))
      await dialog.getByText('is forbidden by the server.').first().waitFor()
      await dialog.getByLabel('Redirect URIs').fill(outOfBand)
      await visit.press(dialog.getByRole('button', { name: 'Register application' }))
      await dialog.getByText('Copy the secret now. You cannot see it again.').waitFor()
      await visit.checkAccess()
      const [client_id = '', client_secret = ''] = await dialog.locator('pre').allInnerTexts()
      const secretIsTaken = async (secret: string) => {
        const body = new URLSearchParams({
          ...{ grant_type: 'client_credentials', client_id, client_secret: secret },
        })
        return (await fetch(`${url}/oauth/token`, { method: 'POST', body })).status === 200
      }
      expect(await secretIsTaken(client_secret)).toBe(true)
      await page.keyboard.press('Escape')

      const row = page.getByRole('list', { name: 'Your applications' }).getByRole('listitem')
      await row.getByText(name).first().waitFor()
      await visit.checkAccess()
      await visit.checkWidth()
      expect(await visit.findMisplaced()).toEqual([])
      const choose = async (item: string) => {
        await visit.press(row.getByRole('button', { name: `Actions for application ${name}` }))
        await visit.press(page.getByRole('menuitem', { name: item }))
      }
      await choose('Edit')
      await dialog.getByRole('heading', { name: `Edit ${name}` }).waitFor()
      expect(await dialog.getByLabel('Read access to the API').isChecked()).toBe(true)
      expect(await dialog.getByLabel('Read and write access to the API').isChecked()).toBe(false)
      await dialog.getByLabel('Name').fill('Writer')
      await dialog.getByLabel('Confidential').uncheck()
      await visit.press(dialog.getByRole('button', { name: 'Save changes' }))
      await row.getByText('Writer').waitFor()
      await row.getByText('public client').waitFor()

      const menu = row.getByRole('button', { name: 'Actions for application Writer' })
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Renew secret' }))
      await visit.press(dialog.getByRole('button', { name: 'Renew secret' }))
      await dialog.getByText('Copy the secret now.').waitFor()
      expect(await secretIsTaken(client_secret)).toBe(false)
      await page.keyboard.press('Escape')
      await visit.press(menu)
      await visit.press(page.getByRole('menuitem', { name: 'Delete application' }))
      await visit.press(dialog.getByRole('button', { name: 'Delete application' }))
      await page.getByText('No applications yet').waitFor()
    })
  },
  open,
)
