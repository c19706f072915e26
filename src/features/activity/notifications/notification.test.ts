// What people are told of issues and merge requests by email (docs/api/notification-settings.md, "Emails").
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, startApp } from '../../../../test/kit/app.ts'
import { type MailApp, startMailApp } from '../../../../test/kit/emails.ts'
import { newBranches, newRequest } from '../../../../test/kit/merge-requests.ts'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import { startSmtp } from '../../../../test/kit/smtp.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import type { User } from '../../../subjects/user.ts'

let app: MailApp
let world: World
let project: Project
beforeAll(async () => {
  app = await startMailApp()
  world = await newWorld(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  project = await world.newProject()
  await app.deliver()
})

type Role = keyof World['users']

/** Who was told, in the order of their names, with the sentence that says of what. */
async function told(): Promise<Record<string, string>> {
  const emails = await app.deliver()
  const roles = Object.entries(world.users)
  return Object.fromEntries(
    emails
      .map(({ to, text }) => {
        const role = roles.find(([, { email }]) => email === to)?.[0] ?? to
        return [role, text.split('\n\n')[0] ?? ''] as const
      })
      .toSorted(([one], [other]) => one.localeCompare(other)),
  )
}

const newIssue = async (by: Role, fields: object = {}) => {
  const answer = await world.as(by).post(`/projects/${project.id}/issues`, {
    title: 'Leaking pipe',
    ...fields,
  })
  expect(answer.statusCode).toBe(201)
  return answer.json() as { iid: number; id: number }
}
const comment = (by: Role, iid: number, body: string, more: object = {}) =>
  world.as(by).post(`/projects/${project.id}/issues/${iid}/notes`, { body, ...more })
const notesUrl = (iid: number) => `/projects/${project.id}/issues/${iid}/notes`
const change = async (by: Role, iid: number, fields: object) => {
  const answer = await world.as(by).put(`/projects/${project.id}/issues/${iid}`, fields)
  expect(answer.statusCode).toBe(200)
}
const idOf = (role: Role) => world.users[role].id
/** The setting of somebody for the project of the test. */
const setLevel = async (
  client: Client,
  level: string,
  events: object = {},
  place = `/projects/${project.id}`,
) => {
  const answer = await client.put(`${place}/notification_settings`, { level, ...events })
  expect(answer.statusCode).toBe(200)
}
/** A further member of the project. */
async function newMember(access_level = 20): Promise<{ user: User; client: Client }> {
  const member = await world.newUser()
  const url = `/projects/${project.id}/members`
  await world.as('owner').post(url, { user_id: member.user.id, access_level })
  return member
}
async function newSubgroup({ id }: { id: number }): Promise<{ id: number }> {
  const path = randomUUID()
  const body = { name: path, path, parent_id: id }
  return (await world.as('owner').post('/groups', body)).json()
}
async function newProjectIn({ id }: { id: number }): Promise<Project> {
  const body = { name: randomUUID(), namespace_id: id }
  return { ...project, ...(await world.as('owner').post('/projects', body)).json() }
}
const nameOf = (role: Role) => world.users[role].name

describe('what happens to an issue', () => {
  it('is told to who watches: that it is new, with its text', async () => {
    await setLevel(world.as('maintainer'), 'watch')
    const { iid, id } = await newIssue('reporter', { description: 'It **drips**.' })
    const [email, ...more] = await app.deliver()
    expect(more).toEqual([])
    const link = `http://bloomery.test/${project.full_path}/-/issues/${iid}`
    const end = /http:\S+sent_notifications\S+/.exec(email?.text ?? '')?.[0]
    expect(email).toEqual({
      to: world.users.maintainer.email,
      subject: `${project.name} | Leaking pipe (#${iid})`,
      thread: { name: `issue_${id}`, isFirst: true },
      headers: {
        'List-Id': `${project.full_path} <${project.id}.${project.full_path.split('/').toReversed().join('.')}.bloomery.test>`,
        'List-Unsubscribe': `<${end}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'X-GitLab-Project': project.path,
        'X-GitLab-Project-Id': String(project.id),
        'X-GitLab-Project-Path': project.full_path,
        'X-GitLab-Issue-IID': String(iid),
        'X-GitLab-NotificationReason': 'watching',
      },
      text: [
        `${nameOf('reporter')} created this issue.`,
        'It **drips**.',
        `View this issue:\n${link}`,
        `-- \nYou receive this email because of your notification level in this project.\nUnsubscribe from this thread: ${end}\nChange notification settings: http://bloomery.test/-/profile/notifications\nSent by Bloomery at http://bloomery.test\n`,
      ].join('\n\n'),
      html: expect.stringContaining('It <strong>drips</strong>.'),
    })
  })

  it('is told by a note to who takes part, and not to who wrote it', async () => {
    const { iid } = await newIssue('reporter')
    expect(await told()).toEqual({})
    await comment('developer', iid, 'I see it.')
    expect(await told()).toEqual({ reporter: `${nameOf('developer')} commented:` })
    // Whoever has commented takes part from then on.
    await comment('reporter', iid, 'Thank you.')
    expect(await told()).toEqual({ developer: `${nameOf('reporter')} commented:` })
  })

  it('is told by an answer in a thread', async () => {
    const { iid } = await newIssue('reporter')
    const url = `/projects/${project.id}/issues/${iid}/discussions`
    const thread = (await world.as('developer').post(url, { body: 'Where?' })).json()
    await told()
    await world.as('reporter').post(`${url}/${thread.id}/notes`, { body: 'In the cellar.' })
    expect(await told()).toEqual({ developer: `${nameOf('reporter')} commented:` })
  })

  it('is told when it is closed and opened again', async () => {
    const { iid } = await newIssue('reporter')
    await change('developer', iid, { state_event: 'close' })
    expect(await told()).toEqual({ reporter: `${nameOf('developer')} closed this issue.` })
    await change('developer', iid, { state_event: 'reopen' })
    expect(await told()).toEqual({ reporter: `${nameOf('developer')} reopened this issue.` })
  })

  it('is told to who is assigned, and to who is no longer', async () => {
    const { iid } = await newIssue('reporter', { assignee_ids: [idOf('developer')] })
    expect(await told()).toEqual({ developer: `${nameOf('reporter')} created this issue.` })
    await change('reporter', iid, { assignee_ids: [idOf('maintainer')] })
    const sentence = `${nameOf('reporter')} assigned this issue to ${nameOf('maintainer')}. ${nameOf('reporter')} unassigned ${nameOf('developer')}.`
    expect(await told()).toEqual({ developer: sentence, maintainer: sentence })
  })

  it('is told to who is named, in a new text, a note or an edited text, once', async () => {
    const at = (role: Role) => `@${world.users[role].username}`
    const { iid } = await newIssue('reporter', { description: `For ${at('developer')}` })
    expect(await told()).toEqual({ developer: `${nameOf('reporter')} created this issue.` })
    await change('reporter', iid, { description: `For ${at('developer')} and ${at('maintainer')}` })
    expect(await told()).toEqual({
      maintainer: `${nameOf('reporter')} mentioned you in this issue.`,
    })
    await change('reporter', iid, { description: `For ${at('maintainer')}: now` })
    expect(await told()).toEqual({})
    await comment('reporter', iid, `And ${at('owner')}?`)
    expect(Object.keys(await told())).toEqual(['developer', 'maintainer', 'owner'])
  })

  it('is told to subscribers of its labels: that it is new, and that it got one', async () => {
    const url = `/projects/${project.id}/labels`
    await world.as('owner').post(url, { name: 'Urgent', color: '#dc143c' })
    await world.as('guest').post(`${url}/Urgent/subscribe`)
    const { iid } = await newIssue('reporter', { labels: 'Urgent' })
    expect(await told()).toEqual({ guest: `${nameOf('reporter')} created this issue.` })
    await change('reporter', iid, { remove_labels: 'Urgent' })
    expect(await told()).toEqual({})
    await change('reporter', iid, { add_labels: 'Urgent' })
    expect(await told()).toEqual({ guest: `${nameOf('reporter')} added ~Urgent.` })
  })

  it('sends no separate email for system notes', async () => {
    await setLevel(world.as('maintainer'), 'watch')
    const { iid } = await newIssue('reporter')
    await told()
    await change('reporter', iid, {
      title: 'Leaking tap',
      description: 'Drip',
      due_date: '2030-01-01',
    })
    expect(await told()).toEqual({})
  })

  it('is told the day before it is due to who takes part, once', async () => {
    await setLevel(world.as('maintainer'), 'watch')
    await setLevel(world.as('owner'), 'custom', { issue_due: true })
    await newIssue('reporter', { due_date: '2026-03-04' })
    await newIssue('reporter', { due_date: '2026-03-05' })
    await told()
    const { dueIssueTasks } = await import('./due-issues.tasks.ts')
    const prepare = async () => {
      const uses = {
        ...app,
        clock: app.clock.now,
        secretKey: app.secretKey,
        sendEmail: async () => {},
      }
      await dueIssueTasks[0]?.run(uses as never, {} as never)
    }
    const days = (Date.parse('2026-03-02T12:00:00Z') - app.clock.now().getTime()) / 86_400_000
    expect(days).toBeLessThan(3)
    app.clock.advance(Math.max(0, Date.parse('2026-03-02T12:00:00Z') - app.clock.now().getTime()))
    await prepare()
    expect(await told()).toEqual({})
    app.clock.advance(13 * 60 * 60_000)
    const sentence = 'This issue is due tomorrow.'
    expect(await told()).toEqual({ owner: sentence, reporter: sentence })
    await prepare()
    expect(await told()).toEqual({})
  })
})

describe('what happens to a merge request', () => {
  const told_of = async (url: string, body: object) => {
    const answer = await world.as('maintainer').put(url, body)
    expect(answer.statusCode).toBe(200)
    return told()
  }

  it('is told: new, reviewed, approved, pushed to, merged', async () => {
    const { project: target, url } = await newBranches(world)
    await app.deliver()
    const watch = { level: 'watch' }
    await world.as('owner').put(`/projects/${target.id}/notification_settings`, watch)
    const { iid } = await newRequest(world, { url })
    expect(await told()).toEqual({ owner: `${nameOf('developer')} created this merge request.` })
    const one = `${url}/${iid}`
    expect(await told_of(one, { reviewer_ids: [idOf('reporter')] })).toEqual(
      Object.fromEntries(
        (['developer', 'owner', 'reporter'] as const).map((role) => [
          role,
          `${nameOf('maintainer')} requested a review from ${nameOf('reporter')}.`,
        ]),
      ),
    )
    await world.as('maintainer').post(`${one}/approve`)
    expect(Object.values(await told())).toEqual(
      Array(3).fill(`${nameOf('maintainer')} approved this merge request.`),
    )
    // Who watches is not told of every push; who takes part is.
    const pushed = await world.as('developer').post(`/projects/${target.id}/repository/commits`, {
      branch: 'topic',
      commit_message: 'Add more',
      actions: [{ action: 'create', file_path: 'more', content: 'more' }],
    })
    expect(pushed.statusCode).toBe(201)
    expect(await told()).toEqual({
      reporter: `${nameOf('developer')} pushed new commits to this merge request.`,
    })
    expect((await world.as('maintainer').put(`${one}/merge`)).statusCode).toBe(200)
    expect(Object.values(await told())).toEqual(
      Array(3).fill(`${nameOf('maintainer')} merged this merge request.`),
    )
  })

  it('is told of a review by one email, and of what is internal in it by another', async () => {
    const { url } = await newBranches(world)
    const { iid } = await newRequest(world, { url })
    const reporter = world.as('reporter')
    await reporter.post(`${url}/${iid}/notes`, { body: 'I follow this.' })
    const { diff_refs } = (await reporter.get(`${url}/${iid}`)).json()
    const place = { ...diff_refs, position_type: 'text', new_path: 'topic', old_path: 'topic' }
    await app.deliver()
    const drafts = `${url}/${iid}/draft_notes`
    const client = world.as('maintainer')
    const position = { ...place, new_line: 1 }
    expect((await client.post(drafts, { note: '**Why?**', position })).statusCode).toBe(201)
    await client.post(drafts, { note: `Ask @${world.users.guest.username}.` })
    await client.post(drafts, { note: 'x'.repeat(limits.mail.text_characters) })
    expect(await app.deliver()).toEqual([])
    const published = await client.post(`${drafts}/bulk_publish`, { note: 'Not yet.' })
    expect(published.statusCode).toBe(204)
    const emails = await app.deliver()
    const addresses = emails.map(({ to }) => to).toSorted()
    const { developer, guest } = world.users
    expect(addresses).toEqual([developer.email, world.users.reporter.email].toSorted())
    expect(addresses).not.toContain(guest.email)
    const [email] = emails
    const [sentence, summary, line, ask, long] = (email?.text ?? '').split('\n\n')
    expect([sentence, summary, line, ask]).toEqual([
      `${nameOf('maintainer')} left 4 comments in a review:`,
      'Not yet.',
      'topic:1\n**Why?**',
      `Ask @${guest.username}.`,
    ])
    expect(long?.length).toBeLessThan(limits.mail.text_characters)
    expect(email?.text).toContain('The text goes on.')
    expect(email?.html).toMatch(
      /<p><strong>topic:1<\/strong><\/p>\s*<p[^>]*><strong>Why\?<\/strong>/,
    )

    await client.post(drafts, { note: 'One' })
    await client.post(`${drafts}/bulk_publish`, { note: 'Between us.', internal: true })
    const both = (await app.deliver()).filter(({ to }) => to === developer.email)
    expect(both.map(({ text }) => text.split('\n\n').slice(0, 2))).toEqual([
      [`${nameOf('maintainer')} commented:`, 'One'],
      [`${nameOf('maintainer')} added an internal note:`, 'Between us.'],
    ])
  })

  it('is told when it merges as soon as its pipeline succeeds', async () => {
    const { project: target, url } = await newBranches(world, {
      files: { '.gitlab-ci.yml': JSON.stringify({ test: { script: 'true' } }) },
    })
    const { iid } = await newRequest(world, { url })
    await app.deliver()
    expect(target.id).toBeGreaterThan(0)
    const answer = await world
      .as('maintainer')
      .put(`${url}/${iid}/merge`, { merge_when_pipeline_succeeds: true })
    expect(answer.statusCode).toBe(200)
    expect(await told()).toEqual({
      developer: `${nameOf('maintainer')} set this merge request to merge when its pipeline succeeds.`,
    })
  })
})

describe('a pipeline', () => {
  const end = async (target: Project, event: 'succeed' | 'drop') => {
    const { id } = await newPipeline(world, target)
    await world.app.worker.drain()
    const job = () => jobOf(world, id, 'test')
    await tellJob(world, await job(), 'run')
    await tellJob(world, await job(), event)
    return id
  }

  it('is told to who started it: failed, and succeeded again', async () => {
    const target = await newCiProject(world, { test: { script: 'true' } })
    await world.as('maintainer').put(`/projects/${target.id}/notification_settings`, {
      level: 'watch',
    })
    await app.deliver()
    await end(target, 'succeed')
    expect(await app.deliver()).toEqual([])
    const failed = await end(target, 'drop')
    const [email, ...more] = await app.deliver()
    expect(more).toEqual([])
    expect(email).toMatchObject({
      to: world.users.owner.email,
      subject: `${target.name} | Pipeline #${failed} for main failed`,
      headers: { 'X-GitLab-Pipeline-Status': 'failed' },
    })
    const fixed = await end(target, 'succeed')
    expect((await app.deliver()).map(({ subject }) => subject)).toEqual([
      `${target.name} | Pipeline #${fixed} for main succeeded again`,
    ])
  })

  it('is told by the events of the level custom', async () => {
    const target = await newCiProject(world, { test: { script: 'true' } })
    const url = `/projects/${target.id}/notification_settings`
    await world
      .as('owner')
      .put(url, { level: 'custom', success_pipeline: true, failed_pipeline: false })
    await app.deliver()
    const id = await end(target, 'succeed')
    expect((await app.deliver()).map(({ subject }) => subject)).toEqual([
      `${target.name} | Pipeline #${id} for main succeeded`,
    ])
    await end(target, 'drop')
    expect(await app.deliver()).toEqual([])
  })
})

describe('the level', () => {
  /** What somebody at the level is told of: what they have no part in, what they take part in, what names them. */
  async function tellAt(level: string, events: object = {}) {
    const { user, client } = await newMember()
    await setLevel(client, level, events)
    const isTold = async () => (await app.deliver()).some(({ to }) => to === user.email)
    const { iid } = await newIssue('reporter')
    const watching = await isTold()
    await comment('reporter', iid, `Hello @${user.username}`)
    const mentioned = await isTold()
    await client.post(notesUrl(iid), { body: 'I take part.' })
    await isTold()
    await comment('reporter', iid, 'More.')
    return { watching, mentioned, participating: await isTold() }
  }

  it.each([
    ['disabled', { watching: false, mentioned: false, participating: false }],
    ['mention', { watching: false, mentioned: true, participating: false }],
    ['participating', { watching: false, mentioned: true, participating: true }],
    ['global', { watching: false, mentioned: true, participating: true }],
    ['watch', { watching: true, mentioned: true, participating: true }],
    ['custom', { watching: false, mentioned: true, participating: true }],
  ])('%s tells %j', async (level, expected) => {
    expect(await tellAt(level)).toEqual(expected)
  })

  it('custom tells the events that were chosen', async () => {
    const expected = { watching: true, mentioned: true, participating: true }
    expect(await tellAt('custom', { new_issue: true })).toEqual(expected)
    expect(await tellAt('custom', { new_note: true })).toEqual({ ...expected, watching: false })
  })

  it('of the project counts before those of its groups from the nearest, and these before the one of everywhere', async () => {
    const above = await world.newMemberedGroup()
    const group = await newSubgroup(above)
    project = await newProjectIn(group)
    const { user, client } = await newMember()
    const isTold = async () => {
      await newIssue('owner')
      return (await app.deliver()).some(({ to }) => to === user.email)
    }
    const places = ['', `/groups/${above.id}`, `/groups/${group.id}`, `/projects/${project.id}`]
    expect(await isTold()).toBe(false)
    const seen: boolean[] = []
    for (const place of places) {
      for (const level of ['watch', 'participating']) {
        await setLevel(client, level, {}, place)
        seen.push(await isTold())
      }
    }
    expect(seen).toEqual([true, false, true, false, true, false, true, false])
    await setLevel(client, 'watch', {}, `/groups/${above.id}`)
    await setLevel(client, 'global', {}, `/projects/${project.id}`)
    expect(await isTold()).toBe(false)
    await setLevel(client, 'global', {}, `/groups/${group.id}`)
    expect(await isTold()).toBe(true)
  })
})

describe('a person', () => {
  it('who unsubscribed is told of nothing but what names them', async () => {
    const { iid } = await newIssue('reporter')
    await world.as('reporter').post(`/projects/${project.id}/issues/${iid}/unsubscribe`)
    await told()
    await comment('developer', iid, 'One.')
    await change('developer', iid, { state_event: 'close' })
    expect(await told()).toEqual({})
    await comment('maintainer', iid, `@${world.users.reporter.username}, look.`)
    expect(Object.keys(await told())).toEqual(['developer', 'reporter'])
    await change('developer', iid, { assignee_ids: [idOf('reporter')] })
    expect(Object.keys(await told())).toContain('reporter')
  })

  it('who subscribed by hand is told of the thread, whatever the level', async () => {
    await setLevel(world.as('guest'), 'disabled')
    const { iid } = await newIssue('reporter')
    await world.as('guest').post(`/projects/${project.id}/issues/${iid}/subscribe`)
    await comment('reporter', iid, 'One.')
    expect(await told()).toEqual({ guest: `${nameOf('reporter')} commented:` })
  })

  it('gets one email for several reasons, which names the strongest', async () => {
    await setLevel(world.as('developer'), 'watch')
    const { iid } = await newIssue('developer', { assignee_ids: [idOf('developer')] })
    await told()
    await comment('reporter', iid, `@${world.users.developer.username}: see.`)
    const emails = await app.deliver()
    expect(emails.map(({ to }) => to)).toEqual([world.users.developer.email])
    expect(emails[0]?.headers?.['X-GitLab-NotificationReason']).toBe('assigned')
    expect(emails[0]?.text).toContain('You receive this email because you are assigned.')
    await change('reporter', iid, { state_event: 'close', assignee_ids: [idOf('maintainer')] })
    const [first, ...more] = (await app.deliver()).filter(
      ({ to }) => to === world.users.developer.email,
    )
    expect(more).toEqual([])
    expect(first?.text).toContain('closed this issue.\n\n')
    expect(first?.text).toContain('assigned this issue to')
  })

  it.each([
    ['is blocked', (id: number) => world.as('admin').post(`/users/${id}/block`)],
    ['is deactivated', (id: number) => set(id, { state: 'deactivated' })],
    ['has not confirmed the address', (id: number) => set(id, { confirmed_at: null })],
    ['is a bot', (id: number) => set(id, { user_type: 'project_bot' })],
  ] as const)('who %s gets none', async (_, make) => {
    const { user, client } = await newMember()
    await setLevel(client, 'watch')
    await newIssue('reporter')
    expect(Object.keys(await told())).toEqual([user.email])
    await make(user.id)
    await newIssue('reporter')
    expect(await told()).toEqual({})
  })
  const set = (id: number, fields: object) =>
    app.db.updateTable('users').set(fields).where('id', '=', id).execute()

  it('gets them at the address they chose while it is theirs, in their language', async () => {
    const { user, client } = await newMember()
    const email = `second-${user.username}@x.test`
    const added = await world
      .as('admin')
      .post(`/users/${user.id}/emails`, { email, skip_confirmation: true })
    await setLevel(client, 'watch', { notification_email: email }, '')
    await set(user.id, { language: 'de' })
    await newIssue('reporter')
    const [first] = await app.deliver()
    expect(first?.to).toBe(email)
    expect(first?.text).toContain(`${nameOf('reporter')} hat dieses Issue erstellt.\n`)
    expect(first?.text).toContain('Diesen Thread abbestellen: ')
    expect(first?.html).toContain('<html lang="de">')
    await world.as('admin').delete(`/users/${user.id}/emails/${added.json().id}`)
    await newIssue('reporter')
    expect((await app.deliver()).map(({ to }) => to)).toEqual([user.email])
  })
})

describe('what somebody may not see', () => {
  it('is not told: a confidential issue to Guests who have no part in it', async () => {
    for (const role of ['guest', 'developer'] as const) await setLevel(world.as(role), 'watch')
    await newIssue('reporter', { confidential: true })
    expect(Object.keys(await told())).toEqual(['developer'])
    const { iid } = await newIssue('reporter', { assignee_ids: [idOf('guest')] })
    await change('reporter', iid, { confidential: true })
    await told()
    await comment('reporter', iid, 'Among us.')
    expect(Object.keys(await told())).toEqual(['developer', 'guest'])
  })

  it('is not told: an internal note below Reporters, whoever they are', async () => {
    const { iid } = await newIssue('guest')
    await told()
    await setLevel(world.as('developer'), 'watch')
    await comment('reporter', iid, `@${world.users.guest.username} did it.`, { internal: true })
    expect(await told()).toEqual({ developer: `${nameOf('reporter')} added an internal note:` })
  })

  it('is not told: the project, an issue or a note to who lost the right before the email is sent', async () => {
    const { user, client } = await newMember(20)
    await setLevel(client, 'watch')
    const { iid } = await newIssue('reporter')
    expect(Object.keys(await told())).toEqual([user.email])
    const member = `/projects/${project.id}/members/${user.id}`
    /** Has the emails asked for, and then something happen before they are sent. */
    const between = async (happen: () => Promise<unknown>) => {
      const { notificationTasks } = await import('./notification.tasks.ts')
      const rows = await app.db
        .selectFrom('tasks')
        .selectAll()
        .where('name', '=', 'notify-people')
        .execute()
      for (const { payload } of rows) {
        const uses = { ...app, clock: app.clock.now }
        await notificationTasks[0]?.run(uses as never, payload as never)
      }
      await app.db.deleteFrom('tasks').where('name', '=', 'notify-people').execute()
      const waiting = await app.db
        .selectFrom('tasks')
        .select('id')
        .where('name', '=', 'send-notification')
        .execute()
      expect(waiting.length).toBeGreaterThan(0)
      await happen()
    }
    await comment('reporter', iid, 'Internal.', { internal: true })
    await between(() => world.as('owner').put(member, { access_level: 10 }))
    expect(await told()).toEqual({})
    await comment('reporter', iid, 'Open.')
    await between(() => change('reporter', iid, { confidential: true }))
    expect(await told()).toEqual({})
    await change('reporter', iid, { confidential: false })
    await comment('reporter', iid, 'Open again.')
    await between(() => world.as('owner').delete(member))
    expect(await told()).toEqual({})
  })

  it.each(['project', 'group'] as const)('is not told of a %s without emails', async (place) => {
    const group = await world.newMemberedGroup()
    project = await newProjectIn(await newSubgroup(group))
    await setLevel(world.as('developer'), 'watch')
    await newIssue('owner')
    expect(Object.keys(await told())).toEqual(['developer'])
    const url = place === 'project' ? `/projects/${project.id}` : `/groups/${group.id}`
    await world.as('owner').put(url, { emails_disabled: true })
    await newIssue('owner')
    expect(await told()).toEqual({})
  })
})

describe('an email', () => {
  it('carries no header and no markup of who wrote the text, and loads nothing', async () => {
    await setLevel(world.as('developer'), 'watch')
    const title = 'Hi\r\nBcc: victim@mail.test\u202E <script>'
    const description =
      '<script>alert(1)</script><img src="https://x.test/p.png" alt="a pixel">\n\n[home](/root)'
    await newIssue('reporter', { title, description })
    const [email] = await app.deliver()
    expect(email?.subject).toMatch(/\| Hi Bcc: victim@mail\.test <script> \(#1\)$/)
    expect(email?.html).not.toContain('<script')
    expect(email?.html).not.toContain('<img')
    expect(email?.html).toContain('[a pixel]')
    expect(email?.html).toContain('href="http://bloomery.test/root"')
  })

  it('of a very long text is short, and says that the text goes on', async () => {
    await setLevel(world.as('developer'), 'watch')
    const { iid } = await newIssue('reporter')
    await app.deliver()
    const long = await comment('reporter', iid, '<b>x</b> \n'.repeat(90_000))
    expect([long.statusCode, long.body.slice(0, 200)]).toEqual([201, expect.anything()])
    const [email] = await app.deliver()
    expect(email?.text.length).toBeLessThan(limits.mail.text_characters + 2000)
    expect(email?.html.length).toBeLessThan(limits.mail.html_characters + 10_000)
    expect(email?.text).toContain('The text goes on. Open the link to read all of it.')
  })

  it('ends the thread by its link: after a press on the page, or at once by a mail program', async () => {
    const { iid } = await newIssue('reporter')
    await told()
    await comment('developer', iid, 'One.')
    const [email] = await app.deliver()
    const path = URL.parse(email?.headers?.['List-Unsubscribe']?.slice(1, -1) ?? '')?.pathname ?? ''
    const page = await app.client().get(path)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<button autofocus>Unsubscribe</button>')
    await comment('developer', iid, 'Looking at the page does nothing.')
    expect(Object.keys(await told())).toEqual(['reporter'])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const press = (url: string) => app.client().post(url, 'List-Unsubscribe=One-Click', { headers })
    const forged = path.replace(/[\w-](?=\/unsubscribe)/, (last) => (last === 'A' ? 'B' : 'A'))
    expect((await press(forged.replace(/-(\d+)-/, '-1-'))).statusCode).toBe(400)
    expect((await press(path)).body).toContain('You are unsubscribed')
    await comment('developer', iid, 'Two.')
    expect(await told()).toEqual({})
  })

  it('reaches a mail server in one thread with the others about the issue', async () => {
    const smtp = await startSmtp()
    const own = await startApp({ BLOOMERY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` })
    try {
      const other = await newWorld(own)
      const { id } = await other.newProject()
      const watch = { level: 'watch' }
      await other.as('developer').put(`/projects/${id}/notification_settings`, watch)
      const issue = (
        await other
          .as('reporter')
          .post(`/projects/${id}/issues`, { title: 'Pipe\r\nBcc: victim@mail.test' })
      ).json()
      await other.as('reporter').post(`/projects/${id}/issues/${issue.iid}/notes`, { body: 'Hm' })
      await own.worker.drain()
      const [first, second] = smtp.received.map(({ headers }) => headers)
      expect(smtp.received).toHaveLength(2)
      const root = `<issue_${issue.id}@bloomery.test>`
      expect(first?.get('message-id')).toBe(root)
      expect(second?.get('in-reply-to')).toBe(root)
      expect(second?.get('references')).toBe(root)
      expect(second?.get('message-id')).not.toBe(root)
      expect(second?.get('subject')).toMatch(/^Re: .* \| Pipe Bcc: victim@mail\.test \(#1\)$/)
      expect(second?.has('bcc')).toBe(false)
      expect(smtp.received.flatMap(({ to }) => to)).toEqual(
        Array(2).fill(other.users.developer.email),
      )
      expect(second?.get('x-gitlab-issue-iid')).toBe('1')
      expect(second?.get('list-id')).toMatch(/<[\w.-]+\.bloomery\.test>$/)
      expect(second?.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
      expect(second?.get('auto-submitted')).toBe('auto-generated')
    } finally {
      await own.close()
      await smtp.close()
    }
  })
})

describe('what it takes', () => {
  it('is nothing without a mail server, and one statement more for a note with one', async () => {
    const own = await startApp()
    try {
      const silent = await newWorld(own)
      const measure = async (of: World, at: typeof own) => {
        const { id } = await of.newProject()
        const url = `/projects/${id}/issues`
        const { iid } = (await of.as('reporter').post(url, { title: 'Pipe' })).json()
        const write = () => of.as('reporter').post(`${url}/${iid}/notes`, { body: 'Hm' })
        await write()
        return (await at.count(write)).queries
      }
      const without = await measure(silent, own)
      const names = await own.db.selectFrom('tasks').select('name').distinct().execute()
      expect(names.map(({ name }) => name)).not.toContain('notify-people')
      expect((await measure(world, app)) - without).toBe(1)
    } finally {
      await own.close()
    }
  })

  it('is as many statements for 200 people who watch as for two, beside those of their emails', async () => {
    const watchers = async (count: number) => {
      project = await world.newProject({ group: world.groups.open })
      const updated_at = app.clock.now().toISOString()
      const users = await app.db
        .selectFrom('users')
        .select('id')
        .where('username', 'like', 'watcher-%')
        .orderBy('id')
        .limit(count)
        .execute()
      await app.db
        .insertInto('notification_settings')
        .values(
          users.map(({ id: user_id }) => ({
            ...{ user_id, project_id: project.id, namespace_id: null },
            ...{ level: 'watch' as const, events: '{}', notification_email: null, updated_at },
          })),
        )
        .execute()
    }
    await app.db
      .insertInto('users')
      .values(
        Array.from({ length: limits.mail.recipients_at_once + 1 }, (_, n) => ({
          ...{ username: `watcher-${n}`, name: 'W', email: `watcher-${n}@x.test` },
          ...{ confirmed_at: app.clock.now().toISOString() },
          ...{
            created_at: app.clock.now().toISOString(),
            updated_at: app.clock.now().toISOString(),
          },
        })),
      )
      .execute()
    const { notificationTasks } = await import('./notification.tasks.ts')
    const notify = async () => {
      await newIssue('owner')
      const rows = await app.db
        .selectFrom('tasks')
        .select('payload')
        .where('name', '=', 'notify-people')
        .execute()
      const uses = { ...app, clock: app.clock.now }
      const { queries } = await app.count(async () => {
        for (const { payload } of rows) {
          await notificationTasks[0]?.run(uses as never, payload as never)
        }
      })
      return queries
    }
    await watchers(2)
    const few = await notify()
    expect(await app.deliver()).toHaveLength(2)
    await watchers(limits.mail.recipients_at_once - 1)
    expect(await notify()).toBe(few)
    expect(await app.deliver()).toHaveLength(limits.mail.recipients_at_once - 1)
    // More of them are for a task of their own each.
    await watchers(limits.mail.recipients_at_once + 1)
    await newIssue('owner')
    expect(await app.deliver()).toHaveLength(limits.mail.recipients_at_once + 1)
  })
})
