// Serves a list of endpoints: who calls, may they use the operation at all, what did they send, what
// do they mean, may they do this to it, and only then the operation. Answers come in that order.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, anonymous } from '../access/actor.ts'
import { tiers } from '../config.ts'
import {
  ApiError,
  forbidden,
  insufficientScope,
  methodNotAllowed,
  movedNotAllowed,
  tooLarge,
  unauthorized,
  unsupportedMediaType,
} from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { Answer, MovedError } from './answer.ts'
import { parseForm, parseJson, parseMultipart, readBody } from './bag.ts'
import { baseUrlOf } from './base-url.ts'
import { renameAliases } from './brand.ts'
import { findSudo, findToken } from './credentials.ts'
import type { Context, Endpoint, Services } from './endpoint.ts'
import { type Bag, readParameters } from './parameters.ts'
import type { RateLimiter } from './rate-limit.ts'
import { findSessionCookie, isOwnRequest } from './session-cookie.ts'

/** How callers are told from their tokens; the features that own users and tokens provide it. */
export type Authenticator = {
  /** The caller a token stands for; throws the 401 of an unknown, expired or revoked one. */
  byToken(token: string, request: { ip: string }): Promise<Actor>
  /** The caller a browser's cookie stands for, or undefined when it stands for nobody (any more). */
  bySession(
    cookie: string,
    request: { ip: string; allowsExpiredPassword: boolean },
  ): Promise<Actor | undefined>
  /** The user an administrator acts as, by id or name; throws the 404 when there is none. */
  bySudo(sudo: string, actor: Actor): Promise<Actor>
}

export type MountOptions = Services & {
  authenticator: Authenticator
  rateLimiter: RateLimiter
  /** Told of every JSON answer before it is sent; tests hold it against the declared schema. */
  onAnswer?: (endpoint: Endpoint, status: number, body: unknown) => void
}

type Call = { actor: Actor; token: string | undefined; query: Bag; sudo: string | undefined }
const calls = new WeakMap<FastifyRequest, Call>()

/** Who made this request, for the log. */
export function callerOf(request: FastifyRequest): number | undefined {
  return calls.get(request)?.actor.user?.id
}

/** Mounts the endpoints of the instance's tier on `app`, whose prefix is `/api/v4`. */
export function mountEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  options: MountOptions,
): void {
  acceptBodies(app)
  const served = endpoints.filter(
    ({ tier }) => tiers.indexOf(tier) <= tiers.indexOf(options.config.tier),
  )
  const methodsByPath = new Map<string, string[]>()
  for (const endpoint of served) {
    methodsByPath.set(endpoint.path, [...(methodsByPath.get(endpoint.path) ?? []), endpoint.method])
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      onRequest: (request, reply) => identify(request, reply, endpoint, options),
      handler: (request, reply) => handle(request, reply, endpoint, options),
    })
  }
  for (const [path, methods] of methodsByPath) refuseOthers(app, path, methods)
}

function refuseOthers(app: FastifyInstance, path: string, methods: readonly string[]): void {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((m) => !methods.includes(m))
  if (others.length === 0) return
  app.route({
    method: others,
    url: path,
    exposeHeadRoute: false,
    handler: () => {
      throw methodNotAllowed(allowed)
    },
  })
}

/** Bodies stay streams until the caller is known: see readBag. */
function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/** Finds the caller by header or query, before a byte of the body is read. */
async function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  { authenticator, rateLimiter }: MountOptions,
): Promise<FastifyReply | undefined> {
  const query = renameAliases(parseForm(queryOf(request.raw.url ?? '')))
  const token = findToken(request.headers, query)
  const call: Call = { actor: anonymous, token, query, sudo: findSudo(request.headers, query) }
  calls.set(request, call)
  if (token) call.actor = await authenticator.byToken(token, request)
  else call.actor = (await identifyBySession(request, endpoint, authenticator)) ?? anonymous
  const limitName = rateLimiter.nameFor({
    isSignedIn: call.actor.user !== undefined,
    isFilesApi: endpoint.scope === 'read_repository',
  })
  const verdict = rateLimiter.count(limitName, String(call.actor.user?.id ?? request.ip))
  if (!verdict) return undefined
  return reply
    .code(429)
    .headers({ ...verdict.headers, 'content-type': 'text/plain' })
    .send('Retry later\n')
}

/** A cookie that is no good is no credential, so that an old one stands in nobody's way. */
async function identifyBySession(
  request: FastifyRequest,
  { allowsExpiredPassword }: Endpoint,
  authenticator: Authenticator,
): Promise<Actor | undefined> {
  const cookie = findSessionCookie(request.headers)
  if (cookie === undefined || !isOwnRequest(cookie, request)) return undefined
  return authenticator.bySession(cookie, { ip: request.ip, allowsExpiredPassword })
}

function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

async function handle(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  options: MountOptions,
): Promise<FastifyReply> {
  const call = calls.get(request)
  if (!call) throw new Error('A request came here without being identified.')
  const baseUrl = baseUrlOf(options.config, request)
  const pathParameters = request.params as Record<string, string>
  try {
    const body = await readBag(request, endpoint, call)
    const actor = await settleActor(request, endpoint, call, body, options)
    const facts = {
      id: request.id,
      method: request.method,
      path: (request.raw.url ?? '').split('?', 1)[0] ?? '',
      ip: request.ip,
      headers: request.headers,
      pathParameters,
      query: call.query,
      get signal() {
        return signalOf(reply)
      },
    }
    const loading = { actor, parameters: pathParameters, method: request.method }
    if (!actor.user && requiresSignIn(endpoint, request.method)) {
      await refuseAnonymous(endpoint, { db: options.db, ...loading })
    }
    const bag = { ...call.query, ...body, ...pathParameters }
    const input = readParameters(endpoint.input, endpoint.rules, bag)
    const perform = async (db: Services['db']): Promise<unknown> => {
      const { on } = endpoint
      const found = on ? await on.load({ db, ...loading }) : { subject: undefined, level: 0 }
      if (!actor.user && requiresSignIn(endpoint, request.method)) throw unauthorized()
      if (!endpoint.allow({ ...found, actor })) {
        throw actor.user || endpoint.method === 'GET' ? forbidden() : unauthorized()
      }
      const { git, clock, config, secretKey, rateLimiter } = options
      const context: Context<unknown, Bag> = {
        db,
        git,
        clock,
        config,
        secretKey,
        ...found,
        actor,
        input,
        request: facts,
        rateLimiter,
        baseUrl,
        get user() {
          if (!actor.user) throw unauthorized()
          return actor.user
        },
      }
      return endpoint.run(context)
    }
    const result = endpoint.transaction
      ? await options.db.transaction().execute(perform)
      : await perform(options.db)
    return send(reply, endpoint, result, options)
  } catch (error) {
    if (error instanceof MovedError) return redirect(request, reply, endpoint, error, baseUrl)
    throw error
  }
}

/** Made only for who asks: one for every request would be a noticeable part of its cost. */
function signalOf(reply: FastifyReply): AbortSignal {
  const aborter = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) aborter.abort()
  })
  return aborter.signal
}

function requiresSignIn({ signIn }: Endpoint, method: string): boolean {
  if (signIn === 'for-writes') return method !== 'GET' && method !== 'HEAD'
  return signIn === 'always'
}

/**
 * 401 for an anonymous caller. Only where the subject is open to be read and they cannot see it, they
 * go on to the 404: a private project answers as one that does not exist.
 */
async function refuseAnonymous(
  { on, signIn }: Endpoint,
  request: Parameters<NonNullable<Endpoint['on']>['load']>[0],
): Promise<void> {
  if (!on || signIn === 'always') throw unauthorized()
  try {
    await on.load(request)
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return
    throw error
  }
  throw unauthorized()
}

async function readBag(request: FastifyRequest, endpoint: Endpoint, call: Call): Promise<Bag> {
  const stream = request.body as Readable | undefined
  if (!stream) return {}
  const allowed_bytes = endpoint.body_bytes_max ?? limits.body_bytes
  const bytes_max = call.actor.user
    ? allowed_bytes
    : Math.min(allowed_bytes, limits.anonymous_body_bytes)
  if (Number(request.headers['content-length'] ?? 0) > bytes_max) {
    throw call.actor.user || bytes_max === allowed_bytes ? tooLarge() : unauthorized()
  }
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1)
  switch (type.trim()) {
    case 'application/json':
      return renameAliases(parseJson(await readBody(stream, bytes_max)))
    case 'application/x-www-form-urlencoded':
      return renameAliases(parseForm((await readBody(stream, bytes_max)).toString('utf8')))
    case 'multipart/form-data':
      return renameAliases(await parseMultipart(request.headers, stream, bytes_max))
    default: {
      const body = await readBody(stream, bytes_max)
      if (body.length === 0) return {}
      throw unsupportedMediaType(type.trim())
    }
  }
}

/** The caller after the body has been read too, and whether their token covers the operation. */
async function settleActor(
  request: FastifyRequest,
  endpoint: Endpoint,
  call: Call,
  body: Bag,
  { authenticator }: MountOptions,
): Promise<Actor> {
  const token = call.token ?? findToken({}, body)
  if (token && !call.token) call.actor = await authenticator.byToken(token, request)
  const sudo = findSudo({}, body) ?? call.sudo
  if (sudo === undefined) {
    checkScope(endpoint, request.method, call.actor)
    return call.actor
  }
  const { user, token: held } = call.actor
  if (!user) throw unauthorized()
  if (!user.is_admin) throw forbidden('Must be admin to use sudo')
  if (!held) {
    throw forbidden('Must be authenticated using an OAuth or personal access token to use sudo')
  }
  if (!held.scopes.includes('sudo')) throw insufficientScope(['sudo'])
  call.actor = await authenticator.bySudo(sudo, call.actor)
  if (call.actor.user?.id === user.id) checkScope(endpoint, request.method, call.actor)
  return call.actor
}

function checkScope({ scope }: Endpoint, method: string, { token }: Actor): void {
  if (!token || scope === 'any') return
  const isRead = method === 'GET' || method === 'HEAD'
  const accepted = scope ? [scope, 'api', 'read_api'] : ['api', 'read_api']
  const covers = isRead ? accepted : ['api']
  if (!token.scopes.some((held) => covers.includes(held))) throw insufficientScope(accepted)
}

function send(
  reply: FastifyReply,
  endpoint: Endpoint,
  result: unknown,
  { onAnswer }: MountOptions,
): FastifyReply {
  const status = Number(Object.keys(endpoint.answer)[0])
  const answer = result instanceof Answer ? result : Answer.json(status, result)
  reply.code(answer.status).headers(answer.headers)
  if (answer.isRaw || answer.body === undefined) return reply.send(answer.body)
  onAnswer?.(endpoint, answer.status, answer.body)
  return sendJson(reply, answer.body)
}

/** The content type carries no charset: old clients compare it for equality. */
function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header('content-type', 'application/json').send(JSON.stringify(value))
}

function redirect(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  moved: MovedError,
  baseUrl: string,
): FastifyReply {
  if (endpoint.method !== 'GET') throw movedNotAllowed()
  const parameters = request.params as Record<string, string>
  const path = endpoint.path
    .replace(/\(\^[^)]*\)/g, '')
    .replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(name === moved.parameter ? moved.id : (parameters[name] ?? '')),
    )
  const query = queryOf(request.raw.url ?? '')
  return reply
    .code(301)
    .header('location', `${baseUrl}/api/v4${path}${query && `?${query}`}`)
    .send()
}
