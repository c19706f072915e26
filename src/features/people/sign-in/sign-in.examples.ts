import { Secret, TOTP } from 'otpauth'
import { type Example, type Examples, linkToken, session } from '../../../../test/kit/examples.ts'
import {
  browserAs,
  impersonate,
  newPasswordUser,
  testPassword,
} from '../../../../test/kit/session.ts'

/** An example request by a user with a password, which the usual callers do not have. */
const withPassword =
  (body: object): Example =>
  async (world, who) =>
    who === 'anonymous' ? { body } : { body, client: (await newPasswordUser(world)).client }

/** An example request by a user whose two-factor authentication is set up but not confirmed, or on. */
const withTwoFactor =
  (state: 'begun' | 'on'): Example =>
  async (world, who) => {
    const { client } = await newPasswordUser(world)
    const proof = { password: testPassword }
    const secret = Secret.fromBase32((await client.post('/user/two_factor', proof)).json().secret)
    const code = new TOTP({ secret }).generate({ timestamp: world.app.clock.now().getTime() })
    if (state === 'on') await client.put('/user/two_factor', { code })
    const body = state === 'on' ? proof : { code }
    return who === 'anonymous' ? { body } : { body, client }
  }

export const examples: Examples = {
  'POST /session': async (world) => {
    const { user } = await newPasswordUser(world)
    return { body: { login: user.username, password: testPassword } }
  },
  'GET /session': session,
  'DELETE /session': session,
  'POST /users/:id/impersonation': async (world, who) => {
    const { user } = await world.newUser()
    const { client } = await session(world, who)
    return { path: { id: user.id }, ...(client && { client }) }
  },
  'DELETE /session/impersonation': async (world, who) => {
    if (who === 'anonymous') return {}
    const { user: administrator } = await world.newUser({ is_admin: true })
    const { user } = await world.newUser({ is_admin: who === 'admin' })
    const browser = await browserAs(world, administrator)
    return { client: (await impersonate(world, browser, user.id)).client }
  },
  'PUT /user/password': withPassword({
    current_password: testPassword,
    password: 'quite another password',
  }),
  'POST /user/password_reset': async () => ({ body: { email: 'nobody@x.test' } }),
  'PUT /user/password_reset': async (world) => {
    const reset_password_token = await linkToken(world, 'reset-password')
    return { body: { reset_password_token, password: 'quite another password' } }
  },
  'POST /user/two_factor': withPassword({ password: testPassword }),
  'PUT /user/two_factor': withTwoFactor('begun'),
  'POST /user/two_factor/recovery_codes': withTwoFactor('on'),
  'DELETE /user/two_factor': withTwoFactor('on'),
  'PATCH /users/:id/disable_two_factor': async (world) => {
    const { user } = await world.newUser({ two_factor_enabled: true })
    return { path: { id: user.id } }
  },
}
