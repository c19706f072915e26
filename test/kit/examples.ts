// What the families' examples for docs/access-matrix/ are made of.
import { replaceLinkToken } from '../../src/features/people/outgoing-emails/link-token.ts'
import { findUserByUsername } from '../../src/subjects/user.ts'
import type { Client } from './app.ts'
import { newBranches, newRequest } from './merge-requests.ts'
import { browserAs } from './session.ts'
import { newKeyPair } from './ssh-key.ts'
import type { Who, World } from './world.ts'

/** The examples of a family, by method and path. */
export type Examples = Record<string, Example>

/** A good request of an endpoint: the path's parameters, the body or query, and whose client sends it. */
export type Example = (
  world: World,
  who: Who,
) => Promise<{ path?: Record<string, string | number>; body?: object; client?: Client }>

/** What a request is about, whoever sends it. */
export type Fixture = (world: World) => Promise<{ path: Record<string, string | number> }>

/** Of each world by itself: files of tests share a process, and not the application. */
const kept = new WeakMap<World, Map<Fixture, ReturnType<Fixture>>>()

/** Forgets what was made for all callers, after one of them has changed something. */
export function forgetKept(world: World): void {
  kept.delete(world)
}

/** Made once for all callers, and anew after one of them has changed something. */
export const keep =
  (make: Fixture): Fixture =>
  (world) => {
    const fixtures = kept.get(world) ?? new Map<Fixture, ReturnType<Fixture>>()
    kept.set(world, fixtures)
    const fixture = fixtures.get(make) ?? make(world)
    fixtures.set(make, fixture)
    return fixture
  }

export const project = keep(async (world) => ({
  path: { id: (await world.newProject({ files: { a: 'a' } })).id },
}))

export const file =
  (body: object): Example =>
  async (world) => ({ path: { ...(await project(world)).path, file_path: 'a' }, body })

export const branch = keep(async (world) => {
  const made = await world.newProject({ files: { a: 'a' } })
  await world.commit(made, { b: 'b' }, { branch: 'topic', start_branch: 'main' })
  return { path: { id: made.id, branch: 'topic' } }
})

/** A private project with an issue the owner has made. */
export const issue = keep(async (world) => {
  const { id } = await world.newProject()
  const made = await world.as('owner').post(`/projects/${id}/issues`, { title: 'An issue' })
  return { path: { id, issue_iid: made.json().iid } }
})

export const mergeRequest = keep(async (world) => {
  const { project, url } = await newBranches(world)
  const made = await newRequest(world, { url }, { who: 'owner' })
  return { path: { id: project.id, merge_request_iid: made.iid } }
})

/** The address of what a fixture's path names. */
export const addressOf = (url: string, path: Record<string, string | number>) =>
  url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))

export const commit: Fixture = async (world) => ({
  path: { ...(await project(world)).path, sha: 'main' },
})

export const tag = keep(async (world) => {
  const made = await world.newProject({ files: { a: 'a' } })
  const body = { tag_name: 'v1', ref: 'main' }
  await world.as('owner').post(`/projects/${made.id}/repository/tags`, body)
  return { path: { id: made.id, tag_name: 'v1' } }
})

/** The blob of the file `a` of every example. */
export const blob: Fixture = async (world) => ({
  path: {
    ...(await project(world)).path,
    sha: '2e65efe2a145dda7ee51d1741299f848e5bf752e',
  },
})

export const group = keep(async (world) => ({ path: { id: (await world.newMemberedGroup()).id } }))

export const withBody =
  (example: Example, body: object | ((world: World) => object | Promise<object>)): Example =>
  async (world, who) => ({
    ...(await example(world, who)),
    body: typeof body === 'function' ? await body(world) : body,
  })

export const withPath =
  (example: Example, more: (world: World) => Record<string, string | number>): Example =>
  async (world, who) => ({ path: { ...(await example(world, who)).path, ...more(world) } })

export const nothing: Fixture = async () => ({ path: {} })

export const ofGuest = (world: World) => ({ user_id: world.users.guest.id })

export const unique = () => `x-${Math.random().toString(36).slice(2)}`

export const newSshKey = () => ({ title: 'k', key: newKeyPair().public })

/** A call with a session, by whoever calls. */
export const session: Example = async (world, who) => {
  if (who === 'anonymous') return {}
  const name = who === 'admin' ? 'root' : world.users[who].username
  const user = await findUserByUsername(world.app.db, name)
  if (!user) throw new Error(`${name} is gone.`)
  return { client: (await browserAs(world, user)).client }
}

/** What a link in an email to somebody holds. */
export const linkToken = async (
  { app, newUser }: World,
  purpose: 'confirm-email' | 'reset-password',
) => {
  const { user } = await newUser({ confirmed_at: null })
  const { id: user_id, email } = user
  return replaceLinkToken(app.db, app.clock.now, { user_id, purpose, email })
}

/** Something of whoever calls, or of somebody where that is nobody. */
export const ownThing =
  (url: string, id: string, body: () => object | Promise<object>): Example =>
  async (world, who) => {
    const made = await world.as(who === 'anonymous' ? 'guest' : who).post(url, await body())
    return { path: { [id]: made.json().id } }
  }

export const thingOfGuest = (
  url: string,
  id: string,
  body: () => object | Promise<object>,
): Fixture =>
  keep(async (world) => {
    const made = await world.as('guest').post(url, await body())
    return { path: { id: world.users.guest.id, [id]: made.json().id } }
  })

export const aUser = keep(async (world) => ({ path: { id: (await world.newUser()).user.id } }))
