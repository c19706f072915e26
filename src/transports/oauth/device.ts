// The page on which a user authorizes a device without a browser (RFC 8628, section 3.3).

import type { FastifyReply, FastifyRequest } from 'fastify'
import { runTransaction } from '../../db/run-transaction.ts'
import { findOauthApplicationUser } from '../../features/people/oauth/application.ts'
import { approveOrDenyDevice, findWaitingDevice } from '../../features/people/oauth/device.ts'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RateLimiter, sendTooManyRequests } from '../../http/rate-limit.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { pageLanguageOfRequest } from '../plain-pages/page-language.ts'
import { sendPlainPage } from '../plain-pages/plain-page.ts'
import {
  consentTitle,
  renderConsentHtml,
  renderDecisionHtml,
  renderHiddenFormFields,
  sendOauthRedirect,
  sendStaleFormPage,
  signInRedirect,
} from './authorize.ts'
import {
  findSignedInVisitor,
  formParametersOf,
  isSameTextConstantTime,
  queryParametersOf,
  type SignedInVisitor,
} from './form.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'> & {
  authenticator: Authenticator
  rateLimiter: RateLimiter
}

const english = {
  authorizeDevice: 'Authorize device',
  code: 'Enter the code displayed on your device',
  continue: 'Continue',
  wrongCode: 'This code is invalid or has expired.',
  authorized: 'Device authorized',
  denied: 'Device denied',
  closePage: 'You can close this page.',
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    authorizeDevice: 'Gerät autorisieren',
    code: 'Geben Sie den Code ein, den Ihr Gerät anzeigt',
    continue: 'Weiter',
    wrongCode: 'Dieser Code ist ungültig oder abgelaufen.',
    authorized: 'Zugriff erlaubt',
    denied: 'Zugriff abgelehnt',
    closePage: 'Sie können diese Seite schließen.',
  },
}

/** `GET /oauth/device`: shows the form. Opening it has no effect. */
export async function serveDevicePage(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const user_code = queryParametersOf(request).user_code ?? ''
  const visitor = await findSignedInVisitor(uses, request)
  if (visitor) return sendCodeForm(reply, visitor, { user_code })
  const query = user_code === '' ? '' : `?${new URLSearchParams({ user_code })}`
  const baseUrl = baseUrlOf(uses.config, request)
  return sendOauthRedirect(reply, signInRedirect(baseUrl, `/oauth/device${query}`))
}

/** `POST /oauth/device`: handles a device code and the user's decision on its application. */
export async function serveDeviceAnswer(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const given = formParametersOf(request)
  const visitor = await findSignedInVisitor(uses, request)
  if (!visitor || !isSameTextConstantTime(given.authenticity_token ?? '', visitor.csrf_token)) {
    return sendStaleFormPage(reply)
  }
  // Codes are short, so nobody tries many.
  const verdict = uses.rateLimiter.count('oauth', `device:${visitor.user.id}`)
  if (verdict) return sendTooManyRequests(reply, verdict)
  const { user_code = '', decision } = given
  const language = pageLanguageOfRequest(request)
  const text = texts[language]
  const found = await findWaitingDevice(uses, user_code)
  if (!found) return sendCodeForm(reply, visitor, { user_code, problem: text.wrongCode })
  if (decision !== 'allow' && decision !== 'deny') {
    const {
      application,
      device: { scopes },
    } = found
    const { name } = application
    const owner = await findOauthApplicationUser(uses.db, application)
    return sendPlainPage(reply, 200, {
      language,
      title: consentTitle(name, language),
      content: `${renderConsentHtml(name, { owner, visitor, scopes, language })}
<form method="post" action="device">
${renderHiddenFormFields([
  ['user_code', user_code],
  ['authenticity_token', visitor.csrf_token],
])}
${renderDecisionHtml(language)}
</form>`,
    })
  }
  const { db, clock } = uses
  const isAllowed = decision === 'allow'
  const isSettled = await runTransaction(db, (tx) => {
    const { actor, user, auth_time } = visitor
    const source = { db: tx, clock, actor, request: { ip: request.ip } }
    return approveOrDenyDevice(source, found, { user_id: user.id, auth_time, isAllowed })
  })
  if (!isSettled) return sendCodeForm(reply, visitor, { user_code, problem: text.wrongCode })
  return sendPlainPage(reply, 200, {
    language,
    title: isAllowed ? text.authorized : text.denied,
    content: `<p>${text.closePage}</p>`,
  })
}

function sendCodeForm(
  reply: FastifyReply,
  visitor: SignedInVisitor,
  { user_code, problem }: { user_code: string; problem?: string },
): FastifyReply {
  const language = pageLanguageOfRequest(reply.request)
  const text = texts[language]
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>\n`
  return sendPlainPage(reply, problem === undefined ? 200 : 400, {
    language,
    title: text.authorizeDevice,
    content: `${alert}<form method="post" action="device">
${renderHiddenFormFields([['authenticity_token', visitor.csrf_token]])}
<label>${text.code}
<input name="user_code" value="${escapeHtml(user_code)}" autocomplete="off" maxlength="32" required autofocus></label>
<button>${text.continue}</button>
</form>`,
  })
}
