import { hash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rootToken } from '../../../test/kit/app.ts'
import { type MailApp, startMailApp, tokenIn } from '../../../test/kit/emails.ts'

let app: MailApp
beforeAll(async () => {
  app = await startMailApp({ BLOOMERY_CONFIRM_EMAILS: 'on' })
})
afterAll(() => app.close())
afterEach(() => app.deliver())

const resetPath = '/users/password/edit'
const confirmationPath = '/users/confirmation'
const get = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ url, headers: { host: 'bloomery.test', ...headers } })
const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  app.server.inject({
    method: 'POST',
    url,
    headers: {
      host: 'bloomery.test',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: new URLSearchParams(form).toString(),
  })
/** The form of a page: where it goes, and what its hidden fields hold. */
const formOf = ({ body }: { body: string }) => ({
  action: /<form method="post" action="([^"]*)">/.exec(body)?.[1],
  hidden: Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  ),
})
const titleOf = ({ body }: { body: string }) => /<h1>(.*)<\/h1>/.exec(body)?.[1]
const dead = 'This link is no longer valid'

let made = 0
/** The paths of the links that a new account is sent. */
async function newLinks() {
  const username = `reader-${++made}`
  const email = `${username}@mail.test`
  const body = { username, name: 'N', email, reset_password: true }
  await app.client(rootToken).post('/users', body)
  const emails = await app.deliver()
  const linkTo = (path: string) => {
    const email = emails.find(({ text }) => text.includes(path))
    const query = path === resetPath ? 'reset_password_token' : 'confirmation_token'
    return { token: tokenIn(email), url: `${path}?${query}=${tokenIn(email)}` }
  }
  return { email, reset: linkTo(resetPath), confirmation: linkTo(confirmationPath) }
}
const signIn = async (login: string, password: string) =>
  (await app.client().post('/session', { login, password })).statusCode

describe('the pages of links', () => {
  it('confirm an address and set a password, by nothing but a form', async () => {
    const { email, reset, confirmation } = await newLinks()
    const asked = await get(confirmation.url)
    expect([asked.statusCode, titleOf(asked)]).toEqual([200, 'Confirm your email address'])
    const form = formOf(asked)
    expect(form).toEqual({
      action: 'confirmation',
      hidden: { confirmation_token: confirmation.token },
    })
    const confirmed = await post(confirmationPath, form.hidden)
    expect([confirmed.statusCode, titleOf(confirmed)]).toEqual([
      200,
      'Your email address was confirmed',
    ])
    const setting = await get(reset.url)
    const { action, hidden } = formOf(setting)
    expect(action).toBe('edit')
    expect(setting.body).toContain('<label>')
    const short = await post(resetPath, { ...hidden, password: 'short' })
    expect(short.statusCode).toBe(400)
    expect(short.body).toContain(
      '<p role="alert">The password is too short (minimum is 8 characters).</p>',
    )
    expect(formOf(short)).toEqual({ action, hidden })
    const done = await post(resetPath, { ...hidden, password: 'a good long one' })
    expect([done.statusCode, titleOf(done)]).toEqual([200, 'Your password was set'])
    expect(done.headers['set-cookie']).toBeUndefined()
    expect(await signIn(email, 'a good long one')).toBe(201)
    for (const again of [
      await post(resetPath, { ...hidden, password: 'another long one' }),
      await post(confirmationPath, form.hidden),
    ]) {
      expect([again.statusCode, titleOf(again)]).toEqual([400, dead])
    }
    expect(await signIn(email, 'a good long one')).toBe(201)
  })

  it('are in the language of the reader', async () => {
    const german = { 'accept-language': 'de' }
    const { reset, confirmation } = await newLinks()
    const asked = async (url: string, form?: Record<string, string>) => {
      const answer = form ? await post(url, form, german) : await get(url, german)
      expect(answer.body).toContain('<html lang="de">')
      expect(answer.body.replace(/<[^>]*>/g, ' ')).not.toMatch(/\b(?:you|your|the|this|set)\b/i)
      return titleOf(answer)
    }
    const { token } = confirmation
    expect(await asked(confirmation.url)).toBe('Bestätigen Sie Ihre E-Mail-Adresse')
    expect(await asked(confirmationPath, { confirmation_token: token })).toBe(
      'Ihre E-Mail-Adresse wurde bestätigt',
    )
    expect(await asked(confirmationPath, { confirmation_token: token })).toBe(
      'Dieser Link ist nicht mehr gültig',
    )
    expect(await asked(reset.url)).toBe('Neues Passwort festlegen')
    const form = { reset_password_token: reset.token }
    expect(await asked(resetPath, { ...form, password: 'short' })).toBe('Neues Passwort festlegen')
    expect(await asked(resetPath, { ...form, password: 'long enough' })).toBe(
      'Ihr Passwort wurde festgelegt',
    )
  })

  it('do nothing when they are only looked at, as programs that check mail do', async () => {
    const { reset, confirmation } = await newLinks()
    const rows = () => app.db.selectFrom('link_tokens').selectAll().orderBy('id').execute()
    const before = await rows()
    for (const { url } of [reset, confirmation]) {
      const { queries } = await app.count(async () => {
        await get(url)
        await app.server.inject({ method: 'HEAD', url, headers: { host: 'bloomery.test' } })
      })
      expect(queries).toBe(0)
    }
    expect(await rows()).toEqual(before)
    const done = await post(resetPath, {
      reset_password_token: reset.token,
      password: 'long enough',
    })
    expect(done.statusCode).toBe(200)
  })

  it('run nothing, load nothing, tell nobody their address and are not kept', async () => {
    const pages = [await get(`${resetPath}?reset_password_token=x`), await get(confirmationPath)]
    for (const page of pages) {
      const style = /<style>(.*)<\/style>/s.exec(page.body)?.[1] ?? ''
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      })
      expect(page.headers.etag).toBeUndefined()
      expect(page.body).not.toMatch(/<script|<img|<link|https?:/)
    }
  })

  it('show what is in an address as text', async () => {
    const token = '"><script>alert(1)</script>'
    for (const url of [
      `${resetPath}?reset_password_token=${encodeURIComponent(token)}`,
      `${confirmationPath}?confirmation_token=${encodeURIComponent(token)}`,
    ]) {
      const page = await get(url)
      expect(page.body).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
      expect(page.body).not.toContain('<script')
    }
  })

  it.each([
    [resetPath, {}],
    [resetPath, { reset_password_token: 'x', password: 'long enough' }],
    [resetPath, { reset_password_token: 'x' }],
    [confirmationPath, {}],
    [confirmationPath, { confirmation_token: 'x' }],
  ])('say of %s with %j that it is no longer good', async (path, form) => {
    const answer = await post(path, form)
    expect([answer.statusCode, titleOf(answer)]).toEqual([400, dead])
  })

  it('say so of a link without its token', async () => {
    for (const path of [resetPath, confirmationPath]) {
      const answer = await get(path)
      expect([answer.statusCode, titleOf(answer)]).toEqual([400, dead])
    }
  })

  it('read no large body', async () => {
    const answer = await post(resetPath, { password: 'x'.repeat(20_000) })
    expect(answer.statusCode).toBe(413)
  })
})
