// The context that operations get. Classes, because an object literal with getters is built property by property for
// every request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, ActorUser } from '../access/actor.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { GitAccess } from '../git/git.ts'
import type { Clock } from '../kernel/clock.ts'
import { unauthorized } from '../kernel/errors.ts'
import type { Context, Instance, RequestFacts } from './endpoint.ts'
import { type PageRange, pageRange } from './pagination.ts'
import type { RawParameters } from './parameters.ts'
import type { RateLimiter } from './rate-limit.ts'

/** The request that is being served, with the parts that operations may need. */
export class ServedRequest implements RequestFacts {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly query: RawParameters

  constructor(request: FastifyRequest, reply: FastifyReply, query: RawParameters) {
    this.#request = request
    this.#reply = reply
    this.query = query
  }

  get id(): string {
    return this.#request.id
  }

  get method(): string {
    return this.#request.method
  }

  get path(): string {
    return (this.#request.raw.url ?? '').split('?', 1)[0] ?? ''
  }

  get ip(): string {
    return this.#request.ip
  }

  get headers(): RequestFacts['headers'] {
    return this.#request.headers
  }

  get pathParameters(): Record<string, string> {
    return this.#request.params as Record<string, string>
  }

  /** Made only when asked for: one for every request would be a noticeable part of its cost. */
  get signal(): AbortSignal {
    const aborter = new AbortController()
    const { raw } = this.#reply
    raw.once('close', () => {
      if (!raw.writableFinished) aborter.abort()
    })
    return aborter.signal
  }
}

type Found = {
  db: Db
  subject: unknown
  level: number
  actor: Actor
  input: RawParameters
  request: RequestFacts
  baseUrl: string
}

/** The context of one run of an operation. */
export class OperationContext implements Context<unknown, RawParameters> {
  readonly db: Db
  readonly git: GitAccess
  readonly clock: Clock
  readonly config: Config
  readonly secretKey: Buffer
  readonly rateLimiter: RateLimiter
  readonly subject: unknown
  readonly level: number
  readonly actor: Actor
  readonly input: RawParameters
  readonly request: RequestFacts
  readonly baseUrl: string
  /** Set by mount.ts before the operation is run. */
  loaded: unknown
  declare readonly user: ActorUser

  constructor(services: Instance & { rateLimiter: RateLimiter }, found: Found) {
    this.db = found.db
    this.git = services.git
    this.clock = services.clock
    this.config = services.config
    this.secretKey = services.secretKey
    this.rateLimiter = services.rateLimiter
    this.subject = found.subject
    this.level = found.level
    this.actor = found.actor
    this.input = found.input
    this.request = found.request
    this.baseUrl = found.baseUrl
    this.loaded = undefined
    // An own property, so that a context spread for a transaction has it too.
    const user = found.actor.user
    if (user) this.user = user
    else Object.defineProperty(this, 'user', anonymousUser)
  }

  get range(): PageRange {
    return pageRange(this.input)
  }
}

const anonymousUser = {
  get(): never {
    throw unauthorized()
  },
}
