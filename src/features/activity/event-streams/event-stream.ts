// One open event stream, as a browser's EventSource reads it (html.spec.whatwg.org, "Server-sent events").
import { Readable } from 'node:stream'
import type { Actor } from '../../../access/actor.ts'
import { limits } from '../../../kernel/limits.ts'
import type { ChangeTopic } from '../../basics/changes/change.ts'
import type { TopicFollower } from './may-follow.ts'

const { unsent_bytes_max, retry_ms } = limits.event_streams

export class EventStream implements TopicFollower {
  readonly actor: Actor
  readonly topics: readonly ChangeTopic[]
  readonly projects: ReadonlyMap<ChangeTopic, number>
  /** Whom it counts for. */
  readonly holder: string
  readonly body = new Readable({ read() {} })
  /** What the reader knows, in the order of the topics. */
  readonly #versions: Map<ChangeTopic, string>
  #isEnded = false
  /** When its rights were last asked, by the clock of durations. */
  asked_ms: number

  constructor(
    { actor, topics, projects }: TopicFollower,
    { holder, lastEventId, now_ms }: { holder: string; lastEventId: string; now_ms: number },
  ) {
    this.actor = actor
    this.topics = topics
    this.projects = projects
    this.holder = holder
    this.asked_ms = now_ms
    const known = lastEventId.split('.')
    const isOfThese = known.length === topics.length
    this.#versions = new Map(topics.map((topic, at) => [topic, (isOfThese && known[at]) || '']))
    this.#send(`retry: ${retry_ms}\n\n`)
  }

  /** Tells the version of one of its topics, of a list perhaps with the ids of what has changed in it. */
  tell(topic: ChangeTopic, version: string, ids?: readonly number[]): void {
    this.#versions.set(topic, version)
    const id = [...this.#versions.values()].join('.')
    const shown = topic.startsWith('user:') ? 'user' : topic
    this.#send(`id: ${id}\ndata: ${JSON.stringify({ topic: shown, version, ids })}\n\n`)
  }

  /** Tells the version where the reader knows another one, or none. */
  tellIfNew(topic: ChangeTopic, version: string): void {
    if (this.#versions.get(topic) !== version) this.tell(topic, version)
  }

  /** Keeps the connection, and whatever it leads through, from ending it for silence. */
  beat(): void {
    this.#send(':\n\n')
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.body.push(null)
  }

  /** A reader who does not read would have all of it kept here. */
  #send(text: string): void {
    if (this.#isEnded || this.body.destroyed) return
    this.body.push(text)
    if (this.body.readableLength > unsent_bytes_max) this.body.destroy()
  }
}
