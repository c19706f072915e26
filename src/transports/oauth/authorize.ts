// The page on which a user allows an application to act for them (docs/api/oauth.md, "Authorization").

import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type AuthorizationRequest,
  type AuthorizationReturn,
  buildAuthorizationRedirect,
  createAuthorizationCode,
  isConsentSkipped,
  type OauthParameters,
  validateAuthorizationRequest,
} from '../../features/people/oauth/authorization.ts'
import { OauthError } from '../../features/people/oauth/oauth-error.ts'
import { scopeDescriptions } from '../../features/people/oauth/oauth-scopes.ts'
import { formActionSource, outOfBand } from '../../features/people/oauth/redirect-uri.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RedirectTarget, redirectLocationOf } from '../../http/redirect.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { sendPage } from '../plain-pages/plain-page.ts'
import {
  findVisitor,
  formParametersOf,
  isSameText,
  queryParametersOf,
  type Visitor,
} from './form.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'> & { authenticator: Authenticator }

/** `GET /oauth/authorize`: the code at once, the page that asks, or the way to the sign-in. */
export async function serveConsentPage(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const given = queryParametersOf(request)
  const checked = await validateAuthorizationRequest(uses.db, given)
  if (checked.kind === 'lost') return sendLost(reply, checked.text)
  if (checked.kind === 'refused') return sendBack(reply, checked.to, checked.error.body)
  const asked = checked.request
  const isSilent = asked.prompt.includes('none')
  const visitor = await findVisitor(uses, request)
  if (!visitor || mustSignInAgain(uses, asked, visitor)) {
    if (isSilent) return sendBack(reply, asked, new OauthError('login_required').body)
    return sendToSignIn(uses, request, reply, given)
  }
  const mustAsk = asked.prompt.includes('consent') || asked.prompt.includes('select_account')
  if (!mustAsk && (await isConsentSkipped(uses.db, asked, visitor.user.id))) {
    return allow(uses, { request, reply, visitor, asked, isAsked: false })
  }
  if (isSilent) return sendBack(reply, asked, new OauthError('consent_required').body)
  return sendConsent(reply, { asked, visitor, given })
}

/** `POST /oauth/authorize`: handles the user's decision on the consent page. */
export async function serveConsentAnswer(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const given = formParametersOf(request)
  const visitor = await findVisitor(uses, request)
  if (!visitor || !isSameText(given.authenticity_token ?? '', visitor.csrf_token)) {
    return sendStaleFormPage(reply)
  }
  const checked = await validateAuthorizationRequest(uses.db, given)
  if (checked.kind === 'lost') return sendLost(reply, checked.text)
  if (checked.kind === 'refused') return sendBack(reply, checked.to, checked.error.body)
  const asked = checked.request
  if (given.decision !== 'allow') {
    return sendBack(reply, asked, new OauthError('access_denied').body)
  }
  return allow(uses, { request, reply, visitor, asked, isAsked: true })
}

/** OpenID Connect Core, section 3.1.2.1: `prompt` and `max_age`. */
function mustSignInAgain({ clock }: Uses, asked: AuthorizationRequest, visitor: Visitor): boolean {
  if (asked.prompt.includes('login')) return true
  const age_ms = clock().getTime() - Date.parse(visitor.auth_time)
  return asked.max_age_s !== undefined && age_ms > asked.max_age_s * 1000
}

async function allow(
  { db, clock }: Uses,
  given: {
    request: FastifyRequest
    reply: FastifyReply
    visitor: Visitor
    asked: AuthorizationRequest
    isAsked: boolean
  },
): Promise<FastifyReply> {
  const { request, reply, visitor, asked, isAsked } = given
  const { user, auth_time } = visitor
  const code = await db.transaction().execute((tx) => {
    const source = { db: tx, clock, actor: { user }, request: { ip: request.ip } }
    return createAuthorizationCode(source, asked, { user_id: user.id, auth_time, isAsked })
  })
  return sendBack(reply, asked, { code })
}

/** The browser goes back to the application, whose address was checked, or shows what it would carry. */
function sendBack(
  reply: FastifyReply,
  to: AuthorizationReturn,
  answer: Readonly<Record<string, string>>,
): FastifyReply {
  if (to.redirect_uri !== outOfBand)
    return redirect(reply, { elsewhere: buildAuthorizationRedirect(to, answer) })
  const { code, error_description = '' } = answer
  return code === undefined
    ? sendPage(reply, 400, {
        title: 'Authorization failed',
        content: `<p>${escapeHtml(error_description)}</p>`,
      })
    : sendPage(reply, 200, {
        title: 'Authorization code',
        content: `<p>Copy this code into the application:</p>\n<p><code>${escapeHtml(code)}</code></p>`,
      })
}

/** Sends a browser on; nobody keeps the address, which may hold a code, or is told where it came from. */
export function redirect(reply: FastifyReply, target: RedirectTarget): FastifyReply {
  return reply
    .code(302)
    .headers({
      location: redirectLocationOf(target),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .removeHeader('access-control-allow-origin')
    .send()
}

/** To the sign-in and back, where the sign-in that was asked for is not asked for again. */
function sendToSignIn(
  { config }: Pick<Instance, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  given: OauthParameters,
): FastifyReply {
  const prompt = (given.prompt ?? '').split(' ').filter((word) => word !== '' && word !== 'login')
  const { prompt: _, ...rest } = given
  const query = new URLSearchParams({
    ...rest,
    ...(prompt.length > 0 ? { prompt: prompt.join(' ') } : {}),
  })
  return redirect(reply, signInRedirect(baseUrlOf(config, request), `/oauth/authorize?${query}`))
}

/** Returns the redirect to the sign-in page, which leads back to `return_to`. */
export function signInRedirect(base: string, return_to: string): RedirectTarget {
  return { base, place: `/users/sign_in?${new URLSearchParams({ return_to })}` }
}

/** What of a request the page hands on; each is checked again when it comes back. */
const repeated = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
]

function sendConsent(
  reply: FastifyReply,
  {
    asked,
    visitor,
    given,
  }: { asked: AuthorizationRequest; visitor: Visitor; given: OauthParameters },
): FastifyReply {
  const { application, redirect_uri } = asked
  const fields = repeated.flatMap((name) => {
    const value = ownValue(given, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const place =
    redirect_uri === outOfBand
      ? ''
      : `<p>You will be redirected to <code>${escapeHtml(placeOf(redirect_uri))}</code>.</p>\n`
  return sendPage(reply, 200, {
    title: `Authorize ${application.name} to use your account?`,
    content: `${renderConsentHtml(application.name, visitor, asked.scopes)}
${place}<form method="post" action="authorize">
${hiddenFields([...fields, ['authenticity_token', visitor.csrf_token]])}
<button name="decision" value="allow">Authorize</button>
<button name="decision" value="deny">Deny</button>
</form>`,
    ...(redirect_uri === outOfBand ? {} : { formTarget: formActionSource(redirect_uri) }),
  })
}

/** The scheme and host of an address, which tell whose it is. */
function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return host === '' ? protocol : `${protocol}//${host}`
}

/** Who is asked by whom for what, as HTML. */
export function renderConsentHtml(
  application: string,
  { user }: Visitor,
  scopes: readonly string[],
): string {
  const items = scopes.map((scope) => {
    const text = ownValue(scopeDescriptions as Record<string, string>, scope) ?? ''
    return `<li>${escapeHtml(text)} (<code>${escapeHtml(scope)}</code>)</li>`
  })
  return `<p>You are signed in as <strong>${escapeHtml(user.username)}</strong>. <strong>${escapeHtml(application)}</strong> requests permission to:</p>
<ul>
${items.join('\n')}
</ul>
<p>Only continue if you trust this application and have just come from it.</p>`
}

export function hiddenFields(fields: readonly (readonly [string, string])[]): string {
  return fields
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    )
    .join('\n')
}

function sendLost(reply: FastifyReply, text: string): FastifyReply {
  return sendPage(reply, 400, {
    title: 'An error has occurred',
    content: `<p role="alert">${escapeHtml(text)}</p>`,
  })
}

export function sendStaleFormPage(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 403, {
    title: 'This page has expired',
    content: '<p role="alert">Start again from the application that sent you here.</p>',
  })
}
