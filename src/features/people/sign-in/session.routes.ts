import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { tiers } from '../../../config.ts'
import { Answer } from '../../../http/answer.ts'
import { endpointFactory, type Instance, type RequestFacts } from '../../../http/endpoint.ts'
import { namedObject, nonBlankText, oneOf } from '../../../http/schema.ts'
import { csrfTokenOf, findSessionCookie, sessionCookies } from '../../../http/session-cookie.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  BasicUserJson,
  findUser,
  getSignedInUser,
  isPasswordExpired,
  presentBasicUser,
  type User,
} from '../../../subjects/user.ts'
import { PreferencesJson, showPreferences } from '../profiles/preferences.ts'
import { createSession, removeSession } from '../sessions/session.ts'
import { SignedInUserJson, showSignedInUser } from '../users/show-user.ts'
import { signIn } from './sign-in.ts'

const endpoint = endpointFactory({ tag: 'Sessions' })
const age_s = limits.sign_in.session_ms / 1000

export const SignedInJson = Type.Intersect([
  SignedInUserJson,
  namedObject('SignIn', {
    csrf_token: Type.String(),
    password_expired: Type.Boolean(),
    tier: oneOf(tiers),
    preferences: PreferencesJson,
    impersonator: Type.Union([BasicUserJson, Type.Null()], {
      description: 'The administrator who impersonates the user.',
    }),
  }),
])

/** Responds to a successful sign-in. `impersonator` is the administrator who impersonates the user. */
export async function answerSignedIn(
  status: 200 | 201,
  { user, impersonator }: { user: User; impersonator?: User | undefined },
  cookie: string,
  viewer: Pick<Instance, 'db' | 'config'> & { baseUrl: string; now: string },
): Promise<Answer> {
  const { baseUrl, now } = viewer
  const body = {
    ...(await showSignedInUser(viewer, user)),
    csrf_token: csrfTokenOf(cookie),
    password_expired: isPasswordExpired(user, now),
    tier: viewer.config.tier,
    preferences: await showPreferences(viewer.db, user.id),
    impersonator: impersonator ? presentBasicUser(impersonator, baseUrl) : null,
  }
  return Answer.json(status, body, { 'set-cookie': sessionCookies(cookie, { baseUrl, age_s }) })
}

/**
 * Whether the request does not come from another site, according to the browser: another site must not sign a browser in
 * as its own user.
 */
function isNoForeignPage({ headers }: RequestFacts): boolean {
  return headers['sec-fetch-site'] !== 'cross-site'
}

export const sessionEndpoints = [
  endpoint({
    route: 'POST /session',
    rateLimit: 'sign_in',
    summary: 'Sign in with a password',
    signIn: 'never',
    allow: anyone,
    // The password is verified before the transaction begins, so that other writers do not wait for it.
    transaction: 'none',
    input: Type.Object({
      login: nonBlankText({ description: 'User name or e-mail address.' }),
      password: nonBlankText(),
      otp: Type.Optional(Type.String({ description: 'One-time or recovery code.' })),
    }),
    status: 201,
    answer: SignedInJson,
    authorize: ({ request }) => isNoForeignPage(request),
    async run({ db, clock, config, secretKey, input, request, baseUrl }) {
      const { ip, headers } = request
      const uses = { db, clock, config, secretKey }
      const user = await signIn(uses, { ...input, otp: input.otp || undefined, ip })
      const user_agent = String(headers['user-agent'] ?? '')
      const { cookie } = await createSession(db, clock, user, { ip, user_agent })
      return answerSignedIn(201, { user }, cookie, { db, baseUrl, config, now: timestamp(clock) })
    },
  }),

  endpoint({
    route: 'GET /session',
    summary: 'Get the session and its CSRF token',
    allow: anyone,
    allowsExpiredPassword: true,
    answer: SignedInJson,
    authorize: ({ actor, request, baseUrl }) => {
      const cookie = findSessionCookie(request.headers, baseUrl)
      return (actor.session !== undefined && cookie !== undefined) || unauthorized()
    },
    async run(context) {
      const { db, clock, config, request, baseUrl } = context
      const cookie = findSessionCookie(request.headers, baseUrl) ?? ''
      const { administrator } = context.actor
      const who = {
        user: await getSignedInUser(context),
        impersonator: administrator && (await findUser(db, administrator.id)),
      }
      return answerSignedIn(200, who, cookie, { db, baseUrl, config, now: timestamp(clock) })
    },
  }),

  endpoint({
    route: 'DELETE /session',
    summary: 'Sign out',
    allow: anyone,
    allowsExpiredPassword: true,
    status: 204,
    authorize: ({ actor }) => actor.session !== undefined || unauthorized(),
    async run({ db, actor, user, baseUrl }) {
      const { id = 0, impersonator_session_id } = actor.session ?? {}
      // Signing out during an impersonation also ends the administrator's own session.
      const user_id = (actor.administrator ?? user).id
      await removeSession(db, { user_id, id: impersonator_session_id ?? id })
      return Answer.empty(204, { 'set-cookie': sessionCookies('', { baseUrl, age_s: 0 }) })
    },
  }),
]
