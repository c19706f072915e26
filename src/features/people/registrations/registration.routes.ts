// Sign-up, if the settings allow it (docs/api/users.md, "Sign-up").
import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { namedObject, nonBlankText, oneOf } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { forbiddenWithMessage, invalid } from '../../../kernel/errors.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import { actorUserFromUser } from '../../../subjects/user.ts'
import { recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import { enqueueConfirmationEmail } from '../outgoing-emails/confirmation.tasks.ts'
import { checkNewUser, createUser } from '../users/create-user.ts'
import { newUserColumnsFromInput } from '../users/user-input.ts'
import { hasAnySignIn } from './registration.store.ts'
import { minimumPasswordLength, registrationProblems } from './registration-problems.ts'

const endpoint = endpointFactory({ tag: 'Registration', signIn: 'never' })

const RegistrationRulesJson = namedObject('RegistrationRules', {
  enabled: Type.Boolean(),
  requires_approval: Type.Boolean({ description: 'Whether an administrator approves accounts.' }),
  requires_confirmation: Type.Boolean({
    description: 'Whether the email address is confirmed by a link that is sent to it.',
  }),
  minimum_password_length: Type.Integer(),
  awaits_first_sign_in: Type.Boolean({
    description: 'Whether nobody has signed in on pages yet.',
  }),
})

const RegistrationJson = namedObject('Registration', {
  username: Type.String(),
  state: oneOf(['active', 'blocked_pending_approval']),
  requires_confirmation: Type.Boolean(),
})

export const registrationEndpoints = [
  endpoint({
    route: 'GET /user/registration',
    summary: 'Get the sign-up settings',
    allow: anyone,
    answer: RegistrationRulesJson,
    async run({ db, config }) {
      const settings = await readSettings(db)
      return {
        enabled: settings.signup_enabled,
        requires_approval: settings.require_admin_approval_after_user_signup,
        requires_confirmation: config.confirmsEmails,
        minimum_password_length: minimumPasswordLength(settings),
        awaits_first_sign_in: !(await hasAnySignIn(db)),
      }
    },
  }),

  endpoint({
    route: 'POST /user/registration',
    rateLimit: 'sign_up',
    summary: 'Sign up',
    allow: anyone,
    // The password is hashed before the transaction begins, so that other writers do not wait for it.
    transaction: 'none',
    input: Type.Object({
      name: nonBlankText(),
      username: nonBlankText(),
      email: nonBlankText(),
      password: nonBlankText(),
    }),
    status: 201,
    answer: RegistrationJson,
    async run(context) {
      const { db, clock, config, input } = context
      const settings = await readSettings(db)
      if (!settings.signup_enabled) throw disabled()
      const columns = newUserColumnsFromInput({}, { tier: config.tier, settings })
      await checkNewUser(db, { ...columns, ...input })
      const problems = registrationProblems(input, settings)
      if (Object.keys(problems).length > 0) throw invalid(problems)
      const { password, ...names } = input
      const password_digest = await hashPassword(password)
      const requires_confirmation = config.confirmsEmails
      const state = await runTransaction(db, async (tx) => {
        // An administrator may have changed the settings while the password was hashed.
        const now = await readSettings(tx)
        if (!now.signup_enabled) throw disabled()
        const needsApproval = now.require_admin_approval_after_user_signup
        const state = needsApproval ? 'blocked_pending_approval' : 'active'
        const account = {
          ...columns,
          ...names,
          password_digest,
          state,
          confirmed_at: requires_confirmation ? null : timestamp(clock),
        } as const
        const user = await createUser(tx, clock, account, { isAddressProven: false })
        const source = { ...context, db: tx, actor: { user: actorUserFromUser(user) } }
        const entity = { kind: 'user', id: user.id } as const
        await recordAuditEvent(source, { action: 'user_registered', entity, details: { state } })
        if (requires_confirmation) {
          await enqueueConfirmationEmail(tx, context, { user_id: user.id, email: user.email })
        }
        return state
      })
      return { username: input.username, state, requires_confirmation }
    },
  }),
]

const disabled = () => forbiddenWithMessage('Sign-up is disabled')
