// The followers on this node. Rows are the truth: a change makes the versions of its topics be read and sent; all
// versions are also read periodically, so that nothing stays missed.

import { databaseKeyOf } from '../../../db/after-commit.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { monotonic_ms } from '../../../kernel/clock.ts'
import { recordNotFound, tooBusy, unavailable } from '../../../kernel/errors.ts'
import { KeyCounts } from '../../../kernel/key-counts.ts'
import { limits } from '../../../kernel/limits.ts'
import { slicesWithYields } from '../../../kernel/with-yields.ts'
import {
  type ChangeTopic,
  type PublishedTopic,
  setChangeListener,
} from '../../basics/changes/change.ts'
import { generateListVersion, readTopicVersions } from './event-stream.store.ts'
import { EventStream } from './event-stream.ts'
import { canTopicChangeLists, isListTopic, notifyFollowersOfChangedLists } from './list-changes.ts'
import { findFollowersWithoutAccess, type TopicFollower } from './may-follow.ts'
import {
  type ChangeBroadcaster,
  createChangeBroadcaster,
  type WorkerBroadcastLink,
} from './node-link.ts'

const { streams_max, of_one_max, apart_ms, rights_ms, rights_at_once, beat_ms, look_ms } =
  limits.event_streams

/** Changes within this time are sent together. */
const gather_ms = 20

type Uses = Pick<Instance, 'db' | 'clock'> & {
  /** The URL of the PostgreSQL database; undefined for SQLite. */
  databaseUrl: string | undefined
  /** The link to the other workers of the server, if there are any. */
  peers: WorkerBroadcastLink | undefined
  /** Returns the number of streams that a holder has open in other workers. */
  countElsewhere: ((holder: string) => Promise<number>) | undefined
  onError: (error: unknown) => void
}

const hubs = new WeakMap<object, StreamHub>()

/** Returns the stream hub of this server, which is open as long as the server runs. */
export function getStreamHub(db: Db): StreamHub {
  const hub = hubs.get(databaseKeyOf(db))
  if (!hub) throw new Error('The stream hub of this database is not open.')
  return hub
}

export class StreamHub {
  readonly #uses: Uses
  readonly #link: ChangeBroadcaster
  readonly #streams = new Set<EventStream>()
  readonly #holders = new KeyCounts()
  readonly #followers = new Map<ChangeTopic, Set<EventStream>>()
  #changed = new Set<ChangeTopic>()
  /** The number of list topics that all streams together follow. */
  #listCount = 0
  /** Published topics that may affect lists; collected only while a stream follows a list. */
  #changedInLists = new Set<PublishedTopic>()
  #telling: NodeJS.Timeout | undefined
  #told_ms = 0
  #ticking: NodeJS.Timeout | undefined
  #isTicking = false
  #beat_ms = 0
  #isEnding = false

  constructor(uses: Uses) {
    this.#uses = uses
    this.#link = createChangeBroadcaster(uses, {
      isFollowing: () => this.#streams.size > 0,
      hear: (topics) => this.#note(topics),
      lookAtAll: () =>
        this.#try(async () => {
          await this.#lookAtAll()
          this.#tellAllLists()
        }),
    })
    setChangeListener(uses.db, (topics) => {
      this.#note(topics)
      this.#link.tell(topics)
    })
    hubs.set(databaseKeyOf(uses.db), this)
  }

  /** Opens a stream. It starts with the versions that its reader does not have yet. */
  async open(
    follower: TopicFollower,
    { holder, lastEventId }: { holder: string; lastEventId: string },
  ): Promise<EventStream> {
    this.#admit(holder)
    const stream = new EventStream(follower, { holder, lastEventId, now_ms: monotonic_ms() })
    this.#add(stream)
    try {
      await this.#admitBesideOthers(holder)
      const versions = await readTopicVersions(this.#uses.db, follower.topics)
      if (versions.size < follower.topics.length) throw recordNotFound()
      for (const [topic, version] of versions) stream.tellIfNew(topic, version)
      return stream
    } catch (error) {
      stream.body.destroy()
      throw error
    }
  }

  /** Returns the number of streams that a holder has open in this process. */
  countOf(holder: string): number {
    return this.#holders.of(holder)
  }

  /** Closes all streams and the link between nodes. No stream can be opened afterwards. */
  async close(): Promise<void> {
    this.#isEnding = true
    clearTimeout(this.#telling)
    clearInterval(this.#ticking)
    for (const stream of this.#streams) stream.end()
    await this.#link.end()
  }

  #admit(holder: string): void {
    if (this.#isEnding || this.#streams.size >= streams_max) throw unavailable()
    if (this.countOf(holder) >= of_one_max) throw tooBusy()
  }

  /**
   * A stream that is being opened is counted already. If two workers open the last allowed one at the same
   * time, both may refuse.
   */
  async #admitBesideOthers(holder: string): Promise<void> {
    const { countElsewhere } = this.#uses
    if (countElsewhere && this.countOf(holder) + (await countElsewhere(holder)) > of_one_max)
      throw tooBusy()
  }

  #add(stream: EventStream): void {
    const { holder, topics, body } = stream
    this.#streams.add(stream)
    this.#holders.add(holder)
    this.#listCount += topics.filter(isListTopic).length
    for (const topic of topics) {
      const others = this.#followers.get(topic)
      if (others) others.add(stream)
      else this.#followers.set(topic, new Set([stream]))
    }
    body.once('close', () => this.#remove(stream))
    if (this.#streams.size > 1) return
    // The first check runs soon, since other nodes sent no notifications before they learned of this
    // follower.
    this.#beat_ms = Number.NEGATIVE_INFINITY
    this.#ticking = setInterval(() => this.#tick(), look_ms).unref()
    this.#link.follow()
  }

  #remove(stream: EventStream): void {
    if (!this.#streams.delete(stream)) return
    this.#holders.remove(stream.holder)
    this.#listCount -= stream.topics.filter(isListTopic).length
    for (const topic of stream.topics) {
      const others = this.#followers.get(topic)
      others?.delete(stream)
      if (others?.size === 0) this.#followers.delete(topic)
    }
    if (this.#streams.size === 0) clearInterval(this.#ticking)
  }

  #note(topics: readonly PublishedTopic[]): void {
    for (const topic of topics) {
      if (this.#listCount > 0 && canTopicChangeLists(topic)) this.#changedInLists.add(topic)
      if (isFollowable(topic) && this.#followers.has(topic)) this.#changed.add(topic)
    }
    const count = this.#changed.size + this.#changedInLists.size
    if (count === 0 || this.#telling || this.#isEnding) return
    const wait_ms = Math.max(gather_ms, this.#told_ms + apart_ms - monotonic_ms())
    this.#telling = setTimeout(() => this.#try(() => this.#tellChanged()), wait_ms).unref()
  }

  /**
   * Sends the versions of changed topics, even if they look unchanged: two changes may fall in the same
   * millisecond.
   */
  async #tellChanged(): Promise<void> {
    const topics = this.#changed
    const published = [...this.#changedInLists]
    this.#changed = new Set()
    this.#changedInLists = new Set()
    try {
      await this.#tell(topics, (stream, topic, version) => stream.tell(topic, version))
      const version = generateListVersion()
      await notifyFollowersOfChangedLists(this.#uses.db, {
        published,
        followersOf: (topic) => this.#followers.get(topic) ?? [],
        tell: (stream, topic, ids) => stream.tell(topic, version, ids),
      })
    } finally {
      this.#told_ms = monotonic_ms()
      this.#telling = undefined
      this.#note([])
    }
  }

  /** Makes followers reload all lists, since lists have no versions that would show what was missed. */
  #tellAllLists(): void {
    const version = generateListVersion()
    for (const topic of [...this.#followers.keys()].filter(isListTopic)) {
      for (const stream of this.#followers.get(topic) ?? []) stream.tell(topic, version)
    }
  }

  #lookAtAll(): Promise<void> {
    const topics = [...this.#followers.keys()].filter((topic) => !isListTopic(topic))
    return this.#tell(topics, (stream, topic, version) => stream.tellIfNew(topic, version))
  }

  async #tell(
    topics: Iterable<ChangeTopic>,
    tell: (stream: EventStream, topic: ChangeTopic, version: string) => void,
  ): Promise<void> {
    const asked = [...topics]
    const versions = await readTopicVersions(this.#uses.db, asked)
    for (const topic of asked) {
      const version = versions.get(topic)
      for (const stream of this.#followers.get(topic) ?? []) {
        // The record no longer exists, so the stream ends. The request to open it again is answered with an
        // error.
        if (version === undefined) stream.end()
        else tell(stream, topic, version)
      }
    }
  }

  /**
   * Runs each second: checks rights, looks for changes of other processes, and now and then sends a
   * heartbeat.
   */
  #tick(): void {
    if (this.#isTicking) return
    this.#isTicking = true
    this.#try(async () => {
      await this.#askRights()
      const isBeat = monotonic_ms() - this.#beat_ms >= beat_ms
      const isFirst = this.#beat_ms === Number.NEGATIVE_INFINITY
      if (isBeat) {
        this.#beat_ms = monotonic_ms()
        for (const stream of this.#streams) stream.beat()
      }
      const hasMissed = await this.#link.look()
      if (isBeat || hasMissed) await this.#lookAtAll()
      if (isFirst && this.#uses.databaseUrl !== undefined) this.#tellAllLists()
    }).finally(() => {
      this.#isTicking = false
    })
  }

  /** Ends the streams of callers who may no longer follow their topics. */
  async #askRights(): Promise<void> {
    const now_ms = monotonic_ms()
    const due = [...this.#streams].filter(({ asked_ms }) => now_ms - asked_ms >= rights_ms)
    for await (const some of slicesWithYields(due, rights_at_once)) {
      for (const stream of some) stream.asked_ms = now_ms
      for (const stream of await findFollowersWithoutAccess(this.#uses, some)) stream.end()
    }
  }

  async #try(run: () => Promise<void>): Promise<void> {
    try {
      if (!this.#isEnding) await run()
    } catch (error) {
      if (!this.#isEnding) this.#uses.onError(error)
    }
  }
}

/** List topics are sent by `notifyFollowersOfChangedLists`, only to callers who may read what has changed. */
function isFollowable(topic: PublishedTopic): topic is ChangeTopic {
  return !topic.startsWith('confidential_') && !isListTopic(topic as ChangeTopic)
}
