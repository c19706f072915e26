import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailApp, startMailApp } from '../../../../test/kit/emails.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let app: MailApp
let world: World
beforeAll(async () => {
  app = await startMailApp()
  world = await newWorld(app)
})
afterAll(() => app.close())

it('an invited address is told to what, by whom and as what', async () => {
  const group = await world.newMemberedGroup()
  const project = await world.newProject()
  for (const [place, role, level] of [
    [`groups/${group.id}`, 'owner', 30],
    [`projects/${project.id}`, 'maintainer', 20],
  ] as const) {
    const body = { email: 'Invited@mail.test', access_level: level }
    await world.as(role).post(`/${place}/invitations`, body)
  }
  expect(await app.deliver()).toEqual([
    {
      to: 'Invited@mail.test',
      subject: `Invitation to the group ${group.name}`,
      text: [
        'Hello!',
        `${world.users.owner.name} has invited you to join the group ${group.name} with the role Developer.`,
        `Open the group:\nhttp://bloomery.test/${group.full_path}`,
        'You become a member as soon as an account confirms this email address. If your account has another address, add this one to it. If you have no account, ask the person who invited you.',
        `-- \nYou receive this email because ${world.users.owner.name} entered your address. If you do not know why, ignore it: nothing happens.\nSent by Bloomery at http://bloomery.test\n`,
      ].join('\n\n'),
      html: expect.stringContaining('<h1'),
    },
    {
      to: 'Invited@mail.test',
      subject: `Invitation to the project ${project.name}`,
      text: expect.stringContaining(
        `${world.users.maintainer.name} has invited you to join the project ${project.name} with the role Reporter.\n\nOpen the project:\nhttp://bloomery.test/${project.full_path}\n`,
      ),
      html: expect.stringContaining('<h1'),
    },
  ])
})

it('many invitations take as many statements as one', async () => {
  const url = `/projects/${(await world.newProject()).id}/invitations`
  const invite = async (email: string) => {
    const answer = await world.as('owner').post(url, { email, access_level: 10 })
    expect(answer.json()).toEqual({ status: 'success' })
  }
  await invite('warm-up@mail.test')
  const one = await app.count(() => invite('one@mail.test'))
  const many = Array.from({ length: 50 }, (_, n) => `many-${n}@mail.test`)
  expect(await app.count(() => invite(many.join()))).toEqual(one)
  expect(await app.deliver()).toHaveLength(52)
})

it('who is a member at once, was invited before, or is no longer, gets no email', async () => {
  const { user } = await world.newUser()
  const url = `/projects/${(await world.newProject()).id}/invitations`
  const invite = (email: string) => world.as('owner').post(url, { email, access_level: 10 })
  await invite(user.email)
  await invite('twice@mail.test')
  expect((await app.deliver()).map(({ to }) => to)).toEqual(['twice@mail.test'])
  await invite('TWICE@mail.test')
  await invite('gone@mail.test')
  await world.as('owner').delete(`${url}/gone@mail.test`)
  expect(await app.deliver()).toEqual([])
})

it('no email goes out for a group that is being deleted, or after the day of expiry', async () => {
  const group = await world.newMemberedGroup()
  const body = { email: 'late@mail.test', access_level: 10 }
  await world.as('owner').post(`/groups/${group.id}/invitations`, body)
  await world.as('owner').delete(`/groups/${group.id}`)
  const [leaving, removed] = [await world.newMemberedGroup(), await world.newProject()]
  await world.as('owner').post(`/groups/${leaving.id}/invitations`, body)
  await world.as('owner').post(`/projects/${removed.id}/invitations`, body)
  // As removals that have begun leave them.
  const state = 'deleting'
  await app.db.updateTable('namespaces').set({ state }).where('id', '=', leaving.id).execute()
  await app.db.updateTable('projects').set({ state }).where('id', '=', removed.id).execute()
  const project = await world.newProject()
  const brief = { ...body, expires_at: '2026-03-02' }
  await world.as('owner').post(`/projects/${project.id}/invitations`, brief)
  app.clock.advance(24 * 60 * 60_000)
  expect(await app.deliver()).toEqual([])
})

it('a name somebody chose makes no header, no line and no link', async () => {
  const project = await world.newProject()
  const name = 'Win\r\nBcc: victim@x.test\r\n\r\nhttps://evil.test/now <a href=x> \u202Eabc\u0000'
  await app.db
    .updateTable('projects')
    .set({ name: name.replace('\0', '') })
    .where('id', '=', project.id)
    .execute()
  const { name: kept } = world.users.owner
  const long = `${'Long '.repeat(50)}www.evil.test`
  await app.db
    .updateTable('users')
    .set({ name: long })
    .where('id', '=', world.users.owner.id)
    .execute()
  const body = { email: 'careful@mail.test', access_level: 10 }
  await world.as('owner').post(`/projects/${project.id}/invitations`, body)
  const [email] = await app.deliver()
  expect(email?.subject).toBe(
    'Invitation to the project Win Bcc victim x test https evil test now a href x abc',
  )
  expect(email?.text.split('\n')[2]).toBe(
    `${'Long '.repeat(12)}… has invited you to join the project Win Bcc victim x test https evil test now a href x abc with the role Guest.`,
  )
  await app.db
    .updateTable('users')
    .set({ name: kept })
    .where('id', '=', world.users.owner.id)
    .execute()
})
