import { Type } from 'typebox'
import { type Actor, isAdmin } from '../../../access/actor.ts'
import { anyone, type Rule } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { Answer } from '../../../http/answer.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { Page, type PageInput } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { BasicUserJson, findUser, presentBasicUser, type User } from '../../../subjects/user.ts'
import { deleteFollow, insertFollow, listFollows } from './follow.store.ts'

const endpoint = endpointFactory({ tag: 'Followers', scope: 'read_user' })
const userInput = { id: Type.Integer() }

async function getUser(db: Db, id: number): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw notFound('User')
  return user
}

/** Callers who may list users. */
const readFollows: Rule<unknown> = ({ actor }) => actor.user !== undefined
const refusal = () => forbidden('Not authorized!')

/**
 * Returns a user whose profile the caller may see. Followers are part of the profile, so those of a private one are
 * hidden.
 */
async function getProfile(db: Db, actor: Actor, id: number): Promise<User> {
  const user = await getUser(db, id)
  const isShown = !user.private_profile || isAdmin(actor) || actor.user?.id === id
  if (!isShown) throw notFound('User')
  return user
}

async function answerFollows(
  context: Context<unknown, PageInput & { id: number }>,
  side: 'followers' | 'following',
) {
  const { db, actor, input, baseUrl } = context
  const { id } = await getProfile(db, actor, input.id)
  const { range } = context
  const { rows, total } = await listFollows(db, { user_id: id, side }, range)
  const items = rows.map((user) => presentBasicUser(user, baseUrl))
  return new Page({ items, total })
}

export const followEndpoints = [
  endpoint({
    route: 'POST /users/:id(^\\d+$)/follow',
    summary: 'Follow a user',
    allow: anyone,
    input: Type.Object(userInput),
    status: 201,
    answer: BasicUserJson,
    otherAnswers: { 304: undefined },
    async run({ db, clock, user, input, baseUrl }) {
      const followee = await getUser(db, input.id)
      const follow = { follower_id: user.id, followee_id: followee.id }
      const created_at = timestamp(clock)
      const isNew = user.id !== followee.id && (await insertFollow(db, { ...follow, created_at }))
      return isNew ? presentBasicUser(followee, baseUrl) : Answer.empty(304)
    },
  }),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/unfollow',
    summary: 'Unfollow a user',
    allow: anyone,
    input: Type.Object(userInput),
    status: 201,
    answer: BasicUserJson,
    otherAnswers: { 304: undefined },
    async run({ db, user, input, baseUrl }) {
      const followee = await getUser(db, input.id)
      const follow = { follower_id: user.id, followee_id: followee.id }
      const isGone = await deleteFollow(db, follow)
      return isGone ? presentBasicUser(followee, baseUrl) : Answer.empty(304)
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)/followers',
    summary: 'List the followers of a user',
    signIn: 'never',
    allow: readFollows,
    refusal,
    input: Type.Object({ ...userInput, ...pageInput }),
    answer: Type.Array(BasicUserJson),
    async run(context) {
      return answerFollows(context, 'followers')
    },
  }),

  endpoint({
    route: 'GET /users/:id(^\\d+$)/following',
    summary: 'List the users whom a user follows',
    signIn: 'never',
    allow: readFollows,
    refusal,
    input: Type.Object({ ...userInput, ...pageInput }),
    answer: Type.Array(BasicUserJson),
    async run(context) {
      return answerFollows(context, 'following')
    },
  }),
]
