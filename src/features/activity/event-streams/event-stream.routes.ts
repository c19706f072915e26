import { type Static, Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpoint } from '../../../http/endpoint.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import { limits } from '../../../kernel/limits.ts'
import type { ChangeTopic } from '../../basics/changes/change.ts'
import { findProjectIdsByTopic } from './event-stream.store.ts'
import { findSubscriptionRefusal } from './may-follow.ts'
import { getStreamHub } from './stream-hub.ts'

const { topics_max } = limits.event_streams
const topicPattern =
  /^(?:(?:(?:group|project)_(?:issues|merge_requests)|issue|job|merge_request|pipeline|project):[1-9]\d{0,14}|user)$/

const input = Type.Object({
  topics: Type.Array(Type.String(), {
    description: `At most ${topics_max} of group_issues:<id>, group_merge_requests:<id>, issue:<id>, job:<id>, merge_request:<id>, pipeline:<id>, project:<id>, project_issues:<id>, project_merge_requests:<id>, user.`,
  }),
  follow: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether the stream stays open; else it ends after the present versions.',
    }),
  ),
})

const topicsInOrder: ParameterRule = ({ topics }) => {
  const given = topics as string[]
  if (given.length === 0) return 'topics is empty'
  if (given.length > topics_max) return `topics is too long (maximum is ${topics_max})`
  return given.every((topic) => topicPattern.test(topic)) ? undefined : 'topics is invalid'
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Proxies such as nginx would otherwise buffer events.
  'x-accel-buffering': 'no',
}

/** Opens the stream after checking that the caller may follow all topics (docs/api/event-streams.md). */
async function openStream(context: Context<unknown, Static<typeof input>>): Promise<Answer> {
  const { db, actor, input, request } = context
  const topics = [...new Set(input.topics)].map((topic) =>
    topic === 'user' ? (`user:${context.user.id}` as const) : (topic as ChangeTopic),
  )
  const follower = { actor, topics, projects: await findProjectIdsByTopic(db, topics) }
  const refusal = await findSubscriptionRefusal(db, follower)
  if (refusal) throw refusal
  if (request.method === 'HEAD') return Answer.raw(undefined, headers)
  const holder = actor.user ? `user:${actor.user.id}` : `address:${request.ip}`
  const lastEventId = String(request.headers['last-event-id'] ?? '')
  const stream = await getStreamHub(db).open(follower, { holder, lastEventId })
  request.signal.addEventListener('abort', () => stream.body.destroy(), { once: true })
  if (input.follow === false) stream.end()
  return Answer.raw(stream.body, headers)
}

export const eventStreamEndpoints = [
  endpoint({
    route: 'GET /events/stream',
    summary: 'Follow changes as server-sent events',
    tag: 'Event streams',
    signIn: 'never',
    allow: anyone,
    input,
    rules: [topicsInOrder],
    run: openStream,
  }),
]
