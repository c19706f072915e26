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
  /** The user or address whose number of open streams is limited. */
  readonly holder: string
  readonly body = new Readable({ read() {} })
  /** The last version sent for each topic, in the order of the topics. */
  readonly #versions: Map<ChangeTopic, string>
  #isEnded = false
  /** The monotonic time when the rights of the stream were last checked. */
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

  /** Sends the version of a topic. For a list, `ids` may name the changed records. */
  tell(topic: ChangeTopic, version: string, ids?: readonly number[]): void {
    this.#versions.set(topic, version)
    const id = [...this.#versions.values()].join('.')
    const shown = topic.startsWith('user:') ? 'user' : topic
    this.#send(`id: ${id}\ndata: ${JSON.stringify({ topic: shown, version, ids })}\n\n`)
  }

  /** Sends the version unless the reader already has it. */
  tellIfNew(topic: ChangeTopic, version: string): void {
    if (this.#versions.get(topic) !== version) this.tell(topic, version)
  }

  /** Sends a comment, so that neither the browser nor a proxy closes an idle connection. */
  beat(): void {
    this.#send(':\n\n')
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.body.push(null)
  }

  /** Closes the stream if the reader does not read, since unsent events would accumulate in memory. */
  #send(text: string): void {
    if (this.#isEnded || this.body.destroyed) return
    this.body.push(text)
    if (this.body.readableLength > unsent_bytes_max) this.body.destroy()
  }
}
