import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { accepted } from '../../../http/answer.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { filledText, MessageJson } from '../../../http/schema.ts'
import { requestPasswordReset } from '../letters/password-reset.tasks.ts'
import { requestLetter } from '../sessions/request-letter.ts'
import { resetPassword } from './reset-password.ts'

const endpoint = endpointsWith({ tag: 'Sessions', signIn: 'never' })

export const passwordResetEndpoints = [
  endpoint({
    route: 'POST /user/password_reset',
    rateLimit: 'sign_in',
    summary: 'Have a link sent by which a forgotten password is set anew',
    allow: anyone,
    input: Type.Object({ email: filledText() }),
    status: 202,
    answer: MessageJson,
    async run(context) {
      await requestLetter(context, requestPasswordReset, context.input.email)
      return accepted()
    },
  }),

  endpoint({
    route: 'PUT /user/password_reset',
    rateLimit: 'sign_in',
    summary: 'Set a password by the token of a letter',
    allow: anyone,
    // Passwords take long to hash, and no writer waits for it.
    transaction: 'none',
    input: Type.Object({ reset_password_token: filledText(), password: filledText() }),
    status: 204,
    async run(context) {
      const { reset_password_token: token, password } = context.input
      await resetPassword(context, { token, password })
    },
  }),
]
