// Every kind of letter in every language, as a mail server receives it: plain text and HTML that say the same, why it came,
// and nothing that a mail program would load from elsewhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { families } from '../../src/features/families.ts'
import { type PageLanguage, pageLanguages } from '../../src/features/people/profiles/preferences.ts'
import { startApp } from '../kit/app.ts'
import { jobOf, newCiProject, tellJob } from '../kit/pipelines.ts'
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

/** A user of a hostile name who reads pages in the language, and no letter about them that is still to come. */
async function newUser(language: PageLanguage): Promise<{ id: number; email: string }> {
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
  const chosen = await admin().put(`/user/preferences?sudo=${id}`, { language })
  expect(chosen.json()).toMatchObject({ id, language })
  await deliver()
  return { id, email }
}

async function deliver(): Promise<Received[]> {
  await world.app.worker.drain()
  return mail.received.splice(0)
}

type Kind = {
  cause: (language: PageLanguage) => Promise<string>
  says: Record<PageLanguage, RegExp>
  link?: RegExp
}

/** By the name of its task, what causes a letter, what it says, and what it leads to. */
const kinds: Record<string, Kind> = {
  'send-invitation': {
    async cause(language) {
      const [group, email] = [await world.newMemberedGroup(), newAddress()]
      await world.as('owner').put('/user/preferences', { language })
      await world.as('owner').post(`/groups/${group.id}/invitations`, { email, access_level: 30 })
      return email
    },
    says: {
      en: /has invited you to join the group Group .+ with the role Developer\./,
      de: / hat Sie mit der Rolle Developer in die Gruppe Group .+ eingeladen\./,
    },
    link: /^http:\/\/bloomery\.test\/[\w-]+$/,
  },
  'send-password-reset': {
    async cause(language) {
      const { email } = await newUser(language)
      await world.as('anonymous').post('/user/password_reset', { email })
      return email
    },
    says: {
      en: /has asked to reset the password of your account somebody-\d+\./,
      de: /möchte das Passwort Ihres Kontos somebody-\d+ zurücksetzen\./,
    },
    link: /\/users\/password\/edit\?reset_password_token=[\w-]+$/,
  },
  'send-password-notice': {
    async cause(language) {
      const { id, email } = await newUser(language)
      await admin().put(`/users/${id}`, { password: 'another pass phrase' })
      return email
    },
    says: {
      en: /The password of your account somebody-\d+ was changed\./,
      de: /Das Passwort Ihres Kontos somebody-\d+ wurde geändert\./,
    },
  },
  'send-confirmation': {
    async cause(language) {
      const [{ id }, email] = [await newUser(language), newAddress()]
      await admin().post(`/users/${id}/emails`, { email })
      return email
    },
    says: {
      en: /Confirm that this email address belongs to your account somebody-\d+\./,
      de: /Bestätigen Sie, dass diese E-Mail-Adresse zu Ihrem Konto somebody-\d+ gehört\./,
    },
    link: /\/users\/confirmation\?confirmation_token=[\w-]+$/,
  },
  'send-address-notice': {
    async cause(language) {
      const { id, email } = await newUser(language)
      await admin().put(`/users/${id}`, { email: newAddress() })
      return email
    },
    says: {
      en: /The email address of your account will be somebody-\d+@mail\.test as soon as/,
      de: /Die E-Mail-Adresse Ihres Kontos ist somebody-\d+@mail\.test, sobald/,
    },
  },
  'send-alert-letter': {
    async cause(language) {
      const { id, email } = await newUser(language)
      const project = await world.newProject()
      await admin().post(`/projects/${project.id}/members`, { user_id: id, access_level: 40 })
      const of = `/projects/${project.id}/alert_management`
      await admin().put(`${of}/settings`, { send_email: true })
      const integration = (await admin().post(`${of}/integrations`, { type: 'http' })).json()
      await admin().post(`${of}/integrations/${integration.id}/test`)
      return email
    },
    says: {
      en: /An alert of .+ was triggered: /,
      de: /Ein Alarm des Projekts .+ wurde ausgelöst: /,
    },
    link: /\/-\/alert_management\/1\/details$/,
  },
  'send-notification': {
    async cause(language) {
      const [reader, writer] = [await newUser(language), await newUser('en')]
      const project = await world.newProject()
      for (const { id } of [reader, writer]) {
        await admin().post(`/projects/${project.id}/members`, { user_id: id, access_level: 30 })
      }
      const url = `/projects/${project.id}/issues`
      await admin().post(`${url}?sudo=${reader.id}`, { title: evil })
      await admin().post(`${url}/1/notes?sudo=${writer.id}`, { body: '12 mm' })
      return reader.email
    },
    says: { en: / commented: 12 mm/, de: / hat kommentiert: 12 mm/ },
    link: /\/-\/issues\/1#note_\d+$/,
  },
  'send-pipeline-notification': {
    async cause(language) {
      const { id, email } = await newUser(language)
      const project = await newCiProject(world, { test: { script: 'true' } })
      await admin().post(`/projects/${project.id}/members`, { user_id: id, access_level: 40 })
      const made = await admin().post(`/projects/${project.id}/pipeline?ref=main&sudo=${id}`)
      await world.app.worker.drain()
      for (const event of ['run', 'drop'] as const) {
        await tellJob(world, await jobOf(world, made.json().id, 'test'), event)
      }
      return email
    },
    says: {
      en: /Pipeline #\d+ for main failed\. Project: .+ Commit: [0-9a-f]{8}/,
      de: /Pipeline #\d+ für main ist fehlgeschlagen\. Projekt: .+ Commit: [0-9a-f]{8}/,
    },
    link: /\/-\/pipelines\/\d+$/,
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

/** How the foot of a letter begins and ends. */
const feet: Record<PageLanguage, RegExp> = {
  en: /^You receive this email because .+\n(?:.+\n){0,2}Sent by Bloomery at http:\/\/bloomery\.test\n$/,
  de: /^Sie erhalten diese E-Mail, weil .+\n(?:.+\n){0,2}Gesendet von Bloomery unter http:\/\/bloomery\.test\n$/,
}
/** Words that no letter of another language has. */
const english = /\b(?:you|your|hello|this|open|was|by)\b/i

const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('every kind of letter', () => {
  it('is known here', () => {
    const names = families.flatMap(({ tasks = [] }) => tasks.map(({ name }) => name))
    const letters = names.filter((name) => /^send-(?!push)/.test(name))
    expect(Object.keys(kinds).sort()).toEqual(letters.sort())
  })

  const all = Object.entries(kinds).flatMap(([name, kind]) =>
    pageLanguages.map((language) => [name, language, kind] as const),
  )
  it.each(all)(
    '%s has both parts, which say the same and why, in the language %s',
    async (_, language, kind) => {
      const email = await kind.cause(language)
      const letters = (await deliver()).filter(({ to }) => to.includes(email))
      expect(letters).toHaveLength(1)
      const { headers, text, html = '' } = letters[0] as Received
      expect(headers.get('content-type')).toMatch(/^multipart\/alternative;/)
      expect(headers.get('auto-submitted')).toBe('auto-generated')

      const [body = '', foot = ''] = text.split('\n-- \n')
      expect(flat(body)).toMatch(kind.says[language])
      expect(foot).toMatch(feet[language])
      const lines = body.split('\n')
      const urls = lines.filter((line) => line.startsWith('http'))
      expect(urls).toHaveLength(kind.link ? 1 : 0)
      if (kind.link) expect(urls[0]).toMatch(kind.link)
      // A blank line between paragraphs, and no line that a program would have to break by itself within a URL.
      expect(text).not.toMatch(/\n\n\n|[ \t]\n(?!You receive|Sie erhalten)/)

      const hrefs = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
      const shown = flat([shownTextOf(html), ...hrefs].join('\n'))
      for (const paragraph of text.split(/\n+/).filter((line) => !/^-- $|:$/.test(line))) {
        for (const part of paragraph.split(': ')) expect(shown).toContain(flat(part))
      }
      for (const url of [...urls, 'http://bloomery.test']) expect(hrefs).toContain(url)
      for (const href of hrefs) expect(href).toMatch(/^http:\/\/bloomery\.test(?:\/|$)/)
      // Nothing is loaded, nothing runs, and no name is markup.
      expect(html).not.toMatch(
        /<(?:img|script|link|iframe|form|object)|<[^>]*\ssrc=|url\(|@import|<[^>]* on\w+=/i,
      )
      expect(html.startsWith(`<!doctype html>\n<html lang="${language}">`)).toBe(true)
      if (language !== 'en') expect(shownTextOf(html)).not.toMatch(english)
    },
  )
})
