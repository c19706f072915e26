import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { accepted } from '../../../http/answer.ts'
import { endpointsWith } from '../../../http/endpoint.ts'
import { filledText, MessageJson } from '../../../http/schema.ts'
import { requestConfirmation } from '../letters/confirmation.tasks.ts'
import { requestLetter } from '../sessions/request-letter.ts'
import { confirmEmail } from './confirm-email.ts'

const endpoint = endpointsWith({ tag: 'E-mail addresses', signIn: 'never' })

export const confirmationEndpoints = [
  endpoint({
    route: 'POST /user/confirmation',
    summary: 'Confirm an e-mail address by the token of a letter',
    allow: anyone,
    input: Type.Object({ confirmation_token: filledText() }),
    status: 204,
    async run({ db, clock, input }) {
      await confirmEmail(db, clock, input.confirmation_token)
    },
  }),

  endpoint({
    route: 'POST /user/confirmation/resend',
    summary: 'Have the letter to confirm an address sent again',
    allow: anyone,
    input: Type.Object({ email: filledText() }),
    status: 202,
    answer: MessageJson,
    async run(context) {
      await requestLetter(context, requestConfirmation, context.input.email)
      return accepted()
    },
  }),
]
