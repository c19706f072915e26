import { Type } from 'typebox'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { date, nullable, optionalBoolean, optionalText, pageInput } from '../../../http/schema.ts'
import { today } from '../../../kernel/clock.ts'
import { ApiError, badParameters, notFound, recordNotFound } from '../../../kernel/errors.ts'
import { findUser } from '../../../subjects/user.ts'
import { addMember, changeMember, lockAndFindMembership, removeMember } from './change-member.ts'
import { errorDetailSentence } from './error-detail-sentence.ts'
import { mayAdminMembers, mayLeaveOrAdminMembers, mayReadMembers } from './member.policy.ts'
import { InvitationResultJson, MemberJson, presentMember } from './member.present.ts'
import { findMember, listMembers, type MemberFilter } from './member.store.ts'
import {
  groupMemberSourceLoader,
  type MemberSource,
  projectMemberSourceLoader,
} from './member-source.ts'

const tag = 'Members'

/** The maximum number of users that one request may add. */
const users_max = 100

const listInput = {
  ...pageInput,
  query: optionalText,
  user_ids: Type.Optional(Type.Array(Type.Integer())),
  skip_users: Type.Optional(Type.Array(Type.Integer())),
}

type ListInput = MemberFilter & { page?: number; per_page?: number }
type SourceContext<Input = unknown> = Context<MemberSource, Input>

async function list(context: SourceContext<ListInput>, { isAll }: { isAll: boolean }) {
  const { db, clock, subject: source, input, baseUrl, actor, level, range } = context
  const scope = { source, today: today(clock), asker: isAll ? { actor, level } : undefined }
  const { rows, total } = await listMembers(db, scope, input, range)
  const items = rows.map((row) => presentMember(row, baseUrl))
  return new Page({ items, total })
}

async function show(context: SourceContext, { userId, isAll }: { userId: number; isAll: boolean }) {
  const { db, clock, subject: source, baseUrl, actor, level } = context
  const scope = { source, today: today(clock), asker: isAll ? { actor, level } : undefined }
  const row = await findMember(db, scope, userId)
  if (!row) throw recordNotFound()
  return presentMember(row, baseUrl)
}

type AddInput = { user_id: number[]; access_level: number; expires_at?: string | null }

async function addOne(context: SourceContext<AddInput>, user_id: number) {
  const { db, subject: source, input, user, level } = context
  if (!(await findUser(db, user_id))) throw notFound('User')
  const { access_level, expires_at } = input
  const wish = { user_id, access_level, expires_at }
  await addMember(context, source, { wish, by: { user, level } })
}

/** Adds the users who can be added, and returns the reason of failure for each of the others. */
async function addMany(context: SourceContext<AddInput>, ids: readonly number[]) {
  if (ids.length > users_max) {
    return { status: 'error', message: `Too many users specified (limit is ${users_max})` }
  }
  const failures = new Map<string, string>()
  for (const id of ids) {
    try {
      await addOne(context, id)
    } catch (error) {
      // The failure is reported for this user only; the transaction goes on.
      if (!(error instanceof ApiError)) throw error
      const name = (await findUser(context.db, id))?.username ?? String(id)
      failures.set(name, errorDetailSentence(error))
    }
  }
  return failures.size > 0
    ? { status: 'error', message: Object.fromEntries(failures) }
    : { status: 'success' }
}

/** Returns the endpoints for members of groups or of projects, which differ only in the source. */
function endpointsOf(
  kind: 'groups' | 'projects',
  on: SubjectLoader<MemberSource>,
): readonly Endpoint[] {
  const what = kind === 'groups' ? 'group' : 'project'
  const byUser = Type.Object({ user_id: Type.Integer() })
  return [
    endpoint({
      route: `GET /${kind}/:id/members`,
      summary: `List the members of a ${what}`,
      tag,
      signIn: 'always',
      on,
      allow: mayReadMembers,
      input: Type.Object(listInput),
      answer: Type.Array(MemberJson),
      run: (context) => list(context, { isAll: false }),
    }),

    endpoint({
      route: `GET /${kind}/:id/members/all`,
      summary: `List all members of a ${what}, including inherited and invited ones`,
      tag,
      signIn: 'always',
      on,
      allow: mayReadMembers,
      input: Type.Object(listInput),
      answer: Type.Array(MemberJson),
      run: (context) => list(context, { isAll: true }),
    }),

    endpoint({
      route: `GET /${kind}/:id/members/:user_id`,
      summary: `Get a member of a ${what}`,
      tag,
      signIn: 'always',
      on,
      allow: mayReadMembers,
      input: byUser,
      answer: MemberJson,
      run: (context) => show(context, { userId: context.input.user_id, isAll: false }),
    }),

    endpoint({
      route: `GET /${kind}/:id/members/all/:user_id`,
      summary: `Get a member of a ${what}, including inherited and invited ones`,
      tag,
      signIn: 'always',
      on,
      allow: mayReadMembers,
      input: byUser,
      answer: MemberJson,
      run: (context) => show(context, { userId: context.input.user_id, isAll: true }),
    }),

    endpoint({
      route: `POST /${kind}/:id/members`,
      summary: `Add members to a ${what}`,
      tag,
      signIn: 'always',
      on,
      allow: mayAdminMembers,
      input: Type.Object({
        user_id: Type.Array(Type.Integer()),
        access_level: Type.Integer(),
        expires_at: Type.Optional(nullable(date())),
      }),
      status: 201,
      answer: Type.Union([MemberJson, InvitationResultJson]),
      async run(context) {
        const [first, ...others] = [...new Set(context.input.user_id)]
        if (first === undefined) throw badParameters(['user_id is empty'])
        if (others.length > 0) return addMany(context, [first, ...others])
        await addOne(context, first)
        return show(context, { userId: first, isAll: false })
      },
    }),

    endpoint({
      route: `PUT /${kind}/:id/members/:user_id`,
      summary: `Change a member of a ${what}`,
      tag,
      signIn: 'always',
      on,
      allow: mayAdminMembers,
      input: Type.Object({
        user_id: Type.Integer(),
        access_level: Type.Integer(),
        expires_at: Type.Optional(nullable(date())),
      }),
      answer: MemberJson,
      async run(context) {
        const { db, subject: source, input, user, level } = context
        const { user_id, access_level, expires_at } = input
        const member = await lockAndFindMembership(db, source, user_id)
        if (!member) throw recordNotFound()
        const wish = { access_level, expires_at }
        await changeMember(context, source, { member, wish, by: { user, level } })
        return show(context, { userId: user_id, isAll: false })
      },
    }),

    endpoint({
      route: `DELETE /${kind}/:id/members/:user_id`,
      summary: `Remove a member of a ${what}, or leave it`,
      tag,
      signIn: 'always',
      on,
      allow: mayLeaveOrAdminMembers,
      input: Type.Object({
        user_id: Type.Integer(),
        skip_subresources: optionalBoolean,
        unassign_issuables: optionalBoolean,
      }),
      status: 204,
      async load({ db, subject: source, input }) {
        const member = await lockAndFindMembership(db, source, input.user_id)
        if (!member) throw recordNotFound()
        return member
      },
      authorize(context) {
        const { user, level, loaded: member } = context
        const isLeaving = user.id === member.user_id
        return isLeaving || (mayAdminMembers(context) && member.access_level <= level)
      },
      async run(context) {
        const { subject: source, input, request, loaded: member } = context
        checkIfUnmodifiedSince(request, member.created_at)
        await removeMember(context, source, {
          member,
          skipsBelow: input.skip_subresources ?? false,
        })
      },
    }),
  ]
}

export const memberEndpoints: readonly Endpoint[] = [
  ...endpointsOf('groups', groupMemberSourceLoader),
  ...endpointsOf('projects', projectMemberSourceLoader),
]
