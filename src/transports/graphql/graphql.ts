// `POST /api/graphql`: the entry point of the supported part of GraphQL.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, anonymous } from '../../access/actor.ts'
import { DatabaseAwayError, logFailure } from '../../db/database-away.ts'
import type { GraphqlRequest } from '../../features/operating/graphql/graphql.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import { findRequestToken } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RateLimiter, sendTooManyRequests } from '../../http/rate-limit.ts'
import { parseForm, parseJson, queryStringOf } from '../../http/raw-parameters.ts'
import { findSessionCookie, isCsrfSafeRequest } from '../../http/session-cookie.ts'
import { ApiError } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import { runAsWork } from '../../kernel/work-attribution.ts'

type Uses = Pick<Instance, 'db' | 'config'> & {
  authenticator: Authenticator
  rateLimiter: RateLimiter
}

const readScopes = ['api', 'read_api']

/** Serves `/api/graphql`, with and without a slash at its end. */
export function mountGraphql(app: FastifyInstance, uses: Uses): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: limits.graphql.body_bytes },
    async (_request: FastifyRequest, body: string | Buffer) => Buffer.from(body),
  )
  app.post('/api/graphql', (request, reply) => serve(uses, request, reply))
}

async function serve(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const actor = await findCaller(uses, request).catch((error) => {
    if (error instanceof ApiError && error.status < 500) return error
    throw error
  })
  if (actor instanceof ApiError) {
    const isBarred = actor.kind === 'forbidden'
    return refuse(reply, actor.status, isBarred ? String(actor.detail) : 'Invalid token')
  }
  const { rateLimiter } = uses
  await rateLimiter.reloadIfStale()
  const name = rateLimiter.nameFor({ isSignedIn: actor.user !== undefined, isFilesApi: false })
  const verdict = rateLimiter.count(name, String(actor.user?.id ?? request.ip))
  if (verdict) return sendTooManyRequests(reply, verdict)
  const { token } = actor
  if (token && !token.scopes.some((scope) => readScopes.includes(scope))) {
    return refuse(reply, 403, 'insufficient_scope')
  }
  const asked = readQuery(request)
  if (typeof asked === 'string') return refuse(reply, 200, asked)
  const holder = actor.user ? `user:${actor.user.id}` : `address:${request.ip}`
  return runAsWork({ holder, name: 'POST /api/graphql' }, async () => {
    const baseUrl = baseUrlOf(uses.config, request)
    // The library is loaded when somebody first asks.
    const { answerQuery } = await import('../../features/operating/graphql/graphql.ts')
    try {
      return reply.send(await answerQuery({ ...uses, actor, baseUrl }, asked))
    } catch (error) {
      // Answered 503, as everywhere.
      if (error instanceof DatabaseAwayError) throw error
      logFailure(request.log, error)
      return refuse(reply, 500, 'Internal server error')
    }
  })
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ errors: [{ message }] })
}

async function findCaller(
  { authenticator, config }: Uses,
  request: FastifyRequest,
): Promise<Actor> {
  const token = findRequestToken(request.headers, parseForm(queryStringOf(request.raw.url ?? '')))
  if (token !== undefined) return authenticator.byToken(token)
  const cookie = findSessionCookie(request.headers, baseUrlOf(config, request))
  if (cookie === undefined || !isCsrfSafeRequest(cookie, request)) return anonymous
  const { ip } = request
  return (await authenticator.bySession(cookie, { ip, allowsExpiredPassword: false })) ?? anonymous
}

/** Returns the request in the body, or what is wrong with it. */
function readQuery({ body }: FastifyRequest): GraphqlRequest | string {
  let given: ReturnType<typeof parseJson>
  try {
    given = Buffer.isBuffer(body) ? parseJson(body) : {}
  } catch (error) {
    if (error instanceof ApiError) return 'The body is not valid JSON'
    throw error
  }
  const { query, variables, operationName } = given
  if (typeof query !== 'string' || query.trim() === '') return 'No query string was present'
  const isObject = typeof variables === 'object' && !Array.isArray(variables)
  if (variables !== undefined && !isObject) return 'Variables must be an object'
  return {
    query,
    variables: (variables ?? undefined) as GraphqlRequest['variables'],
    operationName: typeof operationName === 'string' && operationName ? operationName : undefined,
  }
}
