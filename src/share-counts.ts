// Shares counts of requests and failed sign-ins between servers on one PostgreSQL database, so that limits hold over all
// of them (docs/operating/nodes.md, "Limits"). Uses NOTIFY while several servers run; a single server opens no
// connection for it.

import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import { notifyPostgresChannel } from './db/notify.ts'
import type { ChannelListener } from './db/postgres.ts'
import { ipThrottleOf } from './features/people/sessions/ip-throttle.ts'
import type { RateLimiter, WindowCounts } from './http/rate-limit.ts'
import type { Clock } from './kernel/clock.ts'
import { randomText } from './kernel/ids.ts'
import { splitIntoBatches } from './kernel/split-into-batches.ts'

const channel = 'bloomery_counts'
/** How long counts are collected before they are sent to the other servers. */
const gather_ms = 250
/**
 * A caller is reported to other servers once they have used this share of a limit; each server may let so much more
 * through.
 */
const told_share_min = 0.1
/** PostgreSQL takes 8,000 bytes; an entry has some 100. */
const entries_a_text = 50
const key_characters_max = 100

type Entry = WindowCounts[number] | string

type Uses = {
  db: Db
  clock: Clock
  config: Config
  rateLimiter: RateLimiter
  onError: (error: unknown) => void
}

export class SharedCounts {
  readonly #uses: Uses
  readonly #url: string
  readonly #name = randomText(8)
  readonly #failures: string[] = []
  #listener: Promise<ChannelListener> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(uses: Uses, url: string) {
    this.#uses = uses
    this.#url = url
    ipThrottleOf(uses.config).onFailure((ip) => {
      if (this.#listener) this.#failures.push(ip)
    })
  }

  /** Begins to tell and to listen where others run, and ends that where none does any more. */
  setOthersRun(doOthersRun: boolean): void {
    if (doOthersRun === (this.#listener !== undefined)) return
    if (!doOthersRun) {
      void this.end()
      return
    }
    const { rateLimiter } = this.#uses
    rateLimiter.collectCounts()
    this.#listener = import('./db/postgres.ts').then(({ listenToChannel }) =>
      listenToChannel(this.#url, channel, {
        greeting: `${this.#name} []`,
        begin: () => {},
        hear: (text) => this.#hear(text),
      }),
    )
    this.#timer = setInterval(() => this.#tell(), gather_ms).unref()
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#uses.rateLimiter.stopCollecting()
    this.#failures.length = 0
    const listener = this.#listener
    this.#listener = undefined
    await (await listener)?.end()
  }

  #tell(): void {
    const { db, rateLimiter, onError } = this.#uses
    const counts = rateLimiter
      .takeCounts(told_share_min)
      .filter(([key]) => key.length <= key_characters_max)
    const entries: Entry[] = [...counts, ...this.#failures.splice(0)]
    const texts = [...splitIntoBatches(entries, entries_a_text)].map(
      (part) => `${this.#name} ${JSON.stringify(part)}`,
    )
    if (texts.length > 0) notifyPostgresChannel(db, channel, texts).catch(onError)
  }

  #hear(text: string): void {
    const space = text.indexOf(' ')
    if (text.slice(0, space) === this.#name) return
    const { clock, config, rateLimiter } = this.#uses
    const entries: Entry[] = JSON.parse(text.slice(space + 1))
    rateLimiter.addCounts(entries.filter((entry) => typeof entry !== 'string'))
    const now_ms = clock().getTime()
    for (const ip of entries) {
      if (typeof ip === 'string') ipThrottleOf(config).recordFailureElsewhere(ip, now_ms)
    }
  }
}
