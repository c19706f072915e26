// The Fastify instance: what holds for every answer, whatever serves it.
import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { type Clock, monotonic_ms } from '../kernel/clock.ts'
import {
  ApiError,
  apiVersionGone,
  tooLarge,
  unavailable,
  unknownRoute,
  unsupportedMediaType,
  urlTooLong,
} from '../kernel/errors.ts'
import { newRequestId } from '../kernel/ids.ts'
import { limits } from '../kernel/limits.ts'
import { brandHeaders, fileHeaderNames } from './brand.ts'

export type ServerOptions = {
  config: Config
  clock: Clock
  /** Where log lines go; standard output by default. */
  logStream?: { write(line: string): void }
  /** Told of every finished request, for metrics and further log fields. */
  onFinished?: (request: FastifyRequest, status: number, duration_ms: number) => object
}

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
  ...Object.keys(brandHeaders(Object.fromEntries(fileHeaderNames.map((name) => [name, ''])))),
].join(', ')

const constantHeaders = {
  Vary: 'Origin',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'max-age=0, private, must-revalidate',
}

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
}

const starts_ms = new WeakMap<FastifyRequest, number>()

export function createServer({ config, logStream, onFinished }: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: { level: config.logLevel, stream: logStream, base: undefined },
    genReqId: newRequestId,
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
    // A header too large or a request that is no HTTP never reaches a route.
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
      const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n\r\n`)
    },
  })
  // A GET may carry its parameters in a body, as some clients send them.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })

  app.addHook('onRequest', (request, reply, done) => {
    starts_ms.set(request, monotonic_ms())
    reply.headers(constantHeaders)
    reply.header('X-Request-Id', request.id)
    reply.headers(brandHeaders({ Meta: `{"correlation_id":"${request.id}","version":"1"}` }))
    if (request.headers.origin !== undefined) reply.headers(corsHeaders)
    const isTooLong = (request.raw.url?.length ?? 0) > limits.url_bytes
    done(isTooLong ? urlTooLong() : undefined)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('X-Runtime', (duration_ms(request) / 1000).toFixed(6))
    // Fastify adds a charset that old clients, comparing for equality, do not know.
    const type = reply.getHeader('content-type')
    if (type === 'application/json; charset=utf-8') reply.header('content-type', 'application/json')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (typeof payload !== 'string' || reply.statusCode !== 200 || !isRead) {
      return done(null, payload)
    }
    const tag = `W/"${hash('sha1', payload)}"`
    reply.header('ETag', tag)
    if (!matchesTag(request.headers['if-none-match'], tag)) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, '')
  })

  app.addHook('onResponse', (request, reply, done) => {
    const taken_ms = duration_ms(request)
    const more = onFinished?.(request, reply.statusCode, taken_ms)
    request.log.info(
      {
        method: request.method,
        // The query is left out: it is where careless clients put their tokens.
        path: request.raw.url?.split('?', 1)[0],
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_ms: Math.round(taken_ms * 100) / 100,
        ip: request.ip,
        ...more,
      },
      'request',
    )
    done()
  })

  app.setErrorHandler((error: FastifyError | ApiError | Error, request, reply) => {
    const refusal = refusalOf(error, request)
    if (refusal) {
      return reply
        .code(refusal.status)
        .headers(refusal.headers)
        .header('content-type', 'application/json')
        .send(JSON.stringify(refusal.body))
    }
    const stderr = (error as { stderr?: string }).stderr
    request.log.error({ err: error, stderr, request_id: request.id }, 'fault')
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

function refusalOf(
  error: FastifyError | ApiError | Error,
  { headers }: FastifyRequest,
): ApiError | undefined {
  if (error instanceof ApiError) return error
  const { code, kind } = error as { code?: string; kind?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge()
  // A header that is no media type ends before any route is asked.
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return unsupportedMediaType(headers['content-type'] ?? '')
  }
  if (kind === 'timeout' || kind === 'locked' || kind === 'too-large') return unavailable()
  return undefined
}

function duration_ms(request: FastifyRequest): number {
  return monotonic_ms() - (starts_ms.get(request) ?? monotonic_ms())
}

/** RFC 9110, section 13.1.2: weak comparison. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (!header) return false
  const opaque = (text: string) => text.trim().replace(/^W\//, '')
  return header.split(',').some((item) => item.trim() === '*' || opaque(item) === opaque(tag))
}
