// Serves a list of endpoints: identifies the caller, checks whether they may use the operation at all, reads parameters,
// loads the subject, checks whether the caller may do this to it, and only then runs the operation. Refusals come in
// that order.

import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { mapErrorsAfterWrites } from '../db/committed-writes.ts'
import { DatabaseAwayError } from '../db/database-away.ts'
import type { Db } from '../db/db.ts'
import { runTransaction } from '../db/run-transaction.ts'
import { refuseIfDiskFull } from '../disk/disk.ts'
import {
  ApiError,
  forbidden,
  tooLarge,
  unauthorized,
  writeToFormerPathNotAllowed,
} from '../kernel/errors.ts'
import { LargeReads, runWithLargeReads } from '../kernel/large-reads.ts'
import { limits } from '../kernel/limits.ts'
import { ownValue } from '../kernel/own-value.ts'
import {
  RepositoryElsewhereError,
  runWithRepositoryAccess,
} from '../kernel/repository-elsewhere.ts'
import { runAsWork } from '../kernel/work-attribution.ts'
import { Answer, MovedError } from './answer.ts'
import { baseUrlOf } from './base-url.ts'
import { contentLengthOf, readBodyHead, readRawParameters } from './body.ts'
import { renameAliasedParameters } from './brand.ts'
import { type Authenticator, type CallerRequest, identifyCaller, resolveActor } from './caller.ts'
import { findRequestToken } from './credentials.ts'
import {
  type Endpoint,
  emptySubject,
  type Instance,
  isTierSufficient,
  type RequestFacts,
  requiresSignIn,
} from './endpoint.ts'
import { createEndpointRouter } from './endpoint-router.ts'
import { findEndpointAddress, forwardedFactsOf, type RequestForwarder } from './forwarding.ts'
import { serializeJson } from './json-text.ts'
import { Page, pagedAnswer, pageRange } from './pagination.ts'
import { type RawParameters, readParameters } from './parameters.ts'
import { type RateLimiter, type RateLimitVerdict, sendTooManyRequests } from './rate-limit.ts'
import { parseForm, queryStringOf } from './raw-parameters.ts'
import { redirectLocationOf } from './redirect.ts'
import { OperationContext, ServedRequest } from './request-context.ts'

export type MountOptions = Instance & {
  authenticator: Authenticator
  rateLimiter: RateLimiter
  /** Where repositories may be on the disks of other servers. */
  forwarder?: RequestForwarder
  /** Told of every JSON answer before it is sent; tests hold it against the declared schema. */
  onAnswer?: (endpoint: Endpoint, status: number, body: unknown) => void
}

const actors = new WeakMap<FastifyRequest, Actor>()
const routes = new WeakMap<FastifyRequest, string>()

/** Returns the id of the user who made the request, for the log; undefined for an anonymous caller. */
export function callerIdOf(request: FastifyRequest): number | undefined {
  return actors.get(request)?.user?.id
}

/** Returns the route pattern that a request matched, for logs and metrics: `/api/v4/projects/:id`. */
export function routePatternOf(request: FastifyRequest): string | undefined {
  return routes.get(request) ?? request.routeOptions.url
}

/**
 * Mounts the endpoints of the instance's tier on `app`, at the paths below its prefix (`/api/v4`) that match the pattern
 * `url`.
 */
export function mountEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  options: MountOptions,
  url = '/*',
): void {
  const { prefix } = app
  const find = createEndpointRouter(
    endpoints.filter(({ tier }) => isTierSufficient(options.config.tier, tier)),
  )
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    const { endpoint, parameters } = find(request.method, pathOf(request).slice(prefix.length))
    request.params = parameters
    routes.set(request, `${prefix}${endpoint.path}`)
    return serve(request, reply, endpoint, options)
  }
  // This also handles HEAD.
  app.get(url, handler)
  app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url, handler })
}

/** The path of a request as it was sent, also where its address begins with a host (RFC 9112, 3.2.2). */
function pathOf({ raw }: FastifyRequest): string {
  const [path = ''] = (raw.url ?? '').split(/[?#]/, 1)
  return path.startsWith('/') ? path : path.replace(/^[^/]*\/\/[^/]*/, '')
}

/** Serves one request, in the order in which answers come. */
async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  options: MountOptions,
): Promise<FastifyReply> {
  const { authenticator, forwarder } = options
  const forwarded = forwarder && forwardedFactsOf(request)
  const address =
    forwarder && !forwarded
      ? findEndpointAddress(endpoint, request.params as Record<string, string>)
      : undefined
  if (address && (await forwarder?.forwardByAddress(request, reply, address))) return reply
  const query = renameAliasedParameters(parseForm(queryStringOf(request.raw.url ?? '')))
  const token = findRequestToken(request.headers, query)
  const baseUrl = baseUrlOf(options.config, request)
  const takesJobToken = isTierSufficient(options.config.tier, endpoint.jobToken)
  const asked = { request, endpoint, takesJobToken, query, token, baseUrl, authenticator }
  const caller = await identifyCaller(asked)
  actors.set(request, caller)
  const catchingUp = options.rateLimiter.reloadIfStale()
  if (catchingUp) await catchingUp
  const verdict = !forwarded?.isCounted && countRequest(request, endpoint, caller, options)
  if (verdict) return sendTooManyRequests(reply, verdict)
  const holder = caller.user ? `user:${caller.user.id}` : `address:${request.ip}`
  const reads = endpoint.method === 'GET' ? new LargeReads(holder) : undefined
  const answer = async () => {
    const releases: (() => void)[] = []
    const sent: SentBody = { whole: request.body ? undefined : noBytes }
    // Whether a large response is being sent, which holds the turn of its reads.
    let isSending = false
    try {
      const keep = (release: () => void) => void releases.push(release)
      const body = request.body ? await readBody(asked, caller, { options, keep, sent }) : nothing
      // A long body may take hours, and the caller's credential or account may have ended meanwhile.
      const current = sent.whole ? caller : await identifyCaller(asked)
      const actor = await resolveActor(current, body, asked)
      if (actor !== caller) actors.set(request, actor)
      const served = new ServedRequest(request, reply, query)
      const call = { endpoint, actor, baseUrl, request: served, body, log: request.log }
      const task = () => (forwarder ? performUnrepeated(call, options) : perform(call, options))
      // What is about a repository that is here may read others beside it.
      const isAtRepository = address !== undefined || forwarded !== undefined
      const performed = await (forwarder && isAtRepository
        ? runWithRepositoryAccess({ isForwarded: forwarded !== undefined }, () =>
            forwarder.runWithMirrors(task),
          )
        : task())
      isSending = reads?.hasTurn === true && !isRaw(performed)
      if (isSending) finished(reply.raw, () => reads?.end())
      return send(reply, call, performed, options)
    } catch (error) {
      if (error instanceof RepositoryElsewhereError && sent.whole) {
        const wanted = { storage: error.storage, body: sent.whole }
        if (await forwarder?.forwardToStorage(request, reply, wanted)) return reply
      }
      if (error instanceof MovedError) return redirect(request, reply, endpoint, error, baseUrl)
      throw error
    } finally {
      for (const release of releases) release()
      if (!isSending) reads?.end()
    }
  }
  const work = { holder, name: `${request.method} ${endpoint.path}` }
  return runAsWork(work, reads ? () => runWithLargeReads(reads, answer) : answer)
}

/** Whether the operation answers with a stream, which can stay open after all reads. */
function isRaw({ result }: Performed): boolean {
  return result instanceof Answer && result.isRaw
}

const nothing: RawParameters = Object.freeze({})
const noBytes = Buffer.alloc(0)

/** The bytes of a body, for forwarding the request; `whole` is undefined if the body is too long to be kept. */
type SentBody = { whole: Buffer | undefined }

function countRequest(
  request: FastifyRequest,
  { scope, rateLimit }: Endpoint,
  { user }: Actor,
  { rateLimiter }: MountOptions,
): RateLimitVerdict {
  const isFilesApi = scope === 'read_repository'
  const name = rateLimiter.nameFor({ isSignedIn: user !== undefined, isFilesApi })
  const who = user ? String(user.id) : request.ip
  return rateLimiter.count(name, who) ?? (rateLimit && rateLimiter.count(rateLimit, who))
}

type Call = {
  endpoint: Endpoint
  actor: Actor
  baseUrl: string
  request: RequestFacts
  body: RawParameters
  log: Pick<FastifyRequest['log'], 'warn'>
}

/**
 * As `perform`. A request that wants a repository of another server is run again with a copy of it, or sent on, so it must not
 * have changed anything by then. One that has is a fault: what it committed would happen twice. Reads commit nothing but what
 * they find out (a list, a state), which may be stored twice.
 */
function performUnrepeated(call: Call, options: MountOptions): Promise<Performed> {
  const { method, path } = call.endpoint
  if (method === 'GET') return perform(call, options)
  return mapErrorsAfterWrites(
    () => perform(call, options),
    (error) =>
      error instanceof RepositoryElsewhereError
        ? new Error(
            `${method} ${path} changed the database before it wanted a repository elsewhere.`,
            {
              cause: error,
            },
          )
        : error,
  )
}

/** `isFixed` as in `Definition`. */
type Performed = { result: unknown; isFixed: boolean }

/** 401, 400, 404, 403, and then the operation, which for most writes is within one transaction. */
async function perform(call: Call, options: MountOptions): Promise<Performed> {
  const { endpoint, actor, request, body, baseUrl, log } = call
  const { query } = request
  const mustSignIn = !actor.user && requiresSignIn(endpoint)
  const pathParameters = withFindableNumbers(request.pathParameters)
  const parameters = subjectParameters(pathParameters)
  const loading = { actor, parameters, method: endpoint.method }
  if (mustSignIn) await refuseAnonymous(endpoint, { db: options.db, ...loading })
  const input = endpoint.input
    ? readParameters(endpoint.input, endpoint.rules, { ...query, ...body, ...pathParameters })
    : nothing
  const loadSubject = async (db: Db) =>
    endpoint.on ? endpoint.on.load({ db, ...loading }) : emptySubject
  const run = async (db: Db): Promise<Performed> => {
    const { subject, level } = await loadSubject(db)
    if (mustSignIn) throw unauthorized()
    if (!endpoint.allow({ subject, level, actor })) {
      const isKnown = actor.user !== undefined || endpoint.method === 'GET'
      throw isKnown ? endpoint.refusal({ subject, level, actor }) : unauthorized()
    }
    if (takesRoom(endpoint, actor)) refuseIfDiskFull(options.config)
    const found = { db, subject, level, actor, input, request, baseUrl }
    const context = new OperationContext(options, found)
    if (endpoint.load) context.loaded = await endpoint.load(context)
    if (endpoint.authorize) await authorize(endpoint.authorize, context)
    const result = await endpoint.run(context)
    const paged = result instanceof Page ? pagedAnswer(found, pageRange(input), result) : result
    // Parameters in a body are not part of the URL, by which caches distinguish responses.
    const isFixed = Object.keys(body).length === 0 && endpoint.isFixed(input)
    return { result: paged, isFixed }
  }
  try {
    return await (endpoint.transaction ? runTransaction(options.db, run) : run(options.db))
  } catch (error) {
    const { db } = options
    const refusal = await findDeletion(error, async () => {
      const found = { db, ...(await loadSubject(db)), actor, input, request, baseUrl }
      await endpoint.load?.(new OperationContext(options, found))
    })
    if (!refusal) throw error
    log.warn({ err: error }, 'deleted during request')
    throw refusal
  }
}

/**
 * The 404 of `reload` if `error` is a fault and its cause may be that what the path names was deleted while the
 * operation ran. Git, files and rows then fail in many ways.
 */
async function findDeletion(
  error: unknown,
  reload: () => Promise<void>,
): Promise<ApiError | undefined> {
  if (answeredErrors.some((kind) => error instanceof kind)) return undefined
  try {
    await reload()
  } catch (refusal) {
    if (refusal instanceof ApiError && refusal.kind === 'not-found') return refusal
  }
  return undefined
}

/** Errors that say themselves what to answer. */
const answeredErrors = [ApiError, MovedError, RepositoryElsewhereError, DatabaseAwayError]

/** 403, or the refusal that says why, where the caller may not do this to what was loaded. */
async function authorize(
  ask: NonNullable<Endpoint['authorize']>,
  context: OperationContext,
): Promise<void> {
  const answer = await ask(context)
  if (answer !== true) throw answer === false ? forbidden() : answer
}

/**
 * Whether it is one of the operations that a disk without room has no place for. Reads and removals go on, runners
 * end their jobs, and an administrator's changes of the database alone are how there comes to be room.
 */
function takesRoom(endpoint: Endpoint, { user }: Actor): boolean {
  const { method, transaction } = endpoint
  if (method === 'GET' || method === 'DELETE' || requiresNobody(endpoint)) return false
  return !(transaction && user?.is_admin)
}

/**
 * A number of something within its project is of 32 bits, and PostgreSQL refuses to look for a larger one. So what is asked
 * for is unknown, as number 0 is. Ids have 64 bits on both databases.
 */
function withFindableNumbers(given: Readonly<Record<string, string>>): Record<string, string> {
  const isTooLarge = ([name, value]: [string, string]) =>
    name.endsWith('iid') && /^\d{10,}$/.test(value) && Number(value) > limits.integer_max
  const entries = Object.entries(given)
  if (!entries.some(isTooLarge)) return given
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isTooLarge([name, value]) ? '0' : value]),
  )
}

/** No name holds NUL, and PostgreSQL refuses to look for one. So what is asked for is unknown. */
function subjectParameters(given: Readonly<Record<string, string>>): Record<string, string> {
  const hasNul = Object.values(given).some((value) => value.includes('\0'))
  if (!hasNul) return given
  const entries = Object.entries(given)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]),
  )
}

function requiresNobody({ signIn }: Endpoint): boolean {
  return signIn === 'never' || signIn === 'ignored'
}

/**
 * 401 for an anonymous caller. Where anybody may read the subject but they cannot see it, they go on to the
 * 404, so that a private project answers like one that does not exist.
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

/** Reads the parameters of the body. Everything beyond its first bytes is read only after the access check. */
async function readBody(
  asked: CallerRequest,
  caller: Actor,
  {
    options,
    keep,
    sent,
  }: { options: MountOptions; keep: (release: () => void) => void; sent: SentBody },
): Promise<RawParameters> {
  const { request, endpoint } = asked
  // The body of a GET contains what could be in its URL, so it has the same maximum length.
  const bytes_max =
    endpoint.method === 'GET' ? limits.url_bytes : (endpoint.body_bytes_max ?? limits.body_bytes)
  const isLong = contentLengthOf(request) > limits.unsettled_body_bytes
  if (isLong) await admit(asked, caller, options)
  if (contentLengthOf(request) > bytes_max) throw tooLarge()
  const incoming = await readBodyHead(request.body as Readable)
  if (!incoming.rest) sent.whole = incoming.head
  if (incoming.rest && !isLong) await admit(asked, caller, options)
  return readRawParameters(request, incoming, { bytes_max, keep })
}

/** 401, 404 and 403 as far as they can be told without the body. */
async function admit(
  asked: CallerRequest,
  caller: Actor,
  { db, config }: MountOptions,
): Promise<void> {
  const { request, endpoint } = asked
  if (!caller.user) throw requiresNobody(endpoint) ? tooLarge() : unauthorized()
  const actor = await resolveActor(caller, nothing, asked)
  const parameters = subjectParameters(request.params as Record<string, string>)
  const { on, method } = endpoint
  const { subject, level } = on ? await on.load({ db, actor, parameters, method }) : emptySubject
  const facts = { subject, level, actor }
  if (!endpoint.allow(facts)) throw endpoint.refusal(facts)
  if (takesRoom(endpoint, actor)) refuseIfDiskFull(config)
}

/** Caches content that is addressed by its hash for a year, for this caller only. */
const fixedHeaders = {
  'Cache-Control': 'private, max-age=31536000, immutable',
  Vary: 'Origin, Cookie, Authorization, Private-Token, Job-Token, Sudo',
}

function send(
  reply: FastifyReply,
  { endpoint }: Call,
  { result, isFixed }: Performed,
  { onAnswer }: MountOptions,
): FastifyReply | Promise<FastifyReply> {
  const answer = result instanceof Answer ? result : Answer.json(endpoint.status, result)
  reply.code(answer.status).headers(answer.headers)
  if (isFixed && (answer.status === 200 || answer.status === 304)) {
    reply.headers(fixedHeaders).removeHeader('pragma').removeHeader('expires')
  }
  if (answer.isRaw || answer.body === undefined) return reply.send(answer.body)
  onAnswer?.(endpoint, answer.status, answer.body)
  return sendJson(reply, answer.body)
}

/** The content type carries no charset: old clients compare it for equality. */
function sendJson(reply: FastifyReply, value: unknown): FastifyReply | Promise<FastifyReply> {
  reply.header('content-type', 'application/json')
  const body = serializeJson(value)
  return body instanceof Promise ? body.then((bytes) => reply.send(bytes)) : reply.send(body)
}

function redirect(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  moved: MovedError,
  baseUrl: string,
): FastifyReply {
  if (endpoint.method !== 'GET') throw writeToFormerPathNotAllowed()
  const parameters = request.params as Record<string, string>
  const path = endpoint.path
    .replace(/\(\^[^()]*\)/g, '')
    .replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(name === moved.parameter ? moved.id : (ownValue(parameters, name) ?? '')),
    )
  const query = queryStringOf(request.raw.url ?? '')
  return reply
    .code(301)
    .header(
      'location',
      redirectLocationOf({ base: baseUrl, place: `/api/v4${path}${query && `?${query}`}` }),
    )
    .send()
}
