// Who reads, lists and changes issues and merge requests: each rule as a table, asked at the API.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../test/kit/app.ts'
import { newBranches } from '../../test/kit/merge-requests.ts'
import { newWorld, everybody as roles, type World } from '../../test/kit/world.ts'
import { Level } from '../access/level.ts'
import type { Project } from './project.ts'

/** `author` and `assignee` were Developers and are members no longer; `external` is an external user. */
const names = [
  ...['anonymous', 'external', 'outsider', 'author', 'assignee'],
  ...['guest', 'reporter', 'developer', 'maintainer', 'owner', 'admin'],
] as const
const everybody = names.join(' ')
const signedIn = everybody.replace('anonymous ', '')
const internal = signedIn.replace('external ', '')
const guests = 'guest reporter developer maintainer owner admin'
const reporters = 'reporter developer maintainer owner admin'
const developers = 'developer maintainer owner admin'
const owners = 'owner admin'
const nobody = ''

let world: World
let clients: Map<string, Client>
let project: Project
/** `/projects/:id` of it. */
let at: string
/** An open issue, and two that are confidential: of `author` for `assignee`, and of the Owner. */
const [open, hidden, hiddenFromAuthor] = ['issues/1', 'issues/2', 'issues/3']
/** A merge request of `author` for `assignee`. */
const request = 'merge_requests/1'

beforeAll(async () => {
  world = await newWorld()
  project = (await newBranches(world, { options: { group: world.groups.open } })).project
  at = `/projects/${project.id}`
  const newMember = async () => {
    const { user, client } = await world.newUser()
    await send('owner', 'POST', 'members', { user_id: user.id, access_level: Level.developer })
    return { client, id: user.id }
  }
  clients = new Map<string, Client>(roles.map((who) => [who, world.as(who)]))
  const [author, assignee] = [await newMember(), await newMember()]
  clients.set('author', author.client).set('assignee', assignee.client)
  clients.set('external', (await world.newUser({ external: true })).client)
  const fields = { confidential: true, assignee_id: assignee.id }
  await send('owner', 'POST', 'issues', { title: 'Open' })
  await send('author', 'POST', 'issues', { title: 'Hidden', ...fields })
  await send('owner', 'POST', 'issues', { title: 'Hidden from the author', confidential: true })
  const branches = { source_branch: 'topic', target_branch: 'main' }
  const body = { title: 'Request', assignee_id: assignee.id, ...branches }
  await send('author', 'POST', 'merge_requests', body)
  for (const { id } of [author, assignee]) await send('owner', 'DELETE', `members/${id}`)
})

const clientOf = (who: string) => {
  const client = clients.get(who)
  if (!client) throw new Error(`There is no caller ${who}.`)
  return client
}

async function send(who: string, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const client = clientOf(who)
  const url = path === '' ? at : `${at}/${path}`
  const answer = await client[method.toLowerCase() as 'post'](url, body)
  if (answer.statusCode >= 300) throw new Error(`${url} ${answer.statusCode} ${answer.body}`)
}

/** Those of the callers for whom the answer is yes. */
async function callersOf(ask: (client: Client) => Promise<boolean>): Promise<string> {
  const found: string[] = []
  for (const who of names) if (await ask(clientOf(who))) found.push(who)
  return found.join(' ')
}

const readersOf = (thing: string) =>
  callersOf(async (client) => {
    const { statusCode } = await client.get(`${at}/${thing}`)
    expect([200, 404]).toContain(statusCode)
    return statusCode === 200
  })

/** Who finds it in the list of all they see. */
const findersOf = (thing: string) => {
  const [list, iid] = thing.split('/')
  return callersOf(async (client) => {
    const answer = await client.get(`/${list}?scope=all&per_page=100&iids[]=${iid}`)
    expect(answer.statusCode).toBe(200)
    const rows: { project_id: number }[] = answer.json()
    return rows.some(({ project_id }) => project_id === project.id)
  })
}

/** The project as it was made, but for these. */
const set = (changes: object) =>
  send('owner', 'PUT', '', {
    ...{ visibility: 'public', repository_access_level: 'enabled' },
    ...{ issues_access_level: 'enabled', merge_requests_access_level: 'enabled' },
    ...changes,
  })

describe('Who reads issues', () => {
  it.each([
    ['public', 'enabled', everybody, `author assignee ${reporters}`, reporters],
    ['public', 'private', guests, reporters, reporters],
    ['public', 'disabled', nobody, nobody, nobody],
    ['internal', 'enabled', internal, `author assignee ${reporters}`, reporters],
    ['internal', 'private', guests, reporters, reporters],
    ['private', 'enabled', guests, reporters, reporters],
    ['private', 'private', guests, reporters, reporters],
    ['private', 'disabled', nobody, nobody, nobody],
  ] as const)(
    'finds the same in lists, where the project is %s and has them %s',
    async (...row) => {
      const [visibility, issues_access_level, all, trusted, fewer] = row
      await set({ visibility, issues_access_level })
      for (const [issue, expected] of [
        [open, all],
        [hidden, trusted],
        [hiddenFromAuthor, fewer],
      ] as const) {
        expect([issue, await readersOf(issue)]).toEqual([issue, expected])
        expect([issue, await findersOf(issue)]).toEqual([issue, expected])
      }
    },
  )

  it('finds them without the right to read code', async () => {
    await set({ repository_access_level: 'disabled' })
    expect(await readersOf(open)).toBe(everybody)
    expect(await findersOf(open)).toBe(everybody)
  })
})

describe('Who reads merge requests', () => {
  it.each([
    ['public', 'enabled', 'enabled', everybody],
    ['public', 'enabled', 'private', reporters],
    ['public', 'enabled', 'disabled', nobody],
    ['public', 'private', 'enabled', guests],
    ['public', 'private', 'private', reporters],
    ['public', 'disabled', 'enabled', nobody],
    ['internal', 'enabled', 'enabled', internal],
    ['internal', 'private', 'enabled', guests],
    ['private', 'enabled', 'enabled', reporters],
    ['private', 'private', 'private', reporters],
    ['private', 'enabled', 'disabled', nobody],
  ] as const)(
    'finds the same in lists, where the project is %s, has them %s and its code %s',
    async (...row) => {
      const [visibility, merge_requests_access_level, repository_access_level, expected] = row
      await set({ visibility, merge_requests_access_level, repository_access_level })
      expect(await readersOf(request)).toBe(expected)
      expect(await findersOf(request)).toBe(expected)
    },
  )
})

/** Who has each of the abilities that the thing is shown with. */
async function abilitiesOn(thing: string): Promise<Record<string, string>> {
  const holders: Record<string, string[]> = {}
  for (const who of names) {
    const answer = await clientOf(who).get(`${at}/${thing}?with_abilities=true`)
    expect([200, 404]).toContain(answer.statusCode)
    for (const [ability, isHeld] of Object.entries(answer.json().abilities ?? {})) {
      holders[ability] ??= []
      if (isHeld) holders[ability].push(who)
    }
  }
  return Object.fromEntries(Object.entries(holders).map(([name, held]) => [name, held.join(' ')]))
}

describe('Who may change, discuss and remove', () => {
  beforeAll(() => set({}))

  it('Reporters change an issue, and its author and assignees do', async () => {
    const ofReporters = {
      ...{ change_details: reporters, write_internal_notes: reporters, track_time: reporters },
      remove: owners,
    }
    expect(await abilitiesOn(open)).toEqual({
      ...ofReporters,
      update: reporters,
      discuss: signedIn,
    })
    const those = `author assignee ${reporters}`
    expect(await abilitiesOn(hidden)).toEqual({ ...ofReporters, update: those, discuss: those })
    expect(await abilitiesOn(hiddenFromAuthor)).toEqual({
      ...ofReporters,
      ...{ update: reporters, discuss: reporters },
    })
  })

  it('Developers change a merge request, and its author and assignees do', async () => {
    expect(await abilitiesOn(request)).toEqual({
      update: `author assignee ${developers}`,
      ...{ change_details: developers, track_time: developers },
      discuss: signedIn,
      write_internal_notes: reporters,
      remove: owners,
      resolve_threads: `author ${developers}`,
    })
  })

  it('members alone write in a locked discussion', async () => {
    for (const thing of [open, request]) {
      await send('owner', 'PUT', thing, { discussion_locked: true })
      expect((await abilitiesOn(thing)).discuss).toBe(guests)
      await send('owner', 'PUT', thing, { discussion_locked: false })
      expect((await abilitiesOn(thing)).discuss).toBe(signedIn)
    }
    await send('owner', 'PUT', hidden, { discussion_locked: true })
    expect((await abilitiesOn(hidden)).discuss).toBe(reporters)
  })

  it('nobody changes anything in an archived project', async () => {
    await send('owner', 'POST', 'archive')
    for (const thing of [open, hidden, request]) {
      expect(new Set(Object.values(await abilitiesOn(thing)))).toEqual(new Set([nobody]))
    }
    await send('owner', 'POST', 'unarchive')
  })
})

describe('What one may not read', () => {
  const told = async (asked: ReturnType<Client['get']>) => {
    const { statusCode, json } = await asked
    return [statusCode, json().message]
  }
  const missing = [404, '404 Not found']
  const missingRequest = [404, '404 Merge Request Not Found']
  const forbidden = [403, '403 Forbidden']

  it('is missing to read or to subscribe to, and forbidden to change', async () => {
    await set({})
    const author = clientOf('author')
    const issue = `${at}/${hiddenFromAuthor}`
    expect(await told(author.get(issue))).toEqual(missing)
    // A HEAD tells no more than the GET would.
    for (const url of [issue, `${issue}/participants`, `${at}/issues/9`]) {
      expect((await author.head(url)).statusCode).toBe(404)
    }
    expect(await told(author.post(`${issue}/subscribe`))).toEqual(missing)
    expect(await told(author.put(issue, { title: 'Mine' }))).toEqual(forbidden)
    expect(await told(author.delete(issue))).toEqual(forbidden)
    await set({ visibility: 'private' })
    const guest = clientOf('guest')
    expect(await told(guest.get(`${at}/${request}`))).toEqual(missingRequest)
    expect((await guest.head(`${at}/${request}`)).statusCode).toBe(404)
    expect(await told(guest.post(`${at}/${request}/subscribe`))).toEqual(missingRequest)
    expect(await told(guest.put(`${at}/${request}`, { title: 'Mine' }))).toEqual(forbidden)
  })

  it('is missing by another name to whoever deletes an issue', async () => {
    await set({})
    const owner = clientOf('owner')
    expect(await told(owner.get(`${at}/issues/9`))).toEqual(missing)
    expect(await told(owner.delete(`${at}/issues/9`))).toEqual([404, '404 Issue Not Found'])
  })
})

it('no number that an issue cannot have is looked for', async () => {
  const queriesFor = async (iid: string) => {
    const { queries } = await world.app.count(() => clientOf('owner').get(`${at}/issues/${iid}`))
    return queries
  }
  const looked = await queriesFor('2147483647')
  for (const iid of [
    ...['0', '-1', '2147483648', '1.5', '9007199254740993'],
    ...['0x1', '1e0', '1.0', '01', '%201', '%2B1'],
  ])
    expect([iid, await queriesFor(iid)]).toEqual([iid, looked - 1])
})

it('a search for notes says on which issue they are, and looks for none where it finds none', async () => {
  await send('owner', 'POST', `${open}/notes`, { body: 'A remark' })
  const search = (text: string) => clientOf('owner').get(`${at}/search?scope=notes&search=${text}`)
  expect((await search('remark')).json()).toMatchObject([{ body: 'A remark', noteable_iid: 1 }])
  const queriesFor = async (text: string) => (await world.app.count(() => search(text))).queries
  expect(await queriesFor('nothing-like-that')).toBe((await queriesFor('remark')) - 1)
})

it('an address below an issue or merge request is described with both of its numbers', async () => {
  const { paths } = (await clientOf('anonymous').get('/openapi.json')).json()
  for (const thing of ['issues/{issue_iid}', 'merge_requests/{merge_request_iid}']) {
    const { parameters } = paths[`/projects/{id}/${thing}`].get
    const described = new Map<string, unknown>(
      parameters.map(({ name, schema }: { name: string; schema: unknown }) => [name, schema]),
    )
    expect(described.get('id')).toMatchObject({ type: 'string' })
    expect(described.get(thing.split(/[{}]/)[1] ?? '')).toEqual({
      type: 'integer',
      description: 'The number it has in its project.',
    })
  }
})
