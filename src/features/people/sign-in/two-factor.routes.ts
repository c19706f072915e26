import { Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { namedObject, nonBlankText } from '../../../http/schema.ts'
import { badRequest, conflict, forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { findUser, getSignedInUser, type User } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { removeOtherSessions } from '../sessions/session.ts'
import {
  clearSignInFailures,
  isSignInLocked,
  recordSignInFailure,
  verifyPasswordOfUser,
} from './check-password.ts'
import { updateTwoFactorFields } from './two-factor.store.ts'
import {
  consumeTotpCode,
  consumeTwoFactorCode,
  disableTwoFactor,
  replaceRecoveryCodesWithNew,
  startTwoFactorSetup,
} from './two-factor.ts'

const endpoint = endpointFactory({ tag: 'Two-factor sign-in' })
const notEnabled = 'Two-factor authentication is not enabled for this user'

const RecoveryCodesJson = namedObject('RecoveryCodes', {
  recovery_codes: Type.Array(Type.String()),
})
const proofInput = {
  password: Type.Optional(nonBlankText()),
  code: Type.Optional(nonBlankText({ description: 'One-time or recovery code.' })),
}

type Call = Pick<
  Context<undefined, { password?: string; code?: string }>,
  'db' | 'clock' | 'config' | 'secretKey' | 'user' | 'request' | 'input'
>

/**
 * Returns the user after they proved their identity: a token or an open browser alone is not enough to change how
 * somebody signs in.
 */
async function getProvenSelf(call: Call): Promise<User> {
  const user = await getSignedInUser(call)
  if (!user.two_factor_enabled) throw badRequest(notEnabled)
  const { password, code } = call.input
  const { ip } = call.request
  if (password !== undefined) {
    if (!(await verifyPasswordOfUser(call, { user, password, ip }))) {
      throw invalid({ password: ['is invalid'] })
    }
  } else if (
    isSignInLocked(user, call.clock) ||
    !(await consumeTwoFactorCode(call, user, code ?? ''))
  ) {
    await recordSignInFailure(call, { user, ip })
    throw invalid({ code: ['is invalid'] })
  }
  await clearSignInFailures(call.db, user)
  return user
}

export const twoFactorEndpoints = [
  endpoint({
    route: 'POST /user/two_factor',
    summary: 'Start setting up two-factor authentication',
    allow: anyone,
    transaction: 'none',
    input: Type.Object({ password: nonBlankText() }),
    status: 201,
    answer: Type.Object({ secret: Type.String(), otpauth_uri: Type.String() }),
    async run(context) {
      const { input, request, baseUrl } = context
      const given = {
        user: await getSignedInUser(context),
        password: input.password,
        ip: request.ip,
      }
      const user = await verifyPasswordOfUser(context, given)
      if (!user) throw invalid({ password: ['is invalid'] })
      await clearSignInFailures(context.db, user)
      if (user.two_factor_enabled) throw conflict('Two-factor authentication is already enabled')
      return startTwoFactorSetup(context, user, { issuer: new URL(baseUrl).host })
    },
  }),

  endpoint({
    route: 'PUT /user/two_factor',
    summary: 'Enable two-factor authentication with a first code',
    allow: anyone,
    input: Type.Object({ code: nonBlankText() }),
    answer: RecoveryCodesJson,
    async run(context) {
      const { db, actor, input } = context
      const user = await getSignedInUser(context)
      if (user.two_factor_enabled) throw conflict('Two-factor authentication is already enabled')
      const isRight = await consumeTotpCode(context, user, input.code.replace(/\s/g, ''))
      if (!isRight) throw invalid({ code: ['is invalid'] })
      await updateTwoFactorFields(db, user.id, { two_factor_enabled: true })
      await recordAuditEvent(context, {
        action: 'two_factor_enabled',
        entity: { kind: 'user', id: user.id },
      })
      await removeOtherSessions(db, user.id, { except: actor.session?.id })
      return { recovery_codes: await replaceRecoveryCodesWithNew(db, user.id) }
    },
  }),

  endpoint({
    route: 'POST /user/two_factor/recovery_codes',
    summary: 'Replace your recovery codes',
    allow: anyone,
    transaction: 'none',
    input: Type.Object(proofInput),
    rules: [atLeastOneOf('password', 'code')],
    status: 201,
    answer: RecoveryCodesJson,
    async run(context) {
      const { id } = await getProvenSelf(context)
      const recovery_codes = await runTransaction(context.db, async (tx) => {
        await recordAuditEvent(
          { ...context, db: tx },
          { action: 'recovery_codes_renewed', entity: { kind: 'user', id: id } },
        )
        return replaceRecoveryCodesWithNew(tx, id)
      })
      return { recovery_codes }
    },
  }),

  endpoint({
    route: 'DELETE /user/two_factor',
    summary: 'Disable two-factor authentication',
    allow: anyone,
    transaction: 'none',
    input: Type.Object(proofInput),
    rules: [atLeastOneOf('password', 'code')],
    status: 204,
    async run(context) {
      const { id } = await getProvenSelf(context)
      await runTransaction(context.db, async (tx) => {
        await disableTwoFactor(tx, id)
        await recordAuditEvent(
          { ...context, db: tx },
          { action: 'two_factor_disabled', entity: { kind: 'user', id: id } },
        )
        await removeOtherSessions(tx, id, { except: context.actor.session?.id })
      })
    },
  }),

  endpoint({
    route: 'PATCH /users/:id(^\\d+$)/disable_two_factor',
    summary: 'Disable two-factor authentication of a user',
    allow: administrators,
    input: Type.Object({ id: Type.Integer() }),
    status: 204,
    async load({ db, input }) {
      const user = await findUser(db, input.id)
      if (!user) throw notFound('User')
      return user
    },
    authorize: ({ loaded: user }) =>
      !user.is_admin ||
      forbidden(
        'Two-factor authentication for admins cannot be disabled via the API. Use the Rails console',
      ),
    async run(context) {
      const { db, loaded: user } = context
      if (!user.two_factor_enabled) throw badRequest(notEnabled)
      await disableTwoFactor(db, user.id)
      await recordAuditEvent(context, {
        action: 'two_factor_disabled',
        entity: { kind: 'user', id: user.id },
      })
      await removeOtherSessions(db, user.id)
    },
  }),
]
