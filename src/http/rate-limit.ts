// Rate limits with fixed windows, counted in this process and shared with the other workers and servers
// (docs/api/conventions.md, "Rate limits").
import type { FastifyReply } from 'fastify'
import type { RateLimit, RateLimitName } from '../config.ts'
import type { Clock } from '../kernel/clock.ts'
import { isLoopbackAddress } from '../kernel/ip-addresses.ts'

export type RateLimitVerdict = { headers: Record<string, string> } | undefined

type Window = { startedAt_s: number; requests: number }

/** Requests of one window by the key of who made them and for what. */
export type WindowCounts = [key: string, Window][]

export type RateLimits = Partial<Record<RateLimitName, RateLimit>>

const windows_max = 100_000
/** How soon changes of limits on another node take effect here. */
const read_after_ms = 1000

export class RateLimiter {
  /** Those of the settings, which may be read again. */
  readonly #configured: () => RateLimits
  readonly #clock: Clock
  /** Reads the limits that are set while the server runs, which win over those it was started with. */
  readonly #readSet: () => Promise<RateLimits>
  readonly #windows = new Map<string, Window>()
  /** What was counted here and the other workers have not been told; undefined where there are none. */
  #untold: Map<string, Window> | undefined
  #limits: RateLimits
  #read_ms = Number.NEGATIVE_INFINITY

  constructor(
    configured: () => RateLimits,
    { clock, readSet }: { clock: Clock; readSet: () => Promise<RateLimits> },
  ) {
    this.#configured = configured
    this.#limits = configured()
    this.#clock = clock
    this.#readSet = readSet
  }

  /** Reloads limits that are older than a moment; undefined if there is nothing to wait for. */
  reloadIfStale(): Promise<void> | undefined {
    const now_ms = this.#clock().getTime()
    if (now_ms - this.#read_ms < read_after_ms) return undefined
    this.#read_ms = now_ms
    // Without the database, the current limits stay in force.
    return this.reload().catch(() => {})
  }

  /** Reloads the limits at once. */
  async reload(): Promise<void> {
    this.#limits = { ...this.#configured(), ...(await this.#readSet()) }
  }

  /**
   * Counts a request of `who`, a user's id or an address; the headers of a 429 when it is one too many. The
   * usual limits count nobody by the machine's own address.
   */
  count(name: RateLimitName, who: string): RateLimitVerdict {
    const limit = this.#limits[name]
    if (!limit || (limit.isUsual && isLoopbackAddress(who))) return undefined
    const now_s = Math.floor(this.#clock().getTime() / 1000)
    const startedAt_s = now_s - (now_s % limit.period_s)
    const key = `${name}:${who}`
    const window = this.#windowOf(key, startedAt_s)
    window.requests++
    if (this.#untold) this.#noteUntold(key, startedAt_s)
    if (window.requests <= limit.requests) return undefined
    const reset_s = startedAt_s + limit.period_s
    return {
      headers: {
        'RateLimit-Name': `throttle_${name}`,
        'RateLimit-Limit': String(Math.ceil((limit.requests * 60) / limit.period_s)),
        'RateLimit-Observed': String(window.requests),
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(reset_s),
        'RateLimit-ResetTime': new Date(reset_s * 1000).toUTCString(),
        'Retry-After': String(reset_s - now_s),
      },
    }
  }

  /** Collects what is counted here from now on, for `takeCounts`. */
  collectCounts(): void {
    this.#untold = new Map()
  }

  stopCollecting(): void {
    this.#untold = undefined
  }

  /**
   * Returns what was collected and not returned yet, for the other workers or servers. A window of which a smaller share of the limit is
   * used than `share_min`, from 0 to 1, is left for later.
   */
  takeCounts(share_min = 0): WindowCounts {
    const untold = this.#untold
    if (!untold) return []
    const counts: WindowCounts = []
    for (const [key, window] of untold) {
      const known = this.#windows.get(key)
      if (known?.startedAt_s !== window.startedAt_s) {
        // It has expired.
        untold.delete(key)
        continue
      }
      const limit = this.#limits[key.slice(0, key.indexOf(':')) as RateLimitName]
      if (known.requests < (limit?.requests ?? 0) * share_min) continue
      counts.push([key, window])
      untold.delete(key)
    }
    return counts
  }

  /** Adds what another worker has counted. */
  addCounts(counts: WindowCounts): void {
    for (const [key, { startedAt_s, requests }] of counts) {
      const isPast = (this.#windows.get(key)?.startedAt_s ?? 0) > startedAt_s
      if (!isPast) this.#windowOf(key, startedAt_s).requests += requests
    }
  }

  /** The files API has limits of its own where configured; otherwise the general ones hold. */
  nameFor(request: { isSignedIn: boolean; isFilesApi: boolean }): RateLimitName {
    const kind = request.isSignedIn ? 'authenticated' : 'unauthenticated'
    const own = `${kind}_files_api` as const
    return request.isFilesApi && this.#limits[own] ? own : `${kind}_api`
  }

  /** The window that began then; it takes the place of any other of the key. */
  #windowOf(key: string, startedAt_s: number): Window {
    const known = this.#windows.get(key)
    if (known?.startedAt_s === startedAt_s) return known
    if (this.#windows.size >= windows_max) this.#dropPast(this.#clock().getTime() / 1000)
    const window = { startedAt_s, requests: 0 }
    this.#windows.set(key, window)
    return window
  }

  #noteUntold(key: string, startedAt_s: number): void {
    const known = this.#untold?.get(key)
    if (known?.startedAt_s === startedAt_s) known.requests++
    else this.#untold?.set(key, { startedAt_s, requests: 1 })
  }

  #dropPast(now_s: number): void {
    const longest_s = Math.max(...Object.values(this.#limits).map(({ period_s }) => period_s))
    for (const [key, { startedAt_s }] of this.#windows) {
      if (now_s - startedAt_s >= longest_s) this.#windows.delete(key)
    }
    // Still full within one window: the oldest entries are removed, so that memory is limited.
    for (const key of this.#windows.keys()) {
      if (this.#windows.size < windows_max) break
      this.#windows.delete(key)
    }
  }
}

/** Sends 429 with the text and type that clients know (docs/api/conventions.md, "Rate limits"). */
export function sendTooManyRequests(
  reply: FastifyReply,
  { headers }: NonNullable<RateLimitVerdict>,
): FastifyReply {
  return reply
    .code(429)
    .headers({ ...headers, 'content-type': 'text/plain' })
    .send('Retry later\n')
}
