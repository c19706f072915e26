// Serves Pages sites on separate listeners, away from the API and its cookies: plain, and over TLS with the certificate
// for the requested name.
import { readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ZipError } from '../../blobs/zip.ts'
import { logFailure } from '../../db/database-away.ts'
import {
  decryptCertificate,
  findServedPagesDomain,
} from '../../features/content/pages-domains/pages-domain.ts'
import { closeServer } from '../../http/close-server.ts'
import { timestamp } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { digestToken } from '../../kernel/ids.ts'
import { createIpMatcher } from '../../kernel/ip-addresses.ts'
import { limits } from '../../kernel/limits.ts'
import { runAsWork } from '../../kernel/work-attribution.ts'
import { sendPlainText, serveSite, type Uses } from './serve-site.ts'

export type PagesServerOptions = Uses & { log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'debug'> }

const reload_ms = 60_000

export class PagesServer {
  readonly #uses: PagesServerOptions
  readonly #isTrusted: (address: string) => boolean
  readonly #servers: (Server | TlsServer)[] = []
  readonly #contexts = new LRUCache<string, SecureContext>({ max: limits.pages.kept_contexts_max })
  #ownContext: SecureContext | undefined
  #ownChanged_ms = 0
  #reload: NodeJS.Timeout | undefined

  constructor(uses: PagesServerOptions) {
    this.#uses = uses
    this.#isTrusted = createIpMatcher(uses.config.trustedProxies)
  }

  /** Listens there, port 0 for one that is free; answers the port. */
  listen(host: string, port: number): Promise<number> {
    const server = createServer({ maxHeaderSize: limits.header_bytes }, (request, response) =>
      this.#answer(request, response),
    )
    return this.#begin(server, host, port)
  }

  /** The same over TLS. */
  listenSecurely(host: string, port: number): Promise<number> {
    this.#readOwnCertificate()
    this.#reload = setInterval(() => this.#readOwnCertificate(), reload_ms).unref()
    const server = createTlsServer(
      {
        maxHeaderSize: limits.header_bytes,
        minVersion: 'TLSv1.2',
        SNICallback: (name, done) => {
          this.#findContext(name.toLowerCase()).then(
            (context) => done(null, context),
            (error) => done(error),
          )
        },
      },
      (request, response) => this.#answer(request, response),
    )
    return this.#begin(server, host, port)
  }

  async close(): Promise<void> {
    clearInterval(this.#reload)
    await Promise.all(this.#servers.map(closeServer))
  }

  async #begin(server: Server | TlsServer, host: string, port: number): Promise<number> {
    server.maxConnections = limits.pages.connections_max
    server.headersTimeout = limits.pages.headers_ms
    server.requestTimeout = limits.pages.headers_ms
    server.keepAliveTimeout = limits.pages.idle_ms
    server.timeout = limits.pages.stall_ms
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => resolve())
    })
    this.#servers.push(server)
    const address = server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { remoteAddress = '' } = request.socket
    const isSecure = request.socket instanceof TLSSocket || this.#isForwardedSecurely(request)
    const holder = `address:${remoteAddress}`
    runAsWork({ holder, name: 'site' }, () =>
      serveSite(this.#uses, { request, response, isSecure }),
    ).catch((error) => {
      const isUnavailable = error instanceof ApiError && error.kind === 'unavailable'
      // An archive that is not as it says is its owner's matter.
      if (!isUnavailable && !(error instanceof ZipError)) {
        const { host } = request.headers
        logFailure(this.#uses.log, error, { event: 'serving a site failed', host })
      }
      if (response.headersSent) response.destroy()
      else if (isUnavailable) {
        const text = 'This site is temporarily unavailable. Please try again later.'
        sendPlainText(response, error.status, text, error.headers)
      } else
        sendPlainText(response, 500, 'This site cannot be served because of an internal error.')
    })
  }

  #isForwardedSecurely({ headers, socket }: IncomingMessage): boolean {
    return headers['x-forwarded-proto'] === 'https' && this.#isTrusted(socket.remoteAddress ?? '')
  }

  /** What a connection for that name is made with; without one it is refused. */
  async #findContext(name: string): Promise<SecureContext | undefined> {
    const { db, clock, config, secretKey } = this.#uses
    if (config.pages.host !== undefined && isAtOrBelow(name, config.pages.host)) {
      return this.#ownContext
    }
    const domain = await findServedPagesDomain(db, { domain: name, now: timestamp(clock) })
    if (!domain?.certificate) return undefined
    const key = `${domain.id}:${digestToken(domain.certificate)}`
    let context = this.#contexts.get(key)
    if (!context) {
      const certificate = decryptCertificate(secretKey, domain)
      if (!certificate) return undefined
      context = createSecureContext(certificate)
      this.#contexts.set(key, context)
    }
    return context
  }

  /** Reads the files of the sites' own host where they have changed; what cannot be read changes nothing. */
  #readOwnCertificate(): void {
    const { tlsCertificate, tlsKey } = this.#uses.config.pages
    if (tlsCertificate === undefined || tlsKey === undefined) return
    try {
      const changed_ms = statSync(tlsCertificate).mtimeMs + statSync(tlsKey).mtimeMs
      if (changed_ms === this.#ownChanged_ms) return
      this.#ownContext = createSecureContext({
        cert: readFileSync(tlsCertificate),
        key: readFileSync(tlsKey),
      })
      this.#ownChanged_ms = changed_ms
    } catch (error) {
      if (!this.#ownContext) throw error
      this.#uses.log.error({ err: error }, 'reloading the certificate of sites failed')
    }
  }
}

const isAtOrBelow = (name: string, host: string) => name === host || name.endsWith(`.${host}`)
