import { Type } from 'typebox'
import type { Viewer } from '../../../access/actor.ts'
import { anyone } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { file, nullable, nullableText, optionalText, pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badRequest, type FieldErrors, invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type AvatarChange,
  changeAvatar,
  storeUploadedAvatar,
} from '../../basics/avatars/change-avatar.ts'
import { mayWriteTopics } from './topic.policy.ts'
import { presentTopic, TopicJson } from './topic.present.ts'
import {
  deleteTopic,
  findTopic,
  insertTopic,
  listTopics,
  renameTopicInProjects,
  type Topic,
  updateTopic,
} from './topic.store.ts'

const reading = endpointFactory({ tag: 'Topics', signIn: 'for-writes' })
const writing = endpointFactory({ tag: 'Topics', signIn: 'always' })
const body_bytes_max = limits.avatar_body_bytes
const one = { topic_id: Type.Integer() }
const detailsInput = {
  title: optionalText,
  description: Type.Optional(nullableText),
  avatar: Type.Optional(nullable(file())),
}

async function getTopic(db: Db, viewer: Viewer, id: number): Promise<Topic> {
  const topic = await findTopic(db, viewer, id)
  if (!topic) throw recordNotFound()
  return topic
}

const nameTaken = () => invalid({ name: ['has already been taken'] })

function checkNames({ name, title }: { name?: string; title?: string }): void {
  const problems: FieldErrors = {}
  for (const [field, text] of Object.entries({ name, title })) {
    if (text === undefined) continue
    if (text === '') problems[field] = ["can't be blank"]
    else if ([...text].length > limits.name_characters) {
      problems[field] = [`is too long (maximum is ${limits.name_characters} characters)`]
    }
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

async function setAvatar(
  tx: Db,
  { clock }: Pick<Context<unknown, unknown>, 'clock'>,
  { id, change }: { id: number; change: AvatarChange },
): Promise<void> {
  const now = timestamp(clock)
  const changes = await changeAvatar(tx, { owner: { kind: 'topic', id }, change, now })
  if (change !== undefined) await updateTopic(tx, id, changes)
}

export const topicEndpoints = [
  reading({
    route: 'GET /topics',
    summary: 'List topics',
    allow: anyone,
    input: Type.Object({
      search: optionalText,
      without_projects: Type.Optional(Type.Boolean({ default: false })),
      ...pageInput,
    }),
    answer: Type.Array(TopicJson),
    async run({ db, actor, input, range, baseUrl }) {
      const { search, without_projects: isWithoutProjects = false } = input
      const { rows, total } = await listTopics(db, actor, { search, isWithoutProjects }, range)
      return new Page({ items: rows.map((topic) => presentTopic(topic, baseUrl)), total })
    },
  }),

  reading({
    route: 'GET /topics/:topic_id',
    summary: 'Get a topic',
    allow: anyone,
    input: Type.Object(one),
    answer: TopicJson,
    run: async ({ db, actor, input, baseUrl }) =>
      presentTopic(await getTopic(db, actor, input.topic_id), baseUrl),
  }),

  writing({
    route: 'POST /topics',
    summary: 'Create a topic, as an administrator',
    allow: mayWriteTopics,
    // The avatar is stored before the transaction begins.
    transaction: 'none',
    body_bytes_max,
    input: Type.Object({ name: Type.String(), ...detailsInput }),
    status: 201,
    answer: TopicJson,
    async run(context) {
      const { db, actor, clock, input, baseUrl } = context
      const { description = null } = input
      const name = input.name.trim()
      const title = input.title?.trim()
      checkNames({ name, title })
      const change = await storeUploadedAvatar(context, input.avatar)
      const now = timestamp(clock)
      const made = await runTransaction(db, async (tx) => {
        const row = { name, title: title ?? null, description, created_at: now, updated_at: now }
        const topic = await insertTopic(tx, row)
        if (!topic) throw nameTaken()
        await setAvatar(tx, context, { id: topic.id, change })
        return getTopic(tx, actor, topic.id)
      })
      return presentTopic(made, baseUrl)
    },
  }),

  writing({
    route: 'PUT /topics/:topic_id',
    summary: 'Change a topic, as an administrator',
    allow: mayWriteTopics,
    transaction: 'none',
    body_bytes_max,
    input: Type.Object({ ...one, name: optionalText, ...detailsInput }),
    answer: TopicJson,
    async run(context) {
      const { db, actor, clock, input, baseUrl } = context
      const before = await getTopic(db, actor, input.topic_id)
      const name = input.name?.trim() ?? before.name
      const title = input.title?.trim()
      checkNames({ name, title })
      const { description = before.description } = input
      const change = await storeUploadedAvatar(context, input.avatar)
      const changed = await runTransaction(db, async (tx) => {
        const updated_at = timestamp(clock)
        const fields = { name, title: title ?? before.title, description, updated_at }
        try {
          await updateTopic(tx, before.id, fields)
        } catch (error) {
          if (findViolatedIndex(error) !== undefined) throw nameTaken()
          throw error
        }
        await renameTopicInProjects(tx, { from: before.name, to: name })
        await setAvatar(tx, context, { id: before.id, change })
        return getTopic(tx, actor, before.id)
      })
      return presentTopic(changed, baseUrl)
    },
  }),

  writing({
    route: 'DELETE /topics/:topic_id',
    summary: 'Delete a topic, as an administrator',
    allow: mayWriteTopics,
    input: Type.Object(one),
    status: 204,
    async run(context) {
      const { db, actor, input } = context
      const topic = await getTopic(db, actor, input.topic_id)
      await setAvatar(db, context, { id: topic.id, change: null })
      await deleteTopic(db, topic)
    },
  }),

  writing({
    route: 'POST /topics/merge',
    summary: 'Merge two topics, as an administrator',
    allow: mayWriteTopics,
    input: Type.Object({ source_topic_id: Type.Integer(), target_topic_id: Type.Integer() }),
    status: 201,
    answer: TopicJson,
    async run(context) {
      const { db, actor, input, baseUrl } = context
      const source = await getTopic(db, actor, input.source_topic_id)
      const target = await getTopic(db, actor, input.target_topic_id)
      if (source.id === target.id) {
        throw badRequest('The source topic and the target topic are identical.')
      }
      await renameTopicInProjects(db, { from: source.name, to: target.name })
      await setAvatar(db, context, { id: source.id, change: null })
      await deleteTopic(db, source)
      return presentTopic(await getTopic(db, actor, target.id), baseUrl)
    },
  }),
]
