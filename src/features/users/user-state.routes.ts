import { Type } from 'typebox'
import { administrators } from '../../access/rule.ts'
import { Answer } from '../../http/answer.ts'
import { checkUnmodified } from '../../http/conditional.ts'
import { type Context, endpoint } from '../../http/endpoint.ts'
import { nullableBoolean, optionalBoolean } from '../../http/schema.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
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
import { requestRemoval } from './remove-user.ts'
import { getUser, type User } from './user.ts'

const tag = 'Users'
const idInput = { id: Type.Integer() }

/** An operation that changes nothing but the state; it answers whether it did. */
function stateChange(
  verb: string,
  summary: string,
  change: (
    context: Pick<Context<unknown, unknown>, 'db' | 'clock'> & { callerId: number },
    user: User,
  ) => Promise<boolean | null>,
) {
  return endpoint({
    route: `POST /users/:id(^\\d+$)/${verb}`,
    summary,
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object(idInput),
    answer: { 201: nullableBoolean },
    async run({ db, clock, input, user: { id: callerId } }) {
      return change({ db, clock, callerId }, await getUser(db, input.id))
    },
  })
}

const success = { message: 'Success' }
const SuccessJson = Type.Object({ message: Type.String() })

export const userStateEndpoints = [
  stateChange('block', 'Block a user', ({ db, clock, callerId }, user) =>
    blockUser(db, clock, { user, callerId }),
  ),
  stateChange('unblock', 'Unblock a user', ({ db, clock }, user) => unblockUser(db, clock, user)),
  stateChange('deactivate', 'Deactivate a user', ({ db, clock }, user) =>
    deactivateUser(db, clock, user),
  ),
  stateChange('activate', 'Activate a deactivated user', ({ db, clock }, user) =>
    activateUser(db, clock, user),
  ),
  stateChange('ban', 'Ban a user', ({ db, clock, callerId }, user) =>
    banUser(db, clock, { user, callerId }),
  ),
  stateChange('unban', 'Lift the ban of a user', ({ db, clock }, user) =>
    unbanUser(db, clock, user),
  ),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/approve',
    summary: 'Approve a user who waits for it',
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object(idInput),
    answer: { 201: SuccessJson },
    async run({ db, clock, input }) {
      await approveUser(db, clock, await getUser(db, input.id))
      return success
    },
  }),

  endpoint({
    route: 'POST /users/:id(^\\d+$)/reject',
    summary: 'Reject, and remove, a user who waits for approval',
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object(idInput),
    answer: { 201: SuccessJson },
    async run({ db, clock, input }) {
      const user = await getUser(db, input.id)
      if (user.state !== 'blocked_pending_approval') {
        throw conflict('User does not have a pending request')
      }
      await requestRemoval(db, clock, { user, isHard: true })
      return success
    },
  }),

  endpoint({
    route: 'DELETE /users/:id(^\\d+$)',
    summary: 'Delete a user',
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object({ ...idInput, hard_delete: optionalBoolean }),
    answer: { 204: undefined },
    async run({ db, clock, input, request }) {
      const user = await getUser(db, input.id)
      checkUnmodified(request, user.updated_at)
      await requestRemoval(db, clock, { user, isHard: input.hard_delete ?? false })
      return Answer.empty(204)
    },
  }),

  endpoint({
    route: 'DELETE /users/:id(^\\d+$)/identities/:provider',
    summary: "Delete a user's identity with a provider",
    tag,
    scope: 'read_user',
    allow: administrators,
    input: Type.Object({ ...idInput, provider: Type.String() }),
    answer: { 204: undefined },
    async run({ db, input, request }) {
      const user = await getUser(db, input.id)
      const identity = await findIdentity(db, user.id, input.provider)
      if (!identity) throw notFound('Identity')
      checkUnmodified(request, identity.updated_at)
      await deleteIdentity(db, identity.id)
      return Answer.empty(204)
    },
  }),
]
