// Every kind of letter as a mail server receives it: plain text and HTML that say the same, why it came, and nothing that
// a mail program would load from elsewhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { families } from '../../src/features/families.ts'
import { startApp } from '../kit/app.ts'
import { type Received, startSmtp } from '../kit/smtp.ts'
import { newWorld, type World } from '../kit/world.ts'

const evil = 'Eve <img src=//evil.test/a.png onerror=alert(1)> & "Co"'

let world: World
let mail: Awaited<ReturnType<typeof startSmtp>>
beforeAll(async () => {
  mail = await startSmtp()
  const app = await startApp({ BLOOMERY_SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
  world = await newWorld(app)
})
afterAll(async () => {
  await world.app.close()
  await mail.close()
})

const admin = () => world.as('admin')
let made = 0
const newAddress = () => `somebody-${++made}@mail.test`

/** A user of a hostile name, and no letter about them that is still to come. */
async function newUser(): Promise<{ id: number; email: string }> {
  const email = newAddress()
  const [username] = email.split('@')
  const body = {
    username,
    name: evil,
    email,
    password: 'a first pass phrase',
    skip_confirmation: true,
  }
  const { id } = (await admin().post('/users', body)).json()
  await deliver()
  return { id, email }
}

async function deliver(): Promise<Received[]> {
  await world.app.worker.drain()
  return mail.received.splice(0)
}

/** By the name of its task, what causes a letter, and what it leads to. */
const kinds: Record<string, { cause: () => Promise<string>; says: RegExp; link?: RegExp }> = {
  'send-invitation': {
    async cause() {
      const [group, email] = [await world.newMemberedGroup(), newAddress()]
      await world.as('owner').post(`/groups/${group.id}/invitations`, { email, access_level: 30 })
      return email
    },
    says: /has invited you to join the group Group .+ with the role Developer\./,
    link: /^http:\/\/bloomery\.test\/[\w-]+$/,
  },
  'send-password-reset': {
    async cause() {
      const { email } = await newUser()
      await world.as('anonymous').post('/user/password_reset', { email })
      return email
    },
    says: /has asked to reset the password of your account somebody-\d+\./,
    link: /\/users\/password\/edit\?reset_password_token=[\w-]+$/,
  },
  'send-password-notice': {
    async cause() {
      const { id, email } = await newUser()
      await admin().put(`/users/${id}`, { password: 'another pass phrase' })
      return email
    },
    says: /The password of your account somebody-\d+ was changed\./,
  },
  'send-confirmation': {
    async cause() {
      const [{ id }, email] = [await newUser(), newAddress()]
      await admin().post(`/users/${id}/emails`, { email })
      return email
    },
    says: /Confirm that this email address belongs to your account somebody-\d+\./,
    link: /\/users\/confirmation\?confirmation_token=[\w-]+$/,
  },
  'send-address-notice': {
    async cause() {
      const { id, email } = await newUser()
      await admin().put(`/users/${id}`, { email: newAddress() })
      return email
    },
    says: /The email address of your account will be somebody-\d+@mail\.test as soon as/,
  },
  'send-alert-letter': {
    async cause() {
      const { id, email } = await newUser()
      const project = await world.newProject()
      await admin().post(`/projects/${project.id}/members`, { user_id: id, access_level: 40 })
      const of = `/projects/${project.id}/alert_management`
      await admin().put(`${of}/settings`, { send_email: true })
      const integration = (await admin().post(`${of}/integrations`, { type: 'http' })).json()
      await admin().post(`${of}/integrations/${integration.id}/test`)
      return email
    },
    says: /An alert of .+ was triggered: /,
    link: /\/-\/alert_management\/1\/details$/,
  },
}

/** What a reader sees of HTML, a block to the line. */
function shownTextOf(html: string): string {
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}

const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('every kind of letter', () => {
  it('is known here', () => {
    const names = families.flatMap(({ tasks = [] }) => tasks.map(({ name }) => name))
    const letters = names.filter((name) => /^send-(?!push)/.test(name))
    expect(Object.keys(kinds).sort()).toEqual(letters.sort())
  })

  it.each(Object.entries(kinds))(
    '%s has both parts, which say the same and why',
    async (_, kind) => {
      const email = await kind.cause()
      const letters = (await deliver()).filter(({ to }) => to.includes(email))
      expect(letters).toHaveLength(1)
      const { headers, text, html = '' } = letters[0] as Received
      expect(headers.get('content-type')).toMatch(/^multipart\/alternative;/)
      expect(headers.get('auto-submitted')).toBe('auto-generated')

      const [body = '', foot = ''] = text.split('\n-- \n')
      expect(flat(body)).toMatch(kind.says)
      expect(foot).toMatch(
        /^You receive this email because .+\n(?:.+\n)?Sent by Bloomery at http:\/\/bloomery\.test\n$/,
      )
      const lines = body.split('\n')
      const urls = lines.filter((line) => line.startsWith('http'))
      expect(urls).toHaveLength(kind.link ? 1 : 0)
      if (kind.link) expect(urls[0]).toMatch(kind.link)
      // A blank line between paragraphs, and no line that a program would have to break by itself within a URL.
      expect(text).not.toMatch(/\n\n\n|[ \t]\n(?!You receive)/)

      const hrefs = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
      const shown = flat([shownTextOf(html), ...hrefs].join('\n'))
      for (const paragraph of text.split(/\n+/).filter((line) => !/^-- $|:$/.test(line))) {
        for (const part of paragraph.split(/: (?=http|\S+$)/)) expect(shown).toContain(flat(part))
      }
      for (const url of [...urls, 'http://bloomery.test']) expect(hrefs).toContain(url)
      for (const href of hrefs) expect(href).toMatch(/^http:\/\/bloomery\.test(?:\/|$)/)
      // Nothing is loaded, nothing runs, and no name is markup.
      expect(html).not.toMatch(
        /<(?:img|script|link|iframe|form|object)|src=|url\(|@import|<[^>]* on\w+=/i,
      )
      expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    },
  )
})
