// Reads requests to the OAuth pages and endpoints, and identifies the user of the browser.

import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor, ActorUser } from '../../access/actor.ts'
import type { OauthParameters } from '../../features/people/oauth/authorization.ts'
import { findSessionStartTime } from '../../features/people/sessions/session.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import type { Instance } from '../../http/endpoint.ts'
import { parseForm, parseJson, queryStringOf } from '../../http/raw-parameters.ts'
import { csrfTokenOf, findSessionCookie } from '../../http/session-cookie.ts'
import { limits } from '../../kernel/limits.ts'

/** Adds parsers of form and JSON bodies that keep only text fields. */
export function addFormParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: limits.oauth.body_bytes },
    async ({ headers }: FastifyRequest, body: string | Buffer) => {
      const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '')
      return isJson ? parseJson(Buffer.from(body)) : parseForm(String(body))
    },
  )
}

function textsOf(bag: unknown): OauthParameters {
  const entries = Object.entries((bag ?? {}) as Record<string, unknown>)
  // Neither database keeps NUL or half a character.
  const texts = entries.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !entry[1].includes('\0') && entry[1].isWellFormed(),
  )
  return Object.fromEntries(texts)
}

export function formParametersOf({ body }: FastifyRequest): OauthParameters {
  return textsOf(body)
}

export function queryParametersOf({ raw }: FastifyRequest): OauthParameters {
  return textsOf(parseForm(queryStringOf(raw.url ?? '')))
}

/** The user who is signed in at the browser, since when, and the token that its forms must contain. */
export type SignedInVisitor = {
  /** With the administrator who impersonates the user, if one does. */
  actor: Actor
  user: ActorUser
  auth_time: string
  csrf_token: string
}

/** Returns the signed-in user of a browser. Throws 403 for an account that may not be used. */
export async function findSignedInVisitor(
  { db, config, authenticator }: Pick<Instance, 'db' | 'config'> & { authenticator: Authenticator },
  request: FastifyRequest,
): Promise<SignedInVisitor | undefined> {
  const cookie = findSessionCookie(request.headers, baseUrlOf(config, request))
  if (cookie === undefined) return undefined
  const { ip } = request
  const actor = await authenticator.bySession(cookie, { ip, allowsExpiredPassword: false })
  const auth_time = actor?.session && (await findSessionStartTime(db, actor.session.id))
  if (!actor?.user || auth_time === undefined) return undefined
  return { actor, user: actor.user, auth_time, csrf_token: csrfTokenOf(cookie) }
}

/** Compares a text with one that only our own page contains, in constant time. */
export function isSameTextConstantTime(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
