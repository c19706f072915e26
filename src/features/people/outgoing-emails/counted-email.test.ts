// How many emails somebody can have sent to people who never asked for any.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailApp, startMailApp } from '../../../../test/kit/emails.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { removeOldCountedEmails } from './counted-email.ts'

const hour_ms = 60 * 60_000

let app: MailApp
let world: World
beforeAll(async () => {
  app = await startMailApp({ BLOOMERY_CONFIRM_EMAILS: 'on' })
  world = await newWorld(app)
})
afterAll(() => app.close())

/** Somebody with a project of their own to invite to. */
async function newInviter() {
  const { user, client } = await world.newUser()
  const made = await client.post('/projects', { name: `of-${user.username}` })
  const url = `/projects/${made.json().id}/invitations`
  return {
    client,
    url,
    invite: async (...emails: string[]) => {
      const answer = await client.post(url, { email: emails.join(), access_level: 10 })
      expect([answer.statusCode, answer.json()]).toEqual([201, { status: 'success' }])
    },
  }
}
const addresses = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}@mail.test`)
const sent = async () => (await app.deliver()).map(({ to }) => to)

it('an address without an account is sent five an hour, whoever invites, and is invited all the same', async () => {
  const inviters = await Promise.all(Array.from({ length: 4 }, newInviter))
  for (const [n, { client, invite, url }] of inviters.entries()) {
    const email = n % 2 ? 'Stranger@mail.test' : 'stranger@MAIL.test'
    await invite(email)
    await client.delete(`${url}/stranger@mail.test`)
    await invite(email)
    // The first of the two, taken back before it was sent, counts all the same.
    expect(await sent()).toEqual(n < 2 ? [email] : [])
  }
  const [first] = inviters
  const waiting = (await first?.client.get(first.url))?.json()
  expect(waiting).toMatchObject([{ invite_email: 'stranger@MAIL.test' }])
  app.clock.advance(hour_ms)
  const { invite } = await newInviter()
  await invite('stranger@mail.test')
  expect(await sent()).toEqual(['stranger@mail.test'])
})

it('a link to confirm an address counts as well, whoever adds it and however often', async () => {
  const emails: string[] = []
  const people = await Promise.all(Array.from({ length: 4 }, () => world.newUser()))
  for (const { client } of [...people, ...people]) {
    const added = await client.post('/user/emails', { email: 'Victim@mail.test' })
    expect(added.statusCode).toBe(201)
    emails.push(...(await sent()))
    app.clock.advance(60_000)
    await client.delete(`/user/emails/${added.json().id}`)
  }
  expect(emails).toHaveLength(5)
})

it('a user has a hundred sent an hour and five hundred a day, and invites on without emails', async () => {
  const { invite, client, url } = await newInviter()
  await invite(...addresses('a', 60))
  await invite(...addresses('b', 60))
  expect(await sent()).toEqual([...addresses('a', 60), ...addresses('b', 60).slice(0, 40)])
  expect((await client.get(url)).headers['x-total']).toBe('120')
  const others = await newInviter()
  await others.invite('c@mail.test')
  expect(await sent()).toEqual(['c@mail.test'])
  for (const round of ['d', 'e', 'f', 'g']) {
    app.clock.advance(hour_ms)
    await invite(...addresses(round, 100))
    expect(await sent()).toHaveLength(100)
  }
  app.clock.advance(hour_ms)
  await invite(...addresses('h', 100))
  expect(await sent()).toEqual([])
  app.clock.advance(24 * hour_ms)
  await invite(...addresses('i', 100))
  expect(await sent()).toHaveLength(100)
})

it('what was counted is forgotten after a day', async () => {
  const { invite } = await newInviter()
  await invite('forgotten@mail.test')
  const count = async () =>
    (await app.db.selectFrom('counted_letters').select('id').execute()).length
  await removeOldCountedEmails({ db: app.db, clock: app.clock.now })
  expect(await count()).toBeGreaterThan(0)
  app.clock.advance(24 * hour_ms)
  await invite('counted@mail.test')
  await removeOldCountedEmails({ db: app.db, clock: app.clock.now })
  expect(await count()).toBe(1)
})

it('nothing is counted where no mail is sent', async () => {
  const mute = await newWorld()
  const url = `/projects/${(await mute.newProject()).id}/invitations`
  await mute.as('owner').post(url, { email: 'mute@mail.test', access_level: 10 })
  expect(await mute.app.db.selectFrom('counted_letters').selectAll().execute()).toEqual([])
})
