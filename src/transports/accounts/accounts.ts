// The pages that links in emails lead to, usable without scripts. Opening one changes nothing, since programs that check
// mail follow links; its button does what the API does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runTransaction } from '../../db/run-transaction.ts'
import {
  readUnsubscribeKey,
  unsubscribeFromThread,
} from '../../features/activity/notifications/unsubscribe.ts'
import { confirmEmail } from '../../features/people/confirmations/confirm-email.ts'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { resetPassword } from '../../features/people/sign-in/reset-password.ts'
import type { Instance } from '../../http/endpoint.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import { parseForm } from '../../http/raw-parameters.ts'
import { ApiError } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { pageLanguageOfRequest } from '../plain-pages/page-language.ts'
import { sendPlainPage } from '../plain-pages/plain-page.ts'
import { mountSignIn } from './sign-in.ts'

const body_bytes_max = 16 * 1024

const english = {
  setPassword: 'Set a new password',
  newPassword: 'New password (at least 8 characters)',
  setPasswordButton: 'Set password',
  passwordProblem: (problem: string) => `The password ${problem}.`,
  passwordSet: 'Your password was set',
  passwordSetHtml:
    'You can now <a href="../sign_in">sign in</a>. All your other sessions were signed out.',
  confirm: 'Confirm your email address',
  confirmButton: 'Confirm email address',
  confirmed: 'Your email address was confirmed',
  confirmedText: 'This address now belongs to your account.',
  unsubscribe: 'Unsubscribe from this thread',
  unsubscribeText: 'You will get emails about it only when you are mentioned or assigned.',
  unsubscribeButton: 'Unsubscribe',
  unsubscribed: 'You are unsubscribed',
  unsubscribedText:
    'You get no more emails about this thread unless you are mentioned or assigned.',
  deadLink: 'This link is no longer valid',
  deadLinkText:
    'It was already used, has expired, or was replaced by a newer link. Request a new one.',
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    setPassword: 'Neues Passwort festlegen',
    newPassword: 'Neues Passwort (mindestens 8 Zeichen)',
    setPasswordButton: 'Passwort festlegen',
    passwordProblem: () => 'Das Passwort muss 8 bis 128 Zeichen lang sein.',
    passwordSet: 'Ihr Passwort wurde festgelegt',
    passwordSetHtml:
      'Sie können sich jetzt <a href="../sign_in">anmelden</a>. Alle Ihre anderen Sitzungen wurden beendet.',
    confirm: 'Bestätigen Sie Ihre E-Mail-Adresse',
    confirmButton: 'E-Mail-Adresse bestätigen',
    confirmed: 'Ihre E-Mail-Adresse wurde bestätigt',
    confirmedText: 'Diese Adresse gehört jetzt zu Ihrem Konto.',
    unsubscribe: 'Diesen Thread abbestellen',
    unsubscribeText:
      'Sie erhalten dann nur noch E-Mails dazu, wenn Sie erwähnt oder zugewiesen werden.',
    unsubscribeButton: 'Abbestellen',
    unsubscribed: 'Der Thread ist abbestellt',
    unsubscribedText:
      'Sie erhalten dazu keine E-Mails mehr, außer wenn Sie erwähnt oder zugewiesen werden.',
    deadLink: 'Dieser Link ist nicht mehr gültig',
    deadLinkText:
      'Er wurde bereits verwendet, ist abgelaufen oder wurde durch einen neueren Link ersetzt. Fordern Sie einen neuen an.',
  },
}

/**
 * Serves `/users/password/edit`, `/users/confirmation`, `/users/sign_in` and `/-/sent_notifications/:key/unsubscribe`, the
 * URLs of the real product.
 */
export function mountAccounts(
  app: FastifyInstance,
  services: Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'> & { rateLimiter: RateLimiter },
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: body_bytes_max },
    async (_request: FastifyRequest, body: string | Buffer) => parseForm(String(body)),
  )
  const resetPath = '/users/password/edit'
  app.get(resetPath, async (request, reply) => {
    const token = queried(request, 'reset_password_token')
    const language = pageLanguageOfRequest(request)
    return token === ''
      ? sendDeadLink(reply, language)
      : sendPasswordForm(reply, 200, { token, language })
  })
  app.post(resetPath, (request, reply) => reset(services, request, reply))
  const confirmationPath = '/users/confirmation'
  app.get(confirmationPath, async (request, reply) => {
    const token = queried(request, 'confirmation_token')
    const language = pageLanguageOfRequest(request)
    return token === ''
      ? sendDeadLink(reply, language)
      : sendConfirmationForm(reply, { token, language })
  })
  app.post(confirmationPath, (request, reply) => confirm(services, request, reply))
  const unsubscribePath = '/-/sent_notifications/:key/unsubscribe'
  app.get(unsubscribePath, async (request, reply) => {
    const language = pageLanguageOfRequest(request)
    return readUnsubscribeKey(services, keyOf(request))
      ? sendUnsubscribeForm(reply, language)
      : sendDeadLink(reply, language)
  })
  app.post(unsubscribePath, (request, reply) => endThread(services, request, reply))
  mountSignIn(app, services, { queried, posted })
}

function queried({ raw: { url = '' } }: FastifyRequest, name: string): string {
  return URL.parse(url, 'http://localhost')?.searchParams.get(name) ?? ''
}

function keyOf({ params }: FastifyRequest): string {
  return ownValue(params as Record<string, string>, 'key') ?? ''
}

function posted({ body }: FastifyRequest, name: string): string {
  const value = ownValue((body ?? {}) as Record<string, unknown>, name)
  return typeof value === 'string' ? value : ''
}

async function reset(
  services: Pick<Instance, 'db' | 'clock' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = posted(request, 'reset_password_token')
  const language = pageLanguageOfRequest(request)
  const text = texts[language]
  try {
    const given = { token, password: posted(request, 'password') }
    await resetPassword({ ...services, request }, given)
  } catch (error) {
    const problem = problemOf(error).password?.[0]
    return problem === undefined
      ? sendDeadLink(reply, language)
      : sendPasswordForm(reply, 400, { token, language, problem: text.passwordProblem(problem) })
  }
  return sendPlainPage(reply, 200, {
    language,
    title: text.passwordSet,
    content: `<p>${text.passwordSetHtml}</p>`,
  })
}

async function confirm(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = posted(request, 'confirmation_token')
  const language = pageLanguageOfRequest(request)
  try {
    await runTransaction(db, (tx) => confirmEmail(tx, clock, token))
  } catch (error) {
    problemOf(error)
    return sendDeadLink(reply, language)
  }
  return sendPlainPage(reply, 200, {
    language,
    title: texts[language].confirmed,
    content: `<p>${texts[language].confirmedText}</p>`,
  })
}

/** Handles the button of the unsubscribe page, and one-click requests of mail programs (RFC 8058). */
async function endThread(
  services: Pick<Instance, 'db' | 'secretKey'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = pageLanguageOfRequest(request)
  const thread = readUnsubscribeKey(services, keyOf(request))
  const isDone =
    thread && (await runTransaction(services.db, (tx) => unsubscribeFromThread(tx, thread)))
  if (!isDone) return sendDeadLink(reply, language)
  return sendPlainPage(reply, 200, {
    language,
    title: texts[language].unsubscribed,
    content: `<p>${texts[language].unsubscribedText}</p>`,
  })
}

/** Returns the validation messages of an error by field, and rethrows any other error. */
function problemOf(error: unknown): Record<string, string[] | undefined> {
  if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error
  return typeof error.detail === 'object' && !Array.isArray(error.detail) ? error.detail : {}
}

/** Forms go to their own address without its query, wherever a proxy has put it. */
function sendPasswordForm(
  reply: FastifyReply,
  status: number,
  { token, language, problem }: { token: string; language: PageLanguage; problem?: string },
): FastifyReply {
  const text = texts[language]
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`
  return sendPlainPage(reply, status, {
    language,
    title: text.setPassword,
    content: `${alert}
<form method="post" action="edit">
<input type="hidden" name="reset_password_token" value="${escapeHtml(token)}">
<label>${text.newPassword}
<input type="password" name="password" autocomplete="new-password" minlength="8" maxlength="128" required autofocus></label>
<button>${text.setPasswordButton}</button>
</form>`,
  })
}

function sendConfirmationForm(
  reply: FastifyReply,
  { token, language }: { token: string; language: PageLanguage },
): FastifyReply {
  return sendPlainPage(reply, 200, {
    language,
    title: texts[language].confirm,
    content: `<form method="post" action="confirmation">
<input type="hidden" name="confirmation_token" value="${escapeHtml(token)}">
<button autofocus>${texts[language].confirmButton}</button>
</form>`,
  })
}

function sendUnsubscribeForm(reply: FastifyReply, language: PageLanguage): FastifyReply {
  const text = texts[language]
  return sendPlainPage(reply, 200, {
    language,
    title: text.unsubscribe,
    content: `<p>${text.unsubscribeText}</p>
<form method="post" action="unsubscribe">
<button autofocus>${text.unsubscribeButton}</button>
</form>`,
  })
}

function sendDeadLink(reply: FastifyReply, language: PageLanguage): FastifyReply {
  return sendPlainPage(reply, 400, {
    language,
    title: texts[language].deadLink,
    content: `<p>${texts[language].deadLinkText}</p>`,
  })
}
