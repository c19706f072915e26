// The page on which a user authorizes an application (docs/api/oauth.md, "Authorization").

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OauthScope } from '../../access/actor.ts'
import { runTransaction } from '../../db/run-transaction.ts'
import { findOauthApplicationUser } from '../../features/people/oauth/application.ts'
import {
  type AuthorizationRequest,
  type AuthorizationRequestResult,
  type AuthorizationReturn,
  buildAuthorizationRedirect,
  createAuthorizationCode,
  isConsentSkipped,
  type OauthParameters,
  validateAuthorizationRequest,
} from '../../features/people/oauth/authorization.ts'
import { OauthError, type OauthErrorName } from '../../features/people/oauth/oauth-error.ts'
import { formActionSource, outOfBandRedirectUri } from '../../features/people/oauth/redirect-uri.ts'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RedirectTarget, redirectLocationOf } from '../../http/redirect.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { ownValue } from '../../kernel/own-value.ts'
import type { User } from '../../subjects/user.ts'
import { pageLanguageOfRequest } from '../plain-pages/page-language.ts'
import { sendPlainPage } from '../plain-pages/plain-page.ts'
import {
  findSignedInVisitor,
  formParametersOf,
  isSameTextConstantTime,
  queryParametersOf,
  type SignedInVisitor,
} from './form.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'> & { authenticator: Authenticator }
type LostReason = Extract<AuthorizationRequestResult, { kind: 'lost' }>['reason']

type Texts = {
  title: (application: string) => string
  /** Who is asked by whom, of names that are HTML. */
  askedHtml: (username: string, application: string) => string
  scopes: Record<OauthScope, string>
  /** Whose application it is, if it is a user's; the name is HTML. */
  ownerHtml: (username: string) => string
  warning: string
  redirectedHtml: (place: string) => string
  allow: string
  deny: string
  failed: string
  refusal: (error: OauthError) => string
  code: string
  copyCode: string
  lost: string
  lostReasons: Record<LostReason, string>
  stalePage: string
  stalePageText: string
}

const germanRefusals: Partial<Record<OauthErrorName, string>> = {
  access_denied: 'Der Zugriff wurde abgelehnt.',
  invalid_scope:
    'Die Anwendung hat Scopes angefordert, die es nicht gibt oder die ihr nicht erlaubt sind.',
  unsupported_response_type: 'Der Server unterstützt den angeforderten Antworttyp nicht.',
  login_required: 'Sie müssen sich zuerst anmelden.',
  consent_required: 'Sie müssen dem Zugriff zuerst zustimmen.',
  request_not_supported: 'Der Server unterstützt den Parameter request nicht.',
}

const texts: Record<PageLanguage, Texts> = {
  en: {
    title: (application) => `Authorize ${application} to use your account?`,
    askedHtml: (username, application) =>
      `You are signed in as <strong>${username}</strong>. <strong>${application}</strong> requests permission to:`,
    scopes: {
      api: 'Read and write everything you have access to',
      read_user: 'Read your profile',
      read_api: 'Read everything you have access to',
      read_repository: 'Read repositories',
      write_repository: 'Read and write repositories',
      read_registry: 'Read container images',
      write_registry: 'Write container images',
      sudo: 'Act as any other user, if you are an administrator',
      openid: 'Verify your identity',
      profile: 'Read your name, avatar and groups',
      email: 'Read your email address',
    },
    ownerHtml: (username) =>
      `This application was registered by the user <strong>${username}</strong>.`,
    warning: 'Only continue if you trust this application and have just come from it.',
    redirectedHtml: (place) => `You will be redirected to <code>${place}</code>.`,
    allow: 'Authorize',
    deny: 'Deny',
    failed: 'Authorization failed',
    refusal: ({ text }) => text,
    code: 'Authorization code',
    copyCode: 'Copy this code into the application:',
    lost: 'An error has occurred',
    lostReasons: {
      'unknown-application': new OauthError('invalid_client').text,
      'unregistered-redirect-uri':
        "The requested redirect uri is malformed or doesn't match client redirect URI.",
    },
    stalePage: 'This page has expired',
    stalePageText: 'Start again from the application that sent you here.',
  },
  de: {
    title: (application) => `Darf ${application} auf Ihr Konto zugreifen?`,
    askedHtml: (username, application) =>
      `Sie sind als <strong>${username}</strong> angemeldet. <strong>${application}</strong> bittet um folgende Berechtigungen:`,
    scopes: {
      api: 'Alles lesen und ändern, worauf Sie Zugriff haben',
      read_user: 'Ihr Benutzerprofil lesen',
      read_api: 'Alles lesen, worauf Sie Zugriff haben',
      read_repository: 'Aus Repositorys pullen',
      write_repository: 'Aus Repositorys pullen und in sie pushen',
      read_registry: 'Container-Images lesen',
      write_registry: 'Container-Images schreiben',
      sudo: 'Als beliebiger Benutzer handeln (nur Administratoren)',
      openid: 'Ihre Identität bestätigen',
      profile: 'Ihren Namen, Ihren Avatar und Ihre Gruppen lesen',
      email: 'Ihre E-Mail-Adresse lesen',
    },
    ownerHtml: (username) => `Diese Anwendung wurde von <strong>${username}</strong> registriert.`,
    warning:
      'Erlauben Sie den Zugriff nur, wenn Sie dieser Anwendung vertrauen und ihn gerade selbst dort angefordert haben.',
    redirectedHtml: (place) => `Danach werden Sie zu <code>${place}</code> weitergeleitet.`,
    allow: 'Zugriff erlauben',
    deny: 'Ablehnen',
    failed: 'Autorisierung fehlgeschlagen',
    refusal: ({ error }) =>
      germanRefusals[error] ??
      'In der Anfrage der Anwendung fehlt ein Parameter, oder ein Parameter ist ungültig.',
    code: 'Autorisierungscode',
    copyCode: 'Kopieren Sie diesen Code in die Anwendung:',
    lost: 'Fehler in der Anfrage der Anwendung',
    lostReasons: {
      'unknown-application': 'Auf diesem Server ist keine Anwendung mit dieser ID registriert.',
      'unregistered-redirect-uri':
        'Die angegebene Weiterleitungs-URI ist ungültig oder nicht für diese Anwendung registriert.',
    },
    stalePage: 'Diese Seite ist abgelaufen',
    stalePageText: 'Beginnen Sie in der Anwendung, die Sie hierher geleitet hat, noch einmal.',
  },
}

/** `GET /oauth/authorize`: redirects with a code, shows the consent page, or redirects to the sign-in page. */
export async function serveConsentPage(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const given = queryParametersOf(request)
  const checked = await validateAuthorizationRequest(uses.db, given)
  if (checked.kind === 'lost') return sendLost(reply, checked.reason)
  if (checked.kind === 'refused') return sendBack(reply, checked.to, checked.error)
  const asked = checked.request
  const isSilent = asked.prompt.includes('none')
  const visitor = await findSignedInVisitor(uses, request)
  if (!visitor || mustSignInAgain(uses, asked, visitor)) {
    if (isSilent) return sendBack(reply, asked, new OauthError('login_required'))
    return sendToSignIn(uses, request, reply, given)
  }
  const mustAsk = asked.prompt.includes('consent') || asked.prompt.includes('select_account')
  if (!mustAsk && (await isConsentSkipped(uses.db, asked, visitor.user.id))) {
    return allow(uses, { request, reply, visitor, asked, isAsked: false })
  }
  if (isSilent) return sendBack(reply, asked, new OauthError('consent_required'))
  const owner = await findOauthApplicationUser(uses.db, asked.application)
  return sendConsent(reply, { asked, owner, visitor, given })
}

/** `POST /oauth/authorize`: handles the user's decision on the consent page. */
export async function serveConsentAnswer(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const given = formParametersOf(request)
  const visitor = await findSignedInVisitor(uses, request)
  if (!visitor || !isSameTextConstantTime(given.authenticity_token ?? '', visitor.csrf_token)) {
    return sendStaleFormPage(reply)
  }
  const checked = await validateAuthorizationRequest(uses.db, given)
  if (checked.kind === 'lost') return sendLost(reply, checked.reason)
  if (checked.kind === 'refused') return sendBack(reply, checked.to, checked.error)
  const asked = checked.request
  if (given.decision !== 'allow') {
    return sendBack(reply, asked, new OauthError('access_denied'))
  }
  return allow(uses, { request, reply, visitor, asked, isAsked: true })
}

/** OpenID Connect Core, section 3.1.2.1: `prompt` and `max_age`. */
function mustSignInAgain(
  { clock }: Uses,
  asked: AuthorizationRequest,
  visitor: SignedInVisitor,
): boolean {
  if (asked.prompt.includes('login')) return true
  const age_ms = clock().getTime() - Date.parse(visitor.auth_time)
  return asked.max_age_s !== undefined && age_ms > asked.max_age_s * 1000
}

async function allow(
  { db, clock }: Uses,
  given: {
    request: FastifyRequest
    reply: FastifyReply
    visitor: SignedInVisitor
    asked: AuthorizationRequest
    isAsked: boolean
  },
): Promise<FastifyReply> {
  const { request, reply, visitor, asked, isAsked } = given
  const { actor, user, auth_time } = visitor
  const code = await runTransaction(db, (tx) => {
    const source = { db: tx, clock, actor, request: { ip: request.ip } }
    return createAuthorizationCode(source, asked, { user_id: user.id, auth_time, isAsked })
  })
  return sendBack(reply, asked, { code })
}

/** The browser goes back to the application, whose address was checked, or shows what it would carry. */
function sendBack(
  reply: FastifyReply,
  to: AuthorizationReturn,
  answer: { code: string } | OauthError,
): FastifyReply {
  const isRefusal = answer instanceof OauthError
  if (to.redirect_uri !== outOfBandRedirectUri) {
    const carried = isRefusal ? answer.body : answer
    return sendOauthRedirect(reply, { elsewhere: buildAuthorizationRedirect(to, carried) })
  }
  const language = pageLanguageOfRequest(reply.request)
  const text = texts[language]
  return isRefusal
    ? sendPlainPage(reply, 400, {
        language,
        title: text.failed,
        content: `<p>${escapeHtml(text.refusal(answer))} (<code>${answer.error}</code>)</p>`,
      })
    : sendPlainPage(reply, 200, {
        language,
        title: text.code,
        content: `<p>${text.copyCode}</p>\n<p><code>${escapeHtml(answer.code)}</code></p>`,
      })
}

/** Redirects the browser. The address may contain a code, so it is not cached and not sent as a referrer. */
export function sendOauthRedirect(reply: FastifyReply, target: RedirectTarget): FastifyReply {
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
  return sendOauthRedirect(
    reply,
    signInRedirect(baseUrlOf(config, request), `/oauth/authorize?${query}`),
  )
}

/** Returns the redirect to the sign-in page, which leads back to `return_to`. */
export function signInRedirect(base: string, return_to: string): RedirectTarget {
  return { base, place: `/users/sign_in?${new URLSearchParams({ return_to })}` }
}

/** The parameters that the consent page sends back; each is checked again then. */
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
    owner,
    visitor,
    given,
  }: {
    asked: AuthorizationRequest
    owner: User | undefined
    visitor: SignedInVisitor
    given: OauthParameters
  },
): FastifyReply {
  const { application, redirect_uri } = asked
  const language = pageLanguageOfRequest(reply.request)
  const text = texts[language]
  const fields = repeated.flatMap((name) => {
    const value = ownValue(given, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const place =
    redirect_uri === outOfBandRedirectUri
      ? ''
      : `<p>${text.redirectedHtml(escapeHtml(placeOf(redirect_uri)))}</p>\n`
  return sendPlainPage(reply, 200, {
    language,
    title: text.title(application.name),
    content: `${renderConsentHtml(application.name, { owner, visitor, scopes: asked.scopes, language })}
${place}<form method="post" action="authorize">
${renderHiddenFormFields([...fields, ['authenticity_token', visitor.csrf_token]])}
${renderDecisionHtml(language)}
</form>`,
    ...(redirect_uri === outOfBandRedirectUri
      ? {}
      : { formTarget: formActionSource(redirect_uri) }),
  })
}

/** The scheme and host of an address, which tell whose it is. */
function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return host === '' ? protocol : `${protocol}//${host}`
}

/** Returns the question that the page asks, as text. */
export function consentTitle(application: string, language: PageLanguage): string {
  return texts[language].title(application)
}

/** Renders the consent page. `owner` is the user who registered the application for themselves. */
export function renderConsentHtml(
  application: string,
  {
    owner,
    visitor: { user },
    scopes,
    language,
  }: {
    owner: User | undefined
    visitor: SignedInVisitor
    scopes: readonly string[]
    language: PageLanguage
  },
): string {
  const text = texts[language]
  const items = scopes.map((scope) => {
    const description = ownValue(text.scopes as Record<string, string>, scope) ?? ''
    return `<li>${escapeHtml(description)} (<code>${escapeHtml(scope)}</code>)</li>`
  })
  return `<p>${text.askedHtml(escapeHtml(user.username), escapeHtml(application))}</p>
<ul>
${items.join('\n')}
</ul>
${owner ? `<p>${text.ownerHtml(escapeHtml(owner.username))}</p>\n` : ''}<p>${text.warning}</p>`
}

/** Renders the buttons to allow and to deny. */
export function renderDecisionHtml(language: PageLanguage): string {
  const { allow, deny } = texts[language]
  return `<button name="decision" value="allow">${allow}</button>
<button name="decision" value="deny">${deny}</button>`
}

export function renderHiddenFormFields(fields: readonly (readonly [string, string])[]): string {
  return fields
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    )
    .join('\n')
}

function sendLost(reply: FastifyReply, reason: LostReason): FastifyReply {
  const language = pageLanguageOfRequest(reply.request)
  const text = texts[language]
  return sendPlainPage(reply, 400, {
    language,
    title: text.lost,
    content: `<p role="alert">${escapeHtml(text.lostReasons[reason])}</p>`,
  })
}

/** Sends 403 for a form that was not given to this session, such as one from before a new sign-in. */
export function sendStaleFormPage(reply: FastifyReply): FastifyReply {
  const language = pageLanguageOfRequest(reply.request)
  const text = texts[language]
  return sendPlainPage(reply, 403, {
    language,
    title: text.stalePage,
    content: `<p role="alert">${text.stalePageText}</p>`,
  })
}
