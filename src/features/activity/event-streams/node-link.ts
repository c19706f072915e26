// Notifies other nodes of changes. On PostgreSQL by NOTIFY, each node over its own connection and only while somebody
// follows there. The workers of a server on SQLite notify each other; other processes that write to the file are
// detected by its data version.

import type { Db } from '../../../db/db.ts'
import { notifyPostgresChannel } from '../../../db/notify.ts'
import type { ChannelListener } from '../../../db/postgres.ts'
import { monotonic_ms } from '../../../kernel/clock.ts'
import { randomText } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { PublishedTopic } from '../../basics/changes/change.ts'
import { readSqliteDataVersion } from './event-stream.store.ts'

const { apart_ms, follow_ms, followed_ms } = limits.event_streams

const channel = 'bloomery_changes'
/** PostgreSQL limits a notification to 8,000 bytes. A topic has at most 38 bytes and a space. */
const topics_a_text = 200
/** Messages between nodes besides topics: a node has followers, or asks which nodes have followers. */
const following = 'following'
const asking = 'who-follows'

type Hub = {
  /** Whether this node has followers. */
  isFollowing: () => boolean
  hear: (topics: readonly PublishedTopic[]) => void
  /** Reads all versions again, since notifications may have been lost. */
  lookAtAll: () => Promise<void>
}

export type ChangeBroadcaster = {
  /** Notifies other nodes of changes. */
  tell: (topics: readonly PublishedTopic[]) => void
  /** Called when the first follower on this node connects. */
  follow: () => void
  /**
   * Called each second while this node has followers. Returns whether another process has changed data
   * without notifying.
   */
  look: () => Promise<boolean>
  end: () => Promise<void>
}

/** The link to the other workers of the server. */
export type WorkerBroadcastLink = {
  broadcast: (topic: 'changes', topics: readonly PublishedTopic[]) => void
  onBroadcast: (topic: 'changes', hear: (topics: readonly PublishedTopic[]) => void) => void
}

type Uses = {
  db: Db
  databaseUrl: string | undefined
  peers: WorkerBroadcastLink | undefined
  onError: (error: unknown) => void
}

export function createChangeBroadcaster(uses: Uses, hub: Hub): ChangeBroadcaster {
  const { databaseUrl } = uses
  return databaseUrl === undefined
    ? new SqliteLink(uses, hub)
    : new PostgresLink(uses, databaseUrl, hub)
}

class SqliteLink implements ChangeBroadcaster {
  readonly #db: Db
  readonly #peers: WorkerBroadcastLink | undefined
  #seen: number | undefined

  constructor({ db, peers }: Uses, hub: Hub) {
    this.#db = db
    this.#peers = peers
    peers?.onBroadcast('changes', (topics) => hub.hear(topics))
  }

  tell(topics: readonly PublishedTopic[]): void {
    this.#peers?.broadcast('changes', topics)
  }

  follow(): void {}

  async look(): Promise<boolean> {
    const version = await readSqliteDataVersion(this.#db)
    const isOther = version !== this.#seen
    this.#seen = version
    return isOther
  }

  async end(): Promise<void> {}
}

class PostgresLink implements ChangeBroadcaster {
  readonly #uses: Uses
  readonly #hub: Hub
  readonly #name = randomText(8)
  readonly #notifications: Promise<ChannelListener>
  /** When another node last reported that it has followers. */
  #followed_ms = Number.NEGATIVE_INFINITY
  #said_ms = 0
  #outbox = new Set<PublishedTopic>()
  #sending: NodeJS.Timeout | undefined

  constructor(uses: Uses, url: string, hub: Hub) {
    this.#uses = uses
    this.#hub = hub
    const begin = () => void hub.lookAtAll()
    const hear = (text: string) => this.#hear(text)
    // The PostgreSQL driver is loaded on demand.
    this.#notifications = import('../../../db/postgres.ts').then(({ listenToChannel }) =>
      listenToChannel(url, channel, { greeting: `${this.#name} ${asking}`, begin, hear }),
    )
  }

  tell(topics: readonly PublishedTopic[]): void {
    if (monotonic_ms() - this.#followed_ms > followed_ms) return
    for (const topic of topics) this.#outbox.add(topic)
    this.#sending ??= setTimeout(() => this.#send(), apart_ms / 5).unref()
  }

  follow(): void {
    this.#said_ms = monotonic_ms()
    this.#notify([following])
  }

  async look(): Promise<boolean> {
    if (monotonic_ms() - this.#said_ms >= follow_ms) this.follow()
    return false
  }

  async end(): Promise<void> {
    clearTimeout(this.#sending)
    await (await this.#notifications).end()
  }

  #send(): void {
    const topics = [...this.#outbox]
    this.#outbox.clear()
    this.#sending = undefined
    this.#notify([...splitIntoBatches(topics, topics_a_text)].map((some) => some.join(' ')))
  }

  #notify(texts: readonly string[]): void {
    const signed = texts.map((text) => `${this.#name} ${text}`)
    notifyPostgresChannel(this.#uses.db, channel, signed).catch(this.#uses.onError)
  }

  #hear(text: string): void {
    const [name, ...words] = text.split(' ')
    if (name === this.#name) return
    if (words[0] === following) this.#followed_ms = monotonic_ms()
    else if (!this.#hub.isFollowing()) return
    else if (words[0] === asking) this.follow()
    else this.#hub.hear(words as PublishedTopic[])
  }
}
