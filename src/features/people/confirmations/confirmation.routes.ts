import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { acceptedAnswer } from '../../../http/answer.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { MessageJson, nonBlankText } from '../../../http/schema.ts'
import { requestConfirmationTask } from '../outgoing-emails/confirmation.tasks.ts'
import { enqueueRequestedEmail } from '../sessions/enqueue-requested-email.ts'
import { confirmEmail } from './confirm-email.ts'

const endpoint = endpointFactory({ tag: 'E-mail addresses', signIn: 'never' })

export const confirmationEndpoints = [
  endpoint({
    route: 'POST /user/confirmation',
    summary: 'Confirm an email address with the token from an email',
    allow: anyone,
    input: Type.Object({ confirmation_token: nonBlankText() }),
    status: 204,
    async run({ db, clock, input }) {
      await confirmEmail(db, clock, input.confirmation_token)
    },
  }),

  endpoint({
    route: 'POST /user/confirmation/resend',
    summary: 'Resend the email to confirm an address',
    allow: anyone,
    input: Type.Object({ email: nonBlankText() }),
    status: 202,
    answer: MessageJson,
    async run(context) {
      await enqueueRequestedEmail(context, requestConfirmationTask, context.input.email)
      return acceptedAnswer()
    },
  }),
]
