import { Type } from 'typebox'
import { administrators } from '../../../access/rule.ts'
import type { Db } from '../../../db/db.ts'
import { checkIfUnmodifiedSince } from '../../../http/conditional.ts'
import { type Context, endpointFactory, type Permission } from '../../../http/endpoint.ts'
import { MessageJson, nullableBoolean, optionalBoolean } from '../../../http/schema.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { getUser, type User } from '../../../subjects/user.ts'
import {
  type AuditAction,
  type AuditSource,
  recordAuditEvent,
} from '../../basics/audit-events/audit-event.ts'
import {
  activateUser,
  approveUser,
  banUser,
  blockUser,
  deactivateUser,
  unbanUser,
  unblockUser,
} from './change-state.ts'
import { deleteIdentity, findIdentity } from './identity.store.ts'
import { enqueueUserRemoval } from './remove-user.ts'
import {
  mayActivateUser,
  mayBanUser,
  mayBlockUser,
  mayRemoveUser,
  mayUnblockUser,
} from './user-state.policy.ts'

const tag = 'Users'
const endpoint = endpointFactory({ tag, scope: 'read_user' })
const idInput = { id: Type.Integer() }

function loadUser({ db, input }: Context<unknown, { id: number }>): Promise<User> {
  return getUser(db, input.id)
}

/** Creates an operation that only changes the state of a user; it returns whether the state changed. */
function stateChange(
  verb: string,
  {
    summary,
    action,
    authorize,
  }: {
    summary: string
    action: AuditAction
    authorize?: (facts: { user: { id: number }; loaded: User }) => Permission
  },
  change: (db: Db, clock: Clock, user: User) => Promise<boolean | null>,
) {
  return endpoint({
    route: `POST /users/:id(^\\d+$)/${verb}`,
    summary,
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object(idInput),
    status: 201,
    answer: nullableBoolean,
    load: loadUser,
    authorize,
    async run(context) {
      const { db, clock, loaded: user } = context
      const isDone = await change(db, clock, user)
      if (isDone) await recordUserEvent(context, action, user)
      return isDone
    },
  })
}

async function recordUserEvent(
  source: AuditSource,
  action: AuditAction,
  { id }: Pick<User, 'id'>,
): Promise<void> {
  await recordAuditEvent(source, { action, entity: { kind: 'user', id } })
}

const success = { message: 'Success' }

export const userStateEndpoints = [
  stateChange(
    'block',
    { summary: 'Block a user', action: 'user_blocked', authorize: mayBlockUser },
    blockUser,
  ),
  stateChange(
    'unblock',
    { summary: 'Unblock a user', action: 'user_unblocked', authorize: mayUnblockUser },
    unblockUser,
  ),
  stateChange(
    'deactivate',
    { summary: 'Deactivate a user', action: 'user_deactivated' },
    deactivateUser,
  ),
  stateChange(
    'activate',
    {
      summary: 'Activate a deactivated user',
      action: 'user_activated',
      authorize: mayActivateUser,
    },
    activateUser,
  ),
  stateChange(
    'ban',
    { summary: 'Ban a user', action: 'user_banned', authorize: mayBanUser },
    banUser,
  ),
  stateChange('unban', { summary: 'Unban a user', action: 'user_unbanned' }, unbanUser),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/approve',
    summary: 'Approve a user who waits for approval',
    allow: administrators,
    input: Type.Object(idInput),
    status: 201,
    answer: MessageJson,
    async run(context) {
      const { db, clock, input } = context
      const user = await getUser(db, input.id)
      await approveUser(db, clock, user)
      await recordUserEvent(context, 'user_approved', user)
      return success
    },
  }),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/reject',
    summary: 'Reject, and remove, a user who waits for approval',
    allow: administrators,
    input: Type.Object(idInput),
    status: 201,
    answer: MessageJson,
    async load(context) {
      const user = await loadUser(context)
      if (user.state !== 'blocked_pending_approval') {
        throw conflict('User does not have a pending request')
      }
      return user
    },
    authorize: mayRemoveUser,
    async run(context) {
      const { db, clock, loaded: user } = context
      await enqueueUserRemoval(db, clock, { user, isHard: true })
      await recordUserEvent(context, 'user_removed', user)
      return success
    },
  }),

  endpoint({
    route: 'DELETE /users/:id(^\\d+$)',
    summary: 'Delete a user',
    allow: administrators,
    input: Type.Object({ ...idInput, hard_delete: optionalBoolean }),
    status: 204,
    async load(context) {
      const user = await loadUser(context)
      checkIfUnmodifiedSince(context.request, user.updated_at)
      return user
    },
    authorize: mayRemoveUser,
    async run(context) {
      const { db, clock, input, loaded: user } = context
      await enqueueUserRemoval(db, clock, { user, isHard: input.hard_delete ?? false })
      await recordUserEvent(context, 'user_removed', user)
    },
  }),

  endpoint({
    route: 'DELETE /users/:id(^\\d+$)/identities/:provider',
    summary: "Delete a user's identity with a provider",
    allow: administrators,
    input: Type.Object({ ...idInput, provider: Type.String() }),
    status: 204,
    async run(context) {
      const { db, input, request } = context
      const user = await getUser(db, input.id)
      const identity = await findIdentity(db, user.id, input.provider)
      if (!identity) throw notFound('Identity')
      checkIfUnmodifiedSince(request, identity.updated_at)
      await deleteIdentity(db, identity.id)
      const entity = { kind: 'user', id: user.id } as const
      const details = { provider: identity.provider }
      await recordAuditEvent(context, { action: 'identity_removed', entity, details })
    },
  }),
]
