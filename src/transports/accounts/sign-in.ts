// The sign-in page for users whom an application has sent here. Other pages sign in through the API.

import { timingSafeEqual } from 'node:crypto'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/db.ts'
import { validateAuthorizationRequest } from '../../features/people/oauth/authorization.ts'
import { formActionSource, outOfBandRedirectUri } from '../../features/people/oauth/redirect-uri.ts'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { createSession } from '../../features/people/sessions/session.ts'
import { signIn } from '../../features/people/sign-in/sign-in.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RateLimiter, sendTooManyRequests } from '../../http/rate-limit.ts'
import { redirectLocationOf } from '../../http/redirect.ts'
import { csrfTokenOf, sessionCookies } from '../../http/session-cookie.ts'
import { ApiError } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { randomText } from '../../kernel/ids.ts'
import { limits } from '../../kernel/limits.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { describeAccountRefusal } from '../plain-pages/account-refusal.ts'
import { pageLanguageOfRequest } from '../plain-pages/page-language.ts'
import { sendPlainPage } from '../plain-pages/plain-page.ts'
import { hasShell, isPageRequest, sendShell } from '../web/shell.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'> & { rateLimiter: RateLimiter }

const path = '/users/sign_in'
const age_s = limits.sign_in.session_ms / 1000

const english = {
  signIn: 'Sign in',
  login: 'Username or email',
  password: 'Password',
  code: 'Verification code or recovery code',
  stalePage: 'This page has expired. Try again.',
  wrongPassword: 'Invalid login or password.',
  codeRequired:
    'Enter your password again, and a code from your authenticator app or a recovery code.',
  signedIn: 'You are signed in',
  username: 'Username',
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    signIn: 'Anmelden',
    login: 'Benutzername oder E-Mail',
    password: 'Passwort',
    code: 'Bestätigungscode oder Wiederherstellungscode',
    stalePage: 'Diese Seite ist abgelaufen. Versuchen Sie es erneut.',
    wrongPassword: 'Benutzername oder Passwort ungültig.',
    codeRequired:
      'Geben Sie Ihr Passwort erneut ein, dazu einen Code aus Ihrer Authenticator-App oder einen Wiederherstellungscode.',
    signedIn: 'Sie sind angemeldet',
    username: 'Benutzername',
  },
}

/** Serves `/users/sign_in`. The instance already parses form bodies. */
export function mountSignIn(
  app: FastifyInstance,
  uses: Uses,
  read: {
    queried: (request: FastifyRequest, name: string) => string
    posted: (request: FastifyRequest, name: string) => string
  },
): void {
  app.get(path, async (request, reply) => {
    const return_to = read.queried(request, 'return_to')
    if (isPageRequest(request) && hasShell() && !isOwnPlace(return_to))
      return sendShell(request, reply)
    return sendForm(uses, request, reply, { status: 200, return_to })
  })
  app.post(path, async (request, reply) => {
    const { rateLimiter } = uses
    await rateLimiter.reloadIfStale()
    const verdict = rateLimiter.count('sign_in', request.ip)
    if (verdict) return sendTooManyRequests(reply, verdict)
    const posted = (name: string) => read.posted(request, name)
    return handleSignIn(uses, request, reply, posted)
  })
}

async function handleSignIn(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
  posted: (name: string) => string,
): Promise<FastifyReply> {
  const { db, clock, config } = uses
  const baseUrl = baseUrlOf(config, request)
  const return_to = posted('return_to')
  const login = posted('login')
  const page = { return_to, login }
  const language = pageLanguageOfRequest(request)
  const text = texts[language]
  if (!isOwnForm(request, baseUrl, posted('authenticity_token'))) {
    return sendForm(uses, request, reply, { ...page, status: 403, problem: text.stalePage })
  }
  const { ip, headers } = request
  try {
    const otp = posted('otp') || undefined
    const user = await signIn(uses, { login, password: posted('password'), otp, ip })
    const user_agent = String(headers['user-agent'] ?? '')
    const { cookie } = await createSession(db, clock, user, { ip, user_agent })
    reply.header('set-cookie', [
      ...sessionCookies(cookie, { baseUrl, age_s }),
      formCookie('', { baseUrl, age_s: 0 }),
    ])
    return isOwnPlace(return_to)
      ? reply
          .code(302)
          .headers({
            location: redirectLocationOf({ base: baseUrl, place: return_to }),
            'cache-control': 'no-store',
            'referrer-policy': 'no-referrer',
          })
          .send()
      : sendPlainPage(reply, 200, {
          language,
          title: text.signedIn,
          content: `<p>${text.username}: <strong>${escapeHtml(user.username)}</strong></p>`,
        })
  } catch (error) {
    return sendForm(uses, request, reply, { ...page, ...problemOf(error, language) })
  }
}

function problemOf(
  error: unknown,
  language: PageLanguage,
): { status: number; problem: string; wantsCode?: true } {
  if (!(error instanceof ApiError)) throw error
  if (error.kind === 'forbidden') {
    return { status: 403, problem: describeAccountRefusal(error, language) }
  }
  if (error.kind !== 'unauthorized') throw error
  const { codeRequired, wrongPassword } = texts[language]
  return error.extra.error === 'otp_required'
    ? { status: 401, problem: codeRequired, wantsCode: true }
    : { status: 401, problem: wrongPassword }
}

/** Whether the sign-in may redirect to the path: only to pages that send browsers to the sign-in. */
function isOwnPlace(place: string): boolean {
  return /^\/(?:oauth\/(?:authorize|device)|-\/pages\/visit)(?:\?[!-~]*)?$/.test(place)
}

async function sendForm(
  { db, config }: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    status,
    return_to,
    login = '',
    problem,
    wantsCode,
  }: { status: number; return_to: string; login?: string; problem?: string; wantsCode?: boolean },
): Promise<FastifyReply> {
  const baseUrl = baseUrlOf(config, request)
  const language = pageLanguageOfRequest(request)
  const text = texts[language]
  // The same for every form of a browser, so that one tab does not make another too old.
  const cookie = findFormCookie(request, baseUrl) || randomText(43)
  const place = isOwnPlace(return_to) ? return_to : ''
  const formTarget = await findFormTarget(db, place)
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>\n`
  const code = wantsCode
    ? `<label>${text.code}
<input name="otp" autocomplete="one-time-code" maxlength="32" required></label>\n`
    : ''
  reply.header('set-cookie', formCookie(cookie, { baseUrl, age_s: 3600 }))
  return sendPlainPage(reply, status, {
    language,
    title: text.signIn,
    content: `${alert}<form method="post" action="sign_in">
<input type="hidden" name="authenticity_token" value="${csrfTokenOf(cookie)}">
<input type="hidden" name="return_to" value="${escapeHtml(place)}">
<label>${text.login}
<input name="login" value="${escapeHtml(login)}" autocomplete="username" maxlength="255" required autofocus></label>
<label>${text.password}
<input type="password" name="password" autocomplete="current-password" required></label>
${code}<button>${text.signIn}</button>
</form>`,
    ...(formTarget === undefined ? {} : { formTarget }),
  })
}

/** Returns the origin that the browser may be redirected to after the sign-in, if `place` belongs to an OAuth application. */
async function findFormTarget(db: Db, place: string): Promise<string | undefined> {
  const query = new URLSearchParams(place.split('?', 2)[1] ?? '')
  const checked = await validateAuthorizationRequest(db, Object.fromEntries(query))
  if (checked.kind === 'lost') return undefined
  const { redirect_uri } = checked.kind === 'sound' ? checked.request : checked.to
  return redirect_uri === outOfBandRedirectUri ? undefined : formActionSource(redirect_uri)
}

/** Returns a cookie that proves that the form was sent by the browser that received it, before anybody is signed in. */
function formCookie(value: string, { baseUrl, age_s }: { baseUrl: string; age_s: number }): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${formCookieName(baseUrl)}=${value}; Path=/; Max-Age=${age_s}; HttpOnly; SameSite=Lax${secure}`
}

function formCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-bloomery_form' : 'bloomery_form'
}

/** Whether the form was sent from our own page. Another site must not sign a browser in as its own user. */
function isOwnForm({ headers }: FastifyRequest, baseUrl: string, given: string): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return false
  const cookie = findFormCookie({ headers }, baseUrl)
  const [one, other] = [Buffer.from(given), Buffer.from(csrfTokenOf(cookie))]
  return cookie !== '' && one.length === other.length && timingSafeEqual(one, other)
}

function findFormCookie({ headers }: Pick<FastifyRequest, 'headers'>, baseUrl: string): string {
  const cookies = parseCookie(headers.cookie ?? '', { decode: (text) => text })
  return ownValue(cookies, formCookieName(baseUrl)) ?? ''
}
