// Who reads which notes of an issue, and the events of them: one table, asked at the API.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../test/kit/app.ts'
import { newBranches, newRequest } from '../../test/kit/merge-requests.ts'
import { newWorld, type World } from '../../test/kit/world.ts'
import { Level } from '../access/level.ts'
import type { Project } from './project.ts'

let world: World
/** `here` has the issue that is read; both it and `there` are public, `shut` is private. */
let places: Record<'here' | 'there' | 'shut', Project>
/**
 * `here` and `there` in a name say of which project somebody is a member: `there` of both that mention the issue.
 * `author` wrote what is internal as a Reporter, and is a member no longer.
 */
const readers = new Map<string, Client>()
let author_name: string
const [guestsThere, reportersThere] = ['guestThere reporterThere admin', 'reporterThere admin']
const signedIn = 'outsider guestHere reporterHere guestThere reporterThere author admin'

const urlOf = (place: keyof typeof places) => `/projects/${places[place].id}`

async function post(client: Client, url: string, body: object) {
  const answer = await client.post(url, body)
  if (answer.statusCode !== 201) throw new Error(`${url} ${answer.statusCode} ${answer.body}`)
  return answer.json()
}

async function newMember(access_level: number, of: readonly (keyof typeof places)[]) {
  const { user, client } = await world.newUser()
  for (const place of of)
    await post(world.as('owner'), `${urlOf(place)}/members`, { user_id: user.id, access_level })
  return { user, client }
}

beforeAll(async () => {
  world = await newWorld()
  const here = await world.newProject({ group: world.groups.open })
  const there = await world.newProject({ group: world.groups.open })
  const { project: shut, url: requests } = await newBranches(world)
  places = { here, there, shut }
  const owner = world.as('owner')
  const author = await newMember(Level.reporter, ['here', 'there'])
  author_name = author.user.username
  const others = ['there', 'shut'] as const
  for (const [name, client] of [
    ['outsider', world.as('outsider')],
    ['guestHere', (await newMember(Level.guest, ['here'])).client],
    ['reporterHere', (await newMember(Level.reporter, ['here'])).client],
    ['guestThere', (await newMember(Level.guest, others)).client],
    ['reporterThere', (await newMember(Level.reporter, others)).client],
    ['author', author.client],
    ['admin', world.as('admin')],
  ] as const)
    readers.set(name, client)

  const issue = `${here.full_path}#1`
  const issueOf = (place: keyof typeof places, title: string, more = {}) =>
    post(owner, `${urlOf(place)}/issues`, { title, ...more })
  await issueOf('here', 'The issue')
  await post(owner, `${urlOf('here')}/issues/1/notes`, { body: 'An open note' })
  const internal = { body: 'An internal note', internal: true }
  await post(author.client, `${urlOf('here')}/issues/1/notes`, internal)
  await issueOf('here', 'Confidential here', { confidential: true, description: 'See #1' })

  await issueOf('there', 'Open there', { description: `See ${issue}` })
  await issueOf('there', 'Confidential there', { confidential: true, description: `See ${issue}` })
  await issueOf('there', 'Discussed internally')
  const secret = { body: `See ${issue}`, internal: true }
  await post(author.client, `${urlOf('there')}/issues/3/notes`, secret)

  await issueOf('shut', 'Open to Guests', { description: `See ${issue}` })
  await newRequest(world, { url: requests }, { who: 'owner', description: `See ${issue}` })
  await world.commit(shut, { fix: 'fix\n' }, { message: `See ${issue}` })
  await issueOf('shut', 'Linked')
  for (const [place, iid] of [
    ['here', 2],
    ['shut', 2],
  ] as const) {
    const target = { target_project_id: places[place].id, target_issue_iid: iid }
    await post(owner, `${urlOf('here')}/issues/1/links`, target)
  }
  await world.app.worker.drain()
  for (const place of ['here', 'there'] as const)
    await owner.delete(`${urlOf(place)}/members/${author.user.id}`)
})

/** Who of all, and of the anonymous, is told each of the texts that `textsIn` finds in the answer. */
async function readersOf(url: string, textsIn: (answer: Json[]) => string[]) {
  const found: Record<string, string[]> = {}
  for (const [name, client] of [['anonymous', world.as('anonymous')] as const, ...readers]) {
    const answer = await client.get(`${urlOf('here')}/${url}?per_page=100`)
    expect([200, 401]).toContain(answer.statusCode)
    if (answer.statusCode === 401) continue
    for (const text of textsIn(answer.json())) {
      found[text] ??= []
      found[text].push(name)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([text, who]) => [text, who.join(' ')]))
}
type Json = { body: string; username: string; note?: { body: string } }

describe('A note of an issue', () => {
  it('is shown to whoever may read it and what it names', async () => {
    const { there, shut } = places
    const notes = await readersOf('issues/1/notes', (rows) =>
      rows.map(({ body }) => body.replace(/[0-9a-f]{40}$/, 'sha')),
    )
    expect(notes).toEqual({
      'An open note': signedIn,
      'An internal note': 'reporterHere author admin',
      'mentioned in issue #2': 'reporterHere admin',
      'marked this issue as related to #2': 'reporterHere admin',
      [`mentioned in issue ${there.path}#1`]: signedIn,
      [`mentioned in issue ${there.path}#2`]: reportersThere,
      // By an internal note, which is read there and not here.
      [`mentioned in issue ${there.path}#3`]: 'reporterThere author admin',
      [`mentioned in issue ${shut.full_path}#1`]: guestsThere,
      [`marked this issue as related to ${shut.full_path}#2`]: guestsThere,
      [`mentioned in merge request ${shut.full_path}!1`]: reportersThere,
      [`mentioned in commit ${shut.full_path}@sha`]: guestsThere,
    })
  })

  it('is among the events of the same readers', async () => {
    const events = await readersOf('events', (rows) =>
      rows.flatMap(({ note }) => (note ? [note.body] : [])),
    )
    expect(events).toEqual({
      'An open note': `anonymous ${signedIn}`,
      'An internal note': 'reporterHere author admin',
    })
  })

  it('shows them that its author takes part', async () => {
    const participants = await readersOf('issues/1/participants', (rows) =>
      rows.map(({ username }) => username),
    )
    expect(participants).toEqual({
      [world.users.owner.username]: `anonymous ${signedIn}`,
      [author_name]: 'reporterHere author admin',
    })
  })
})
