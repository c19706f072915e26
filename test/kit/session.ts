// Somebody at a browser: signs in with a password and keeps the cookie and its token.
import { createSession } from '../../src/features/people/sessions/session.ts'
import { csrfTokenOf, sessionCookies } from '../../src/http/session-cookie.ts'
import { hashPassword } from '../../src/kernel/secrets.ts'
import type { User } from '../../src/subjects/user.ts'
import type { Client, RequestOptions } from './app.ts'
import type { World } from './world.ts'

export const testPassword = 'a password of tests'
let digest: Promise<string> | undefined

/** A user with a password; it is hashed once, for hashing is slow by design. */
export async function newPasswordUser(world: World, fields: Parameters<World['newUser']>[0] = {}) {
  digest ??= hashPassword(testPassword)
  return world.newUser({ password_digest: await digest, ...fields })
}

export type Browser = {
  cookie: string
  csrf_token: string
  /** Requests with the cookie; `reads` sends no token with it, as a page of another site would. */
  reads: Client
  client: Client
}

/** The browser of a sign-in's answer. */
export function browserOf(
  world: World,
  answer: { headers: Record<string, unknown>; json: () => { csrf_token: string } },
): Browser {
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const { csrf_token } = answer.json()
  const reads = withHeaders(world.app.client(), { cookie })
  const client = withHeaders(world.app.client(), { cookie, 'x-csrf-token': csrf_token })
  return { cookie, csrf_token, reads, client }
}

/** Somebody signed in without a password having been asked for. */
export async function browserAs(world: World, user: User): Promise<Browser> {
  const { db, clock } = world.app
  const request = { ip: '127.0.0.1', user_agent: 'test' }
  const { cookie: value } = await createSession(db, clock.now, user, request)
  const headers = { 'set-cookie': sessionCookies(value, { baseUrl: '', age_s: 1 }) }
  return browserOf(world, { headers, json: () => ({ csrf_token: csrfTokenOf(value) }) })
}

/** The browser of an administrator who impersonates somebody. */
export async function impersonate(world: World, administrator: Browser, id: number) {
  const answer = await administrator.client.post(`/users/${id}/impersonation`)
  if (answer.statusCode !== 201) throw new Error(`Impersonation of user ${id}: ${answer.body}`)
  return browserOf(world, answer)
}

export async function signInAs(world: World, login: string, more: object = {}): Promise<Browser> {
  const body = { login, password: testPassword, ...more }
  const answer = await world.app.client().post('/session', body)
  if (answer.statusCode !== 201) throw new Error(`Sign-in of ${login}: ${answer.body}`)
  return browserOf(world, answer)
}

function withHeaders(client: Client, headers: Record<string, string>): Client {
  const merge = (options?: RequestOptions) => ({ headers: { ...headers, ...options?.headers } })
  return {
    get: (url, options) => client.get(url, merge(options)),
    head: (url, options) => client.head(url, merge(options)),
    post: (url, body, options) => client.post(url, body, merge(options)),
    put: (url, body, options) => client.put(url, body, merge(options)),
    patch: (url, body, options) => client.patch(url, body, merge(options)),
    delete: (url, body, options) => client.delete(url, body, merge(options)),
  }
}
