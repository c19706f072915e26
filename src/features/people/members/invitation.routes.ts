import { type Static, Type } from 'typebox'
import { memberLevels } from '../../../access/level.ts'
import {
  type Context,
  type Endpoint,
  endpoint,
  type SubjectLoader,
} from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import type { ParameterRule } from '../../../http/parameters.ts'
import {
  date,
  namedObject,
  nullable,
  nullableText,
  oneOfNumbers,
  optionalText,
  pageInput,
} from '../../../http/schema.ts'
import { badRequest, invalid, notFound } from '../../../kernel/errors.ts'
import { isEmail } from '../../../kernel/names.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { isDayBeforeToday } from './change-member.ts'
import {
  deleteInvitation,
  findInvitation,
  type InvitationWithInviter,
  listInvitations,
  updateInvitation,
} from './invitation.store.ts'
import { inviteMembers } from './invite-members.ts'
import { mayAdminMembers } from './member.policy.ts'
import { InvitationResultJson } from './member.present.ts'
import {
  groupMemberSourceLoader,
  type MemberSource,
  projectMemberSourceLoader,
} from './member-source.ts'

const tag = 'Invitations'

/** The maximum number of people that one request may invite. */
const invited_max = 100

const InvitationJson = namedObject('Invitation', {
  id: Type.Integer(),
  invite_email: Type.String(),
  created_at: Type.String(),
  access_level: Type.Integer(),
  expires_at: nullableText,
  user_name: nullableText,
  created_by_name: nullableText,
})

/** Presents an invitation. `user_name` is the name of the user with the address; a pending invitation has none. */
function presentInvitation(row: InvitationWithInviter): Static<typeof InvitationJson> {
  const { id, email, created_at, access_level, expires_at, created_by_name } = row
  const named = { user_name: null, created_by_name }
  return { id, invite_email: email, created_at, access_level, expires_at, ...named }
}

const validEmails: ParameterRule = ({ email = [], user_id = [] }) => {
  const emails = email as string[]
  if (emails.length + (user_id as number[]).length === 0) {
    throw badRequest('Must provide either email or user_id as a parameter')
  }
  const isGood = emails.every((one) => isEmail(one.trim()))
  return isGood ? undefined : 'email contains an invalid email address'
}

async function getInvitation(context: Context<MemberSource, { email: string }>) {
  const { db, subject: source, input } = context
  const invitation = await findInvitation(db, source, input.email)
  if (!invitation) throw notFound()
  return invitation
}

async function recordInvitationEvent(
  context: Context<MemberSource, unknown>,
  action: 'invitation_changed' | 'invitation_removed',
  { id, email, details }: { id: number; email: string; details?: Record<string, unknown> },
): Promise<void> {
  await recordAuditEvent(context, {
    action,
    entity: { kind: context.subject.kind, id: context.subject.id },
    target: { kind: 'invitation', id, name: email },
    details,
  })
}

/** Returns the endpoints for invitations to groups or to projects, which differ only in the target. */
function endpointsOf(
  kind: 'groups' | 'projects',
  on: SubjectLoader<MemberSource>,
): readonly Endpoint[] {
  const what = kind === 'groups' ? 'group' : 'project'
  const byEmail = Type.Object({ email: Type.String() })
  return [
    endpoint({
      route: `POST /${kind}/:id/invitations`,
      summary: `Invite users to a ${what} by email address or id`,
      tag,
      signIn: 'always',
      on,
      allow: mayAdminMembers,
      input: Type.Object({
        email: Type.Optional(Type.Array(Type.String())),
        user_id: Type.Optional(Type.Array(Type.Integer())),
        access_level: oneOfNumbers(memberLevels),
        expires_at: Type.Optional(nullable(date())),
      }),
      rules: [validEmails],
      status: 201,
      answer: InvitationResultJson,
      authorize: ({ input, level }) => input.access_level <= level,
      async run(context) {
        const { subject: source, input, user, level } = context
        const { access_level, expires_at = null } = input
        const { email = [], user_id: user_ids = [] } = input
        const emails = email.map((one) => one.trim())
        if (emails.length + user_ids.length > invited_max) {
          return { status: 'error', message: `Too many users specified (limit is ${invited_max})` }
        }
        const offer = { emails, user_ids, access_level, expires_at }
        const failures = await inviteMembers(context, source, { offer, by: { user, level } })
        return Object.keys(failures).length > 0
          ? { status: 'error', message: failures }
          : { status: 'success' }
      },
    }),

    endpoint({
      route: `GET /${kind}/:id/invitations`,
      summary: `List the pending invitations to a ${what}`,
      tag,
      signIn: 'always',
      on,
      allow: mayAdminMembers,
      input: Type.Object({ ...pageInput, query: optionalText }),
      answer: Type.Array(InvitationJson),
      async run(context) {
        const { db, subject: source, input, range } = context
        const { rows, total } = await listInvitations(db, source, input, range)
        return new Page({ items: rows.map(presentInvitation), total })
      },
    }),

    endpoint({
      route: `PUT /${kind}/:id/invitations/:email`,
      summary: `Change an invitation to a ${what}`,
      tag,
      signIn: 'always',
      on,
      allow: mayAdminMembers,
      input: Type.Object({
        email: Type.String(),
        access_level: Type.Optional(oneOfNumbers(memberLevels)),
        expires_at: Type.Optional(nullable(date())),
      }),
      answer: InvitationJson,
      async load(context) {
        const { access_level, expires_at } = context.input
        if (access_level === undefined && expires_at === undefined) throw badRequest()
        return getInvitation(context)
      },
      authorize: ({ input, level, loaded: invitation }) =>
        Math.max(input.access_level ?? 0, invitation.access_level) <= level,
      async run(context) {
        const { db, clock, subject: source, input, loaded: invitation } = context
        const { access_level, expires_at } = input
        if (isDayBeforeToday(expires_at, clock))
          throw invalid({ expires_at: ['cannot be a date in the past'] })
        await updateInvitation(db, invitation.id, { access_level, expires_at })
        const details = { access_level, expires_at }
        await recordInvitationEvent(context, 'invitation_changed', { ...invitation, details })
        return presentInvitation((await findInvitation(db, source, input.email)) ?? invitation)
      },
    }),

    endpoint({
      route: `DELETE /${kind}/:id/invitations/:email`,
      summary: `Delete an invitation to a ${what}`,
      tag,
      signIn: 'always',
      on,
      allow: mayAdminMembers,
      input: byEmail,
      status: 204,
      load: getInvitation,
      authorize: ({ level, loaded: invitation }) => invitation.access_level <= level,
      async run(context) {
        const { loaded: invitation } = context
        await deleteInvitation(context.db, invitation.id)
        await recordInvitationEvent(context, 'invitation_removed', invitation)
      },
    }),
  ]
}

export const invitationEndpoints: readonly Endpoint[] = [
  ...endpointsOf('groups', groupMemberSourceLoader),
  ...endpointsOf('projects', projectMemberSourceLoader),
]
