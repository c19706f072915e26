import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { acceptedAnswer } from '../../../http/answer.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { MessageJson, nonBlankText } from '../../../http/schema.ts'
import { requestPasswordResetTask } from '../outgoing-emails/password-reset.tasks.ts'
import { enqueueRequestedEmail } from '../sessions/enqueue-requested-email.ts'
import { resetPassword } from './reset-password.ts'

const endpoint = endpointFactory({ tag: 'Sessions', signIn: 'never' })

export const passwordResetEndpoints = [
  endpoint({
    route: 'POST /user/password_reset',
    rateLimit: 'sign_in',
    summary: 'Request an email to reset a password',
    allow: anyone,
    input: Type.Object({ email: nonBlankText() }),
    status: 202,
    answer: MessageJson,
    async run(context) {
      await enqueueRequestedEmail(context, requestPasswordResetTask, context.input.email)
      return acceptedAnswer()
    },
  }),

  endpoint({
    route: 'PUT /user/password_reset',
    rateLimit: 'sign_in',
    summary: 'Set a password with the token from an email',
    allow: anyone,
    // The password is hashed before the transaction begins, so that other writers do not wait for it.
    transaction: 'none',
    input: Type.Object({ reset_password_token: nonBlankText(), password: nonBlankText() }),
    status: 204,
    async run(context) {
      const { reset_password_token: token, password } = context.input
      await resetPassword(context, { token, password })
    },
  }),
]
