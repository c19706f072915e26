// Requests for access to a project or group (docs/api/groups.md, "Access requests").
import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import {
  type Context,
  type Endpoint,
  endpointFactory,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { namedObject, pageInput } from '../../../http/schema.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { invalid, recordNotFound } from '../../../kernel/errors.ts'
import { BasicUserJson, presentBasicUser } from '../../../subjects/user.ts'
import {
  allowsAccessRequests,
  deleteAccessRequest,
  findAccessRequest,
  insertAccessRequest,
  listAccessRequests,
} from './access-request.store.ts'
import { addMember } from './change-member.ts'
import { mayAdminMembers } from './member.policy.ts'
import { MemberJson, presentMember } from './member.present.ts'
import { findMember } from './member.store.ts'
import {
  groupMemberSourceLoader,
  type MemberSource,
  projectMemberSourceLoader,
} from './member-source.ts'

const RequesterJson = namedObject('AccessRequester', {
  ...BasicUserJson.properties,
  requested_at: Type.String(),
})

type Requester = NonNullable<Awaited<ReturnType<typeof findAccessRequest>>>
type SourceContext<Input = unknown> = Context<MemberSource, Input>

/** Callers who can see the project or group and are not members of it. */
const requestAccess: Rule<MemberSource> = ({ level }) => level < Level.guest
/** Every caller may withdraw their own request. */
const withdrawAccess: Rule<MemberSource> = () => true

function present({ requested_at, ...user }: Requester, baseUrl: string) {
  return { ...presentBasicUser(user, baseUrl), requested_at }
}

async function getRequest(
  { db, subject }: Pick<SourceContext, 'db' | 'subject'>,
  user_id: number,
): Promise<Requester> {
  const request = await findAccessRequest(db, subject, user_id)
  if (!request) throw recordNotFound()
  return request
}

function endpointsOf(
  kind: 'groups' | 'projects',
  on: SubjectLoader<MemberSource>,
): readonly Endpoint[] {
  const endpoint = endpointFactory({ tag: 'Access requests', on, signIn: 'always' })
  const what = kind === 'groups' ? 'group' : 'project'
  const base = `/${kind}/:id/access_requests` as const
  const userInput = { user_id: Type.Integer() }
  return [
    endpoint({
      route: `GET ${base}`,
      summary: `List the access requests for a ${what}`,
      allow: mayAdminMembers,
      input: Type.Object(pageInput),
      answer: Type.Array(RequesterJson),
      async run({ db, subject: source, range, baseUrl }) {
        const { rows, total } = await listAccessRequests(db, source, range)
        return new Page({ items: rows.map((row) => present(row, baseUrl)), total })
      },
    }),

    endpoint({
      route: `POST ${base}`,
      summary: `Request access to a ${what}`,
      allow: requestAccess,
      status: 201,
      answer: RequesterJson,
      authorize: ({ db, subject: source }) => allowsAccessRequests(db, source),
      async run(context) {
        const { db, clock, subject: source, user, baseUrl } = context
        const isNew = await insertAccessRequest(db, {
          user_id: user.id,
          ...(source.kind === 'group' ? { namespace_id: source.id } : { project_id: source.id }),
          requested_at: timestamp(clock),
        })
        if (!isNew) throw invalid({ user_id: ['already exists in source'] })
        return present(await getRequest(context, user.id), baseUrl)
      },
    }),

    endpoint({
      route: `PUT ${base}/:user_id(^\\d+$)/approve`,
      summary: `Approve an access request for a ${what}`,
      allow: mayAdminMembers,
      input: Type.Object({
        ...userInput,
        access_level: Type.Optional(Type.Integer({ default: Level.developer })),
      }),
      status: 201,
      answer: MemberJson,
      async run(context) {
        const { db, clock, subject: source, user, level, input, baseUrl } = context
        const { id: user_id } = await getRequest(context, input.user_id)
        const { access_level = Level.developer } = input
        await addMember(context, source, { wish: { user_id, access_level }, by: { user, level } })
        const scope = { source, today: today(clock), asker: undefined }
        const member = await findMember(db, scope, user_id)
        if (!member)
          throw new Error(`User ${user_id} is not a member after the access request was approved.`)
        return presentMember(member, baseUrl)
      },
    }),

    endpoint({
      route: `DELETE ${base}/:user_id(^\\d+$)`,
      summary: `Deny or withdraw an access request for a ${what}`,
      allow: withdrawAccess,
      input: Type.Object(userInput),
      status: 204,
      load: (context) => getRequest(context, context.input.user_id),
      authorize: (context) => context.loaded.id === context.user.id || mayAdminMembers(context),
      async run(context) {
        const { db, subject: source } = context
        const { id } = context.loaded
        await deleteAccessRequest(db, source, id)
      },
    }),
  ]
}

export const accessRequestEndpoints: readonly Endpoint[] = [
  ...endpointsOf('projects', projectMemberSourceLoader),
  ...endpointsOf('groups', groupMemberSourceLoader),
]
