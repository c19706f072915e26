// Emails all the way to a mail server, and what becomes of them when there is none.
import { afterEach, describe, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../../../test/kit/app.ts'
import { tokenIn } from '../../../../test/kit/emails.ts'
import { decodeQuotedPrintable, startSmtp } from '../../../../test/kit/smtp.ts'
import { newWorld } from '../../../../test/kit/world.ts'
import { freePort } from '../../../../tools/server-process.ts'
import { makeInterruptedTasksDue } from '../../../tasks/task.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function startServer(options: Parameters<typeof startSmtp>[0] = {}) {
  const smtp = await startSmtp(options)
  ends.push(smtp.close)
  return smtp
}

/** An application that sends by the mail server at a port of this machine. */
async function startMailer(port: number, user = '') {
  const app = await startApp({ BLOOMERY_SMTP_URL: `smtp://${user}127.0.0.1:${port}` })
  ends.push(app.close)
  return { app, admin: app.client(rootToken) }
}

const waiting = (app: TestApp) =>
  app.db.selectFrom('tasks').selectAll().where('name', '!=', 'maintain-project').execute()
const newUser = (email: string, name = 'N') => {
  const username = email.split('@')[0] ?? ''
  return { username, name, email, reset_password: true }
}

describe('an email', () => {
  it('reaches the mail server as plain text and HTML that nothing answers, and leaves no connection', async () => {
    const smtp = await startServer()
    const { app, admin } = await startMailer(smtp.port)
    await admin.post('/users', newUser('ann@mail.test', 'Änn'))
    expect(smtp.received).toEqual([])
    await app.worker.drain()
    const [email] = smtp.received
    expect(smtp.received).toHaveLength(1)
    expect(email).toMatchObject({ from: 'bloomery@bloomery.test', to: ['ann@mail.test'] })
    const { date, 'message-id': id, ...headers } = Object.fromEntries(email?.headers ?? [])
    expect(headers).toEqual({
      from: 'Bloomery <bloomery@bloomery.test>',
      to: 'ann@mail.test',
      subject: 'Account was created for you',
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
      'content-type': expect.stringMatching(/^multipart\/alternative; boundary="[^"]+"$/),
    })
    expect(Date.parse(date ?? '')).not.toBeNaN()
    expect(id).toMatch(/^<[\w-]+@bloomery\.test>$/)
    expect(email?.text).toContain('Hello, Änn!\n\n')
    const url = `/users/password/edit?reset_password_token=${tokenIn(email)}`
    expect(email?.text).toContain(`\nhttp://bloomery.test${url}\n`)
    expect(await waiting(app)).toEqual([])
    await expect.poll(smtp.connections).toBe(0)
  })

  it('goes to its address alone, whatever the name or the address looks like', async () => {
    const smtp = await startServer()
    const { app, admin } = await startMailer(smtp.port)
    const name = 'Eve\r\nBcc: victim@mail.test\r\n\r\nhttps://evil.test'
    const emails = ['eve@mail.test', '"a";victim@mail.test', 'a,victim@mail.test', 'a:b;@mail.test']
    for (const [n, email] of emails.entries()) {
      const body = { ...newUser(`eve-${n}@mail.test`, name), email }
      expect((await admin.post('/users', body)).statusCode).toBe(201)
    }
    await app.worker.drain()
    const [email] = smtp.received
    expect(smtp.received.map(({ to }) => to)).toEqual([['eve@mail.test']])
    expect(app.log.filter(({ msg }) => msg === 'email rejected')).toHaveLength(3)
    expect(await waiting(app)).toEqual([])
    expect(email?.headers.has('bcc')).toBe(false)
    expect(email?.text).toContain('Hello, Eve Bcc victim mail test https evil test!\n')
  })

  it('signs in at the server where it has to', async () => {
    const smtp = await startServer({ password: 'open, sesame' })
    const { app, admin } = await startMailer(smtp.port, 'u:open%2C%20sesame@')
    await admin.post('/users', newUser('ann@mail.test'))
    await app.worker.drain()
    expect(smtp.received).toHaveLength(1)
  })

  it('waits while no server is there, and then has a link of its own', async () => {
    const port = await freePort()
    const { app, admin } = await startMailer(port)
    await admin.post('/users', newUser('ann@mail.test'))
    await app.worker.drain()
    expect(await waiting(app)).toMatchObject([
      {
        attempts: 1,
        last_error: 'MailError: the mail server rejected the email: ESOCKET ECONNREFUSED',
      },
    ])
    const before = await app.db.selectFrom('link_tokens').select('digest').execute()
    const smtp = await startServer({ port })
    app.clock.advance(10_000)
    await app.worker.drain()
    // It is left alone for a while, so that others' tasks do not wait for it.
    expect(await waiting(app)).toMatchObject([
      { attempts: 2, last_error: 'MailError: the mail server is unreachable, retrying later' },
    ])
    app.clock.advance(20_000)
    await app.worker.drain()
    expect(await waiting(app)).toEqual([])
    expect(smtp.received).toHaveLength(1)
    const after = await app.db.selectFrom('link_tokens').select('digest').execute()
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
    const body = { reset_password_token: tokenIn(smtp.received[0]), password: 'long enough' }
    expect((await app.client().put('/user/password_reset', body)).statusCode).toBe(204)
  })

  it('is taken up again when whoever sent it died', async () => {
    const smtp = await startServer()
    const { app, admin } = await startMailer(smtp.port)
    await admin.post('/users', newUser('ann@mail.test'))
    const seen_at = app.clock.now().toISOString()
    await app.db.insertInto('workers').values({ id: 'dead', seen_at }).execute()
    await app.db.updateTable('tasks').set({ owner_id: 'dead', attempts: 1 }).execute()
    await app.worker.drain()
    expect(smtp.received).toEqual([])
    await makeInterruptedTasksDue(app.db, app.clock.now)
    await app.worker.drain()
    expect(smtp.received).toHaveLength(1)
  })

  it('that is refused for good is given up, with a word in the log', async () => {
    const smtp = await startServer({ refuse: { recipient: '550 5.1.1 no such user' } })
    const { app, admin } = await startMailer(smtp.port)
    await admin.post('/users', newUser('nobody@mail.test'))
    await app.worker.drain()
    expect(await waiting(app)).toEqual([])
    const warnings = app.log.filter(({ msg }) => msg === 'email rejected')
    expect(warnings).toMatchObject([
      { err: { message: 'the mail server rejected the email: EENVELOPE 550 5.1.1' } },
    ])
  })

  it('that is refused for now waits', async () => {
    const smtp = await startServer({ refuse: { recipient: '451 4.7.1 come back later' } })
    const { app, admin } = await startMailer(smtp.port)
    await admin.post('/users', newUser('later@mail.test'))
    await app.worker.drain()
    expect(await waiting(app)).toMatchObject([{ name: 'send-password-reset', attempts: 1 }])
  })

  it('that waits too long is given up', async () => {
    const smtp = await startServer()
    const { app, admin } = await startMailer(smtp.port)
    await admin.post('/users', newUser('ann@mail.test'))
    app.clock.advance(3 * 24 * 60 * 60_000)
    await app.worker.drain()
    expect(smtp.received).toEqual([])
    expect(await waiting(app)).toEqual([])
  })

  it('of a server that repeats what it is sent leaves no secret behind', async () => {
    const secrets: string[] = []
    const email = (raw: string) => {
      const link = decodeQuotedPrintable(raw)
      secrets.push(tokenIn({ text: link }))
      return `451 4.7.0 spam: ${link.replaceAll(/\s+/g, ' ')}`
    }
    const smtp = await startServer({ refuse: { email } })
    const first = await startMailer(smtp.port)
    await first.admin.post('/users', newUser('ann@mail.test'))
    await first.app.worker.drain()
    expect(secrets).toHaveLength(1)
    const locked = await startServer({ password: 'another' })
    const second = await startMailer(locked.port, 'u:sesame@')
    secrets.push('sesame')
    await second.admin.post('/users', newUser('ann@mail.test'))
    await second.app.worker.drain()
    expect(await waiting(second.app)).toMatchObject([
      { last_error: 'MailError: the mail server rejected the email: EAUTH 535' },
    ])
    for (const { app } of [first, second]) {
      const kept = JSON.stringify([await waiting(app), app.log])
      for (const secret of secrets) expect(kept).not.toContain(secret)
    }
  })

  it('is not even asked for where no mail is sent', async () => {
    const app = await startApp()
    ends.push(app.close)
    const world = await newWorld(app)
    const { user, client } = await world.newUser()
    const project = await world.newProject()
    const email = 'asked@mail.test'
    await app.worker.drain()
    await world.as('admin').post('/users', newUser('ann@mail.test'))
    await world.as('admin').put(`/users/${user.id}`, { email })
    await client.post('/user/emails', { email: 'second@mail.test' })
    await world.as('owner').post(`/projects/${project.id}/invitations`, { email, access_level: 10 })
    for (const path of ['/user/password_reset', '/user/confirmation/resend']) {
      expect((await app.client().post(path, { email: user.email })).statusCode).toBe(202)
    }
    await world.as('admin').put(`/users/${user.id}`, { password: 'quite another' })
    expect(await waiting(app)).toEqual([])
  })
})
