// What is internal or confidential shows in no answer to somebody it is hidden from: every GET endpoint there is,
// about the project, group and people concerned, is asked by each of them.
import { beforeAll, expect, it } from 'vitest'
import { Level } from '../src/access/level.ts'
import { endpoints } from '../src/features/families.ts'
import { type AddressValues, addressesOf } from './kit/every-address.ts'
import { newBranches, newRequest } from './kit/merge-requests.ts'
import { newWorld, type Who, type World } from './kit/world.ts'

type Client = ReturnType<World['as']>

let world: World
let values: AddressValues
let hiddenNames: string[]
let hooks: Record<'open' | 'all', string>

/** Texts that only Reporters may read have this word. */
const word = 'sesame'

/** A user of whom nothing else is known, and a Reporter of the project. */
async function newReporter(project_id: number) {
  const { user, client } = await world.newUser()
  const body = { user_id: user.id, access_level: Level.reporter }
  await send(world.as('owner'), `/projects/${project_id}/members`, body)
  return { user, client }
}

async function send(client: Client, url: string, body: object) {
  const answer = await client.post(url, body)
  if (answer.statusCode >= 300) throw new Error(`${url} ${answer.statusCode} ${answer.body}`)
  return answer.body === '' ? undefined : answer.json()
}

beforeAll(async () => {
  world = await newWorld()
  const { project, url: requests } = await newBranches(world, {
    options: { group: world.groups.open },
  })
  const owner = world.as('owner')
  const at = `/projects/${project.id}`
  const newHook = async (isAll: boolean) => {
    const flags = { note_events: true, issues_events: true, push_events: false }
    const more = { confidential_note_events: isAll, confidential_issues_events: isAll }
    const hook = await send(owner, `${at}/hooks`, { url: 'http://x.test', ...flags, ...more })
    return `${at}/hooks/${hook.id}/events`
  }
  hooks = { open: await newHook(false), all: await newHook(true) }
  await send(owner, `${at}/issues`, { title: 'An issue' })
  await send(owner, `${at}/issues`, { title: 'Another issue' })
  await newRequest(world, { url: requests }, { who: 'owner' })

  const [author, answerer, named, hider] = await Promise.all(
    Array.from({ length: 4 }, () => newReporter(project.id)),
  )
  if (!author || !answerer || !named || !hider) throw new Error('unreachable')
  hiddenNames = [author, answerer, named, hider].map(({ user }) => user.username)
  const ids = { note: [] as number[], thread: [] as string[], award: [] as number[] }
  const keep = (note: { id: number }, thread?: string) => {
    ids.note.push(note.id)
    if (thread) ids.thread.push(thread)
  }
  for (const [place, other] of [
    ['issues/1', '#2 !1'],
    ['merge_requests/1', '#2'],
  ]) {
    const body = `${word} to @${named.user.username} about ${other}`
    const note = await send(author.client, `${at}/${place}/notes`, { body, internal: true })
    const award = `${at}/${place}/notes/${note.id}/award_emoji`
    ids.award.push((await send(author.client, award, { name: 'star' })).id)
    const threads = (await author.client.get(`${at}/${place}/discussions`)).json()
    const { id } = threads.find(({ notes }: { notes: { id: number }[] }) =>
      notes.some((one) => one.id === note.id),
    )
    keep(note, id)
    const answer = `${at}/${place}/discussions/${id}/notes`
    keep(await send(answerer.client, answer, { body: `${word} as answer` }))
    if (place === 'issues/1') continue
    const drafts = `${at}/${place}/draft_notes`
    const draft = { in_reply_to_discussion_id: id, note: `${word} as draft` }
    const { id: draft_id } = await send(answerer.client, drafts, draft)
    const published = await answerer.client.put(`${drafts}/${draft_id}/publish`)
    expect(published.statusCode).toBe(204)
    await send(answerer.client, drafts, draft)
    await send(answerer.client, `${drafts}/bulk_publish`, {})
  }
  await send(hider.client, `${at}/issues`, {
    title: `Hidden ${word}`,
    description: `See #1, #2 and !1, @${named.user.username}`,
    confidential: true,
  })
  await send(hider.client, `${at}/issues/3/notes`, { body: `${word} on the hidden one` })
  await send(owner, `${at}/issues/1/links`, {
    target_project_id: project.id,
    target_issue_iid: 3,
  })
  await world.app.worker.drain()
  values = {
    project: [project.id],
    group: [world.groups.open.id],
    user: [author, answerer, hider].map(({ user }) => user.id),
    issue_iid: [1, 2, 3],
    merge_request_iid: [1],
    note_id: ids.note,
    discussion_id: ids.thread,
    award_id: ids.award,
    sha: ['main'],
    branch: ['main'],
  }
})

const scopes = ['all', 'issues', 'merge_requests', 'milestones', 'notes', 'projects', 'users']

async function readAll(who: Who): Promise<{ told: string[]; asked: number }> {
  const told: string[] = []
  let asked = 0
  for (const endpoint of endpoints) {
    // A stream of changes does not end, and holds no texts.
    if (endpoint.method !== 'GET' || endpoint.path.includes('event_streams')) continue
    for (const url of addressesOf(endpoint, { values, scopes, word })) {
      asked++
      const answer = await world.as(who).get(url)
      const isOfThing = /\/(issues|merge_requests)\//.test(url)
      const names = isOfThing ? hiddenNames : []
      if ([word, ...names].some((text) => answer.body.includes(text) && answer.statusCode < 300)) {
        told.push(url)
      }
    }
  }
  return { told, asked }
}

it.each(['anonymous', 'outsider', 'guest'] as const)(
  'no endpoint shows %s what is internal or confidential',
  { timeout: 120_000 },
  async (who) => {
    expect(await readAll(who)).toEqual({ told: [], asked: expect.any(Number) })
  },
)

it('the same endpoints show it to Reporters, so that the walk proves something', {
  timeout: 120_000,
}, async () => {
  const { told } = await readAll('reporter')
  const kinds = new Set(
    told.map((url) => url.replace(/\?.*/, '').replace(/\/[0-9a-f]{40}|\/\d+/g, '')),
  )
  for (const kind of [
    '/projects/issues',
    '/projects/issues/notes',
    '/projects/issues/discussions',
    '/projects/issues/discussions/notes',
    '/projects/issues/participants',
    '/projects/issues/links',
    '/projects/issues/notes/award_emoji',
    '/projects/merge_requests/notes',
    '/projects/merge_requests/discussions',
    '/projects/merge_requests/participants',
    '/projects/events',
    '/users/events',
    '/projects/search',
    '/groups/issues',
    '/issues',
  ]) {
    expect([...kinds]).toContain(kind)
  }
})

it('webhooks for what is open are told of none of it', async () => {
  expect((await world.as('owner').get(hooks.open)).body).not.toContain(word)
  expect((await world.as('owner').get(hooks.all)).body).toContain(word)
})

it('a mention in an internal note is told to who may read that note, and again when an open text says it', async () => {
  const project = values.project?.[0]
  const notes = `/projects/${project}/issues/2/notes`
  const bodies = async (who: Who) => {
    const answer = await world.as(who).get(notes)
    return answer.json().map(({ body }: { body: string }) => body)
  }
  expect(await bodies('reporter')).toEqual(
    expect.arrayContaining(['mentioned in merge request !1', 'mentioned in issue #1']),
  )
  expect(await bodies('guest')).toEqual([])
  await send(world.as('owner'), `/projects/${project}/issues/1/notes`, { body: 'As #2 says' })
  expect(await bodies('guest')).toEqual(['mentioned in issue #1'])
  const all = await bodies('reporter')
  expect(all.filter((body: string) => body === 'mentioned in issue #1')).toHaveLength(1)
})

it('an internal note relates a merge request to an issue, and a hidden issue counts, for Reporters alone', async () => {
  const at = `/projects/${values.project?.[0]}`
  const owner = world.as('owner')
  const milestone = await send(owner, `${at}/milestones`, { title: 'm' })
  await owner.put(`${at}/issues/3`, { milestone_id: milestone.id })
  await send(owner, `${at}/releases`, { tag_name: 'v1', ref: 'main', milestones: ['m'] })
  const seenBy = async (who: Who) => {
    const related = await world.as(who).get(`${at}/issues/2/related_merge_requests`)
    const release = await world.as(who).get(`${at}/releases/v1`)
    return [related.json().length, release.json().milestones[0].issue_stats.total]
  }
  expect(await seenBy('reporter')).toEqual([1, 1])
  expect(await seenBy('guest')).toEqual([0, 0])
})

it('who is named by an internal note takes part for all once an open text names them', async () => {
  const issue = `/projects/${values.project?.[0]}/issues/1`
  const name = hiddenNames[2]
  const names = async (who: Who) =>
    (await world.as(who).get(`${issue}/participants`))
      .json()
      .map(({ username }: { username: string }) => username)
  expect(await names('guest')).not.toContain(name)
  await send(world.as('owner'), `${issue}/notes`, { body: `Thanks @${name}` })
  expect(await names('guest')).toContain(name)
})

it('whoever wrote a confidential issue or has to do it does not open it to all; Reporters do', async () => {
  const { guest } = world.users
  const project = values.project?.[0]
  const made = await send(world.as('outsider'), `/projects/${project}/issues`, { title: 'Mine' })
  const url = `/projects/${project}/issues/${made.iid}`
  await world.as('reporter').put(url, { assignee_ids: [guest.id] })
  await world.as('outsider').put(url, { confidential: true })
  for (const who of ['outsider', 'guest'] as const) {
    const answer = await world.as(who).put(url, { confidential: false, title: `Of ${who}` })
    expect(answer.json()).toMatchObject({ confidential: true, title: `Of ${who}` })
  }
  expect((await world.as('anonymous').get(url)).statusCode).toBe(404)
  const opened = await world.as('reporter').put(url, { confidential: false })
  expect(opened.json()).toMatchObject({ confidential: false })
  const hidden = await world.as('outsider').put(url, { confidential: true })
  expect(hidden.json()).toMatchObject({ confidential: true })
})
