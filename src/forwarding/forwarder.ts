// Forwards requests to the server that has the disk of a repository, and its responses to the client. Also sends
// requests between servers.
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestByHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import {
  type ForwardedFacts,
  forwardedFactsOf,
  type RepositoryAddress,
} from '../http/forwarding.ts'
import { allowSlowBody } from '../http/server.ts'
import type { Clock } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import { findStorage } from '../subjects/find-storage.ts'
import { isStorageElsewhere } from '../subjects/storage.ts'
import { factsHeader, signFacts } from './signed-facts.ts'

/** The row of a server on the same database. */
export type PeerNode = { url: string | null; storages: readonly string[] | null }

/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers that Node or the next server sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'expect', factsHeader],
])

/**
 * A request is forwarded from the first server to that of the project, and from there at most once, to that
 * of its fork.
 */
const hops_max = 2

type Uses = {
  db: Db
  config: Pick<Config, 'storagesElsewhere'>
  secretKey: Buffer
  clock: Clock
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Reads which servers are running, and calls `setNodes`. */
  look: () => Promise<void>
}

export class Forwarder {
  readonly #uses: Uses
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  }
  #nodes: readonly PeerNode[] = []

  constructor(uses: Uses) {
    this.#uses = uses
  }

  /** Sets the other running servers. */
  setNodes(nodes: readonly PeerNode[]): void {
    this.#nodes = nodes
  }

  /** Returns the URL of a running server that has the storage; undefined if there is none with a URL. */
  #findOwner(storage: string): string | undefined {
    const owner = this.#nodes.find(
      ({ url, storages }) => url !== null && storages?.includes(storage),
    )
    return owner?.url ?? undefined
  }

  async forwardByAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    address: RepositoryAddress,
  ): Promise<boolean> {
    const storage = await findStorage(this.#uses.db, address)
    if (storage === undefined || !isStorageElsewhere(this.#uses.config, storage)) return false
    const body = request.body as Readable | undefined
    return this.#forward(request, reply, { storage, body, isCounted: false })
  }

  forwardToStorage(
    request: FastifyRequest,
    reply: FastifyReply,
    { storage, body }: { storage: string; body: Buffer },
  ): Promise<boolean> {
    const isEmpty = body.length === 0
    return this.#forward(request, reply, {
      storage,
      body: isEmpty ? undefined : body,
      isCounted: true,
    })
  }

  async #forward(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      storage,
      body,
      isCounted,
    }: { storage: string; body: Readable | Buffer | undefined; isCounted: boolean },
  ): Promise<boolean> {
    const before = forwardedFactsOf(request)
    const hops = (before?.hops ?? 0) + 1
    if (hops > hops_max) return false
    allowSlowBody(request)
    const { id, ip, protocol, host } = request
    const facts: ForwardedFacts = {
      ...{ id, ip, protocol, host, hops },
      isCounted: isCounted || (before?.isCounted ?? false),
    }
    const outgoing = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) outgoing.abort()
    })
    const answer = await this.#send(await this.getOwner(storage), {
      storage,
      method: request.method,
      url: request.originalUrl,
      headers: forwardableHeaders(request.raw.rawHeaders, Buffer.isBuffer(body) ? body : undefined),
      facts,
      body,
      signal: outgoing.signal,
    })
    reply.hijack()
    const { statusCode = 502, statusMessage, rawHeaders } = answer
    reply.raw.writeHead(statusCode, statusMessage, forwardableHeaders(rawHeaders))
    // If the response breaks off, it is destroyed here too. The log of the other server contains the reason.
    await pipeline(answer, reply.raw).catch(() => reply.raw.destroy())
    return true
  }

  /**
   * Sends a request that only servers send to each other to the server of a storage. Resolves to the
   * response, which has the status 200, or 204 without content. Throws RepositoryElsewhereError if the server
   * cannot be reached or responds with an error.
   */
  async request(
    storage: string,
    {
      method,
      url,
      body,
      facts,
      signal,
      timeout_ms = limits.git_transfer_idle_ms,
    }: {
      method: string
      url: string
      body: Buffer | Readable
      facts: object
      signal?: AbortSignal
      /** The timeout without any data. */
      timeout_ms?: number
    },
  ): Promise<IncomingMessage> {
    const owner = await this.getOwner(storage)
    const length = Buffer.isBuffer(body) ? ['content-length', String(body.length)] : []
    const headers = ['host', owner.host, 'content-type', 'application/octet-stream', ...length]
    const sent = { storage, method, url, headers, facts, body, signal, timeout_ms }
    const answer = await this.#send(owner, sent)
    const { statusCode: status } = answer
    if (status === 200 || status === 204) return answer
    answer.resume()
    this.#uses.log.warn({ storage, url, status }, 'request to another server failed')
    throw new RepositoryElsewhereError({ storage })
  }

  /**
   * Returns the URL of a running server that has the storage. Throws RepositoryElsewhereError if there is
   * none.
   */
  async getOwner(storage: string): Promise<URL> {
    // A server that has just started may not be known yet, so the rows are read again.
    if (this.#findOwner(storage) === undefined) await this.#uses.look()
    const owner = this.#findOwner(storage)
    if (owner !== undefined) return new URL(owner)
    this.#uses.log.warn({ storage }, 'request not forwarded, no server with the storage runs')
    throw new RepositoryElsewhereError({ storage })
  }

  #send(
    owner: URL,
    {
      storage,
      method,
      url,
      headers,
      facts,
      body,
      signal,
      timeout_ms = limits.git_transfer_idle_ms,
    }: {
      storage: string
      method: string
      url: string
      /** Names and values alternate. */
      headers: string[]
      facts: object
      body: Readable | Buffer | undefined
      signal?: AbortSignal
      /** The timeout without any data. */
      timeout_ms?: number
    },
  ): Promise<IncomingMessage> {
    const isSecure = owner.protocol === 'https:'
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const signed = signFacts(this.#uses, { method, url, facts })
    const outgoing = (isSecure ? requestByHttps : requestByHttp)(owner, {
      agent: this.#agents[isSecure ? 'https:' : 'http:'],
      method,
      path: url,
      headers: [...headers, factsHeader, signed],
      signal,
      timeout: timeout_ms,
    })
    endUnlessConnected(outgoing)
    outgoing.once('response', resolve)
    outgoing.once('timeout', () =>
      outgoing.destroy(new Error('The server did not answer in time.')),
    )
    outgoing.once('error', (error) => {
      if (!signal?.aborted) {
        this.#uses.log.warn(
          { err: error, storage, owner: owner.origin },
          'request not forwarded, server away',
        )
      }
      reject(new RepositoryElsewhereError({ storage }))
    })
    if (body === undefined || Buffer.isBuffer(body)) outgoing.end(body)
    else {
      // Sends the headers now. Otherwise Node waits for the first bytes of the body, for which the client may
      // wait.
      outgoing.flushHeaders()
      pipeline(body, outgoing).catch(() => {})
    }
    return promise
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

/** Aborts a request that gets no connection in time: a machine that is down does not even refuse connections. */
function endUnlessConnected(outgoing: ClientRequest): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(
      () => outgoing.destroy(new Error('The server cannot be connected to.')),
      limits.nodes.connect_ms,
    )
    socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  })
}

/** Returns the headers to forward; names and values alternate. `body` is what is sent instead of a stream. */
function forwardableHeaders(raw: readonly string[], body?: Buffer): string[] {
  const result: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    const lower = name.toLowerCase()
    if (ownHeaders.has(lower) || (body && lower === 'content-length')) continue
    result.push(name, value)
  }
  return body ? [...result, 'content-length', String(body.length)] : result
}
