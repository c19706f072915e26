// The Fastify instance: everything that applies to all responses.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { DatabaseAwayError, logFailure } from '../db/database-away.ts'
import { isUnstorableValueError } from '../db/dialect.ts'
import { type Clock, monotonic_ms } from '../kernel/clock.ts'
import {
  ApiError,
  apiVersionGone,
  badRequest,
  databaseUnavailable,
  forbiddenWithMessage,
  outOfMemory,
  repositoryAway,
  tooLarge,
  unavailable,
  unknownRoute,
  unsupportedMediaType,
  urlTooLong,
} from '../kernel/errors.ts'
import { newRequestId } from '../kernel/ids.ts'
import { limits } from '../kernel/limits.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import { fileHeaderNames, fileHeadersWithAliases } from './brand.ts'
import { isMatchingEtag } from './conditional.ts'
import { acceptForwarded, type ForwardedFacts } from './forwarding.ts'
import { payloadDigestOf } from './json-text.ts'
import { routePatternOf } from './mount.ts'

export type ServerOptions = {
  config: Config
  clock: Clock
  /** Where log lines go; standard output by default. */
  logStream?: { write(line: string): void }
  /** How long a body may take to arrive at the least; `limits.body_ms` by default. */
  body_ms?: number
  /** What another server says of a request that it forwards; undefined for a request that comes from its client. */
  findForwardedFacts?: (request: IncomingMessage) => ForwardedFacts | 'invalid' | undefined
  /** What the router is shown of a URL. */
  rewriteUrl?: (url: string) => string
  /** Told of every finished request, for metrics and further log fields. */
  onFinished?: (request: FastifyRequest, status: number, duration_ms: number) => object
}

const unsoundForwardText =
  '403 Forbidden - The request was not forwarded by a server of this database, or its clock is wrong.'

const exposedHeaders = [
  'Link',
  'X-Total',
  'X-Total-Pages',
  'X-Per-Page',
  'X-Page',
  'X-Next-Page',
  'X-Prev-Page',
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Truncated',
  ...Object.keys(
    fileHeadersWithAliases(Object.fromEntries(fileHeaderNames.map((name) => [name, '']))),
  ),
].join(', ')

/** In lower case, as they are sent: Fastify would make them so at every request. */
const constantHeaders = {
  vary: 'Origin',
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'cache-control': 'max-age=0, private, must-revalidate',
  'referrer-policy': 'same-origin',
  // By default, responses are not pages.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Tells browsers to use HTTPS for a year (RFC 6797). Only responses over TLS may have it. */
const metaHeaderNames = Object.keys(fileHeadersWithAliases({ Meta: '' })).map((name) =>
  name.toLowerCase(),
)
const secureHeaders = { 'Strict-Transport-Security': 'max-age=31536000' }

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
}

const starts_ms = new WeakMap<FastifyRequest, number>()

export function createServer({
  config,
  logStream,
  body_ms = limits.body_ms,
  findForwardedFacts,
  rewriteUrl = (url) => url,
  onFinished,
}: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: { level: config.logLevel, stream: logStream, base: undefined },
    genReqId(request) {
      const forwarded = findForwardedFacts?.(request as IncomingMessage)
      return typeof forwarded === 'object' ? forwarded.id : newRequestId()
    },
    rewriteUrl: ({ url = '' }) => rewriteUrl(url),
    trustProxy: config.trustedProxies.length > 0 && [...config.trustedProxies],
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    bodyLimit: Number.MAX_SAFE_INTEGER,
    connectionTimeout: limits.git_transfer_idle_ms,
    keepAliveTimeout: 75_000,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: limits.header_bytes, headersTimeout: 30_000, requestTimeout: 0 },
    routerOptions: {
      maxParamLength: limits.url_bytes,
      ignoreTrailingSlash: true,
      caseSensitive: true,
      querystringParser: () => ({}),
      onBadUrl: (_path, request, response) => {
        request.resume()
        const body = JSON.stringify(unknownRoute().body)
        response.writeHead(404, { 'content-type': 'application/json' }).end(body)
      },
    },
    // A request with too large headers, or that is not valid HTTP, does not reach a route.
    clientErrorHandler: answerClientError,
  })
  // Bodies stay streams until somebody knows what to do with them, and what nobody reads has no type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  // A GET may carry its parameters in a body, as some clients send them.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })

  app.server.maxConnections = limits.connections_max
  const isSecure = config.url?.startsWith('https:') ?? false

  app.addHook('onRequest', (request, reply, done) => {
    starts_ms.set(request, monotonic_ms())
    const forwarded = findForwardedFacts?.(request.raw)
    if (typeof forwarded === 'object') acceptForwarded(request, forwarded)
    if (hasBody(request)) guardArrival(request, reply, body_ms)
    reply.headers(constantHeaders)
    if (isSecure || request.protocol === 'https') reply.headers(secureHeaders)
    reply.header('x-request-id', request.id)
    const meta = `{"correlation_id":"${request.id}","version":"1"}`
    for (const name of metaHeaderNames) reply.header(name, meta)
    if (request.headers.origin !== undefined) reply.headers(corsHeaders)
    const isTooLong = (request.raw.url?.length ?? 0) > limits.url_bytes
    if (isTooLong) return done(urlTooLong())
    done(forwarded === 'invalid' ? forbiddenWithMessage(unsoundForwardText) : undefined)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-runtime', (duration_ms(request) / 1000).toFixed(6))
    // Fastify adds a charset that old clients, comparing for equality, do not know.
    const type = reply.getHeader('content-type')
    if (type === 'application/json; charset=utf-8') reply.header('content-type', 'application/json')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const digest = reply.statusCode === 200 && isRead ? payloadDigestOf(payload) : undefined
    if (digest === undefined) return done(null, payload)
    const tag = `W/"${digest}"`
    reply.header('etag', tag)
    if (!isMatchingEtag(request.headers['if-none-match'], tag)) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, '')
  })

  const finish = (request: FastifyRequest, status: number) => {
    clearInterval(guards.get(request))
    const taken_ms = duration_ms(request)
    const more = onFinished?.(request, status, taken_ms)
    request.log.info(
      {
        method: request.method,
        // The query is left out: it is where careless clients put their tokens.
        path: request.raw.url?.split('?', 1)[0],
        route: routePatternOf(request),
        status,
        duration_ms: Math.round(taken_ms * 100) / 100,
        ip: request.ip,
        ...more,
      },
      'request',
    )
  }

  app.addHook('onResponse', (request, reply, done) => {
    finish(request, reply.statusCode)
    if (!request.raw.complete && hasBody(request)) discardRest(request)
    done()
  })

  app.setErrorHandler((error: FastifyError | ApiError | Error, request, reply) => {
    // Nothing can be sent any more, so the response will never finish.
    if (isGone(request, reply)) return finish(request, client_gone)
    const refusal = refusalOf(error, request)
    if (!refusal || error instanceof DatabaseAwayError) logFailure(request.log, error)
    if (refusal) {
      return reply
        .code(refusal.status)
        .headers(refusal.headers)
        .header('content-type', 'application/json')
        .send(JSON.stringify(refusal.body))
    }
    return reply
      .code(500)
      .header('content-type', 'application/json')
      .send('{"message":"500 Internal Server Error"}')
  })

  app.setNotFoundHandler(() => {
    throw unknownRoute()
  })

  app.all('/api/v3/*', () => {
    throw apiVersionGone()
  })

  app.options('/api/*', async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
        'Access-Control-Allow-Headers': '*, Authorization',
        'Access-Control-Max-Age': '7200',
      })
      .send(),
  )
  return app
}

/** Responds to bytes that are not a valid HTTP request. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const status = isTooLong ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
}

/** The status in the log for a request whose client disconnected before the response. */
const client_gone = 499

function isGone({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  return reply.raw.destroyed || (raw.destroyed && !raw.complete)
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const guards = new WeakMap<FastifyRequest, NodeJS.Timeout>()

/** Ends a request whose body does not arrive in time: 408, and the connection is closed. */
function guardArrival(request: FastifyRequest, reply: FastifyReply, body_ms: number): void {
  const { raw } = request
  const { socket } = raw
  const before_bytes = socket.bytesRead
  const guard = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(guard)
    const arrived_bytes = socket.bytesRead - before_bytes
    const allowed_ms = body_ms + (arrived_bytes / limits.body_bytes_per_s_min) * 1000
    if (!(duration_ms(request) > allowed_ms)) return
    clearInterval(guard)
    if (!reply.raw.headersSent) socket.write(timedOut)
    socket.destroySoon()
  }, body_ms / 10)
  guard.unref()
  guards.set(request, guard)
}

const timedOut = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

/** Allows the request body to arrive slowly. For transfers, after the caller's access was checked. */
export function allowSlowBody(request: FastifyRequest): void {
  clearInterval(guards.get(request))
}

/** The sender of a refused body gets a moment to read why. Then the connection is closed. */
function discardRest({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, limits.refused_body_ms)
  timer.unref()
}

function refusalOf(
  error: FastifyError | ApiError | Error,
  { headers }: FastifyRequest,
): ApiError | undefined {
  if (error instanceof ApiError) return error
  const { code, kind, statusCode } = error as { code?: string; kind?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge()
  // A header that is no media type ends before any route is asked.
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return unsupportedMediaType(headers['content-type'] ?? '')
  }
  // The method QUERY is nobody's here, with or without a type of its content.
  if (code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return unknownRoute()
  if (code?.startsWith('FST_ERR_') && (statusCode ?? 500) < 500) return badRequest()
  if (error instanceof DatabaseAwayError) return databaseUnavailable()
  if (error instanceof RepositoryElsewhereError) return repositoryAway()
  if (isUnstorableValueError(error)) return badRequest()
  if (kind === 'out-of-memory') return outOfMemory()
  if (unavailableKinds.has(kind)) return unavailable()
  return undefined
}

/** Failures of git for reasons other than the request. */
const unavailableKinds: ReadonlySet<string | undefined> = new Set([
  ...['timeout', 'locked', 'too-large', 'not-running'],
])

function duration_ms(request: FastifyRequest): number {
  return monotonic_ms() - (starts_ms.get(request) ?? monotonic_ms())
}
