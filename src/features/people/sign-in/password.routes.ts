import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { nonBlankText } from '../../../http/schema.ts'
import { invalid } from '../../../kernel/errors.ts'
import { findUser } from '../../../subjects/user.ts'
import { passwordProblems } from '../users/user-problems.ts'
import { changePassword } from './change-password.ts'
import { verifyPasswordOfUser } from './check-password.ts'

const endpoint = endpointFactory({ tag: 'Sessions' })

export const passwordEndpoints = [
  endpoint({
    route: 'PUT /user/password',
    rateLimit: 'sign_in',
    summary: 'Change your password',
    allow: anyone,
    allowsExpiredPassword: true,
    // Passwords are verified and hashed before the transaction begins, so that other writers do not wait for
    // it.
    transaction: 'none',
    input: Type.Object({ current_password: nonBlankText(), password: nonBlankText() }),
    status: 204,
    async run(context) {
      const { db, actor, input, request } = context
      const user = await verifyPasswordOfUser(context, {
        user: await findUser(db, context.user.id),
        password: input.current_password,
        ip: request.ip,
      })
      if (!user) throw invalid({ current_password: ['is invalid'] })
      const problems = passwordProblems(input.password)
      if (input.password === input.current_password)
        problems.push('must differ from the current one')
      if (problems.length > 0) throw invalid({ password: problems })
      const { password } = input
      const session_id = actor.session?.id
      await changePassword(context, { user, password, session_id })
    },
  }),
]
