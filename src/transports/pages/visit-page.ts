// The page that the host of a private site redirects browsers to: signed-in users with access go back with a ticket,
// others sign in first.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { createVisitTicket } from '../../features/content/pages/visit.ts'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RateLimiter, sendTooManyRequests } from '../../http/rate-limit.ts'
import { parseForm, queryStringOf } from '../../http/raw-parameters.ts'
import { type RedirectTarget, redirectLocationOf } from '../../http/redirect.ts'
import { findSessionCookie } from '../../http/session-cookie.ts'
import { pageLanguageOfRequest } from '../plain-pages/page-language.ts'
import { sendPlainPage } from '../plain-pages/plain-page.ts'
import { siteVisitPath } from './serve-site.ts'
import { findSitePlace, parseHostHeader } from './site-address.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'> & {
  authenticator: Authenticator
  rateLimiter: RateLimiter
}

const english = {
  notFound: 'Page not found',
  notFoundText: "The page does not exist, or you don't have permission to see it.",
}

const texts: Record<PageLanguage, typeof english> = {
  en: english,
  de: {
    notFound: 'Seite nicht gefunden',
    notFoundText: 'Die Seite existiert nicht, oder Sie haben keine Berechtigung, sie zu sehen.',
  },
}

/** Serves `/-/pages/visit`. */
export function mountPagesVisits(app: FastifyInstance, uses: Uses): void {
  app.get('/-/pages/visit', (request, reply) => visit(uses, request, reply))
}

async function visit(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const verdict = uses.rateLimiter.count('oauth', request.ip)
  if (verdict) return sendTooManyRequests(reply, verdict)
  const query = queryStringOf(request.raw.url ?? '')
  const { address, state } = parseForm(query)
  const url = typeof address === 'string' ? URL.parse(address) : null
  const host = parseHostHeader(url?.host)
  const isState = typeof state === 'string' && /^[0-9a-f]{64}$/.test(state)
  const isWhole = url !== null && host !== undefined && isState
  if (!isWhole || !isServed(uses.config, url)) return sendNothing(reply)
  const baseUrl = baseUrlOf(uses.config, request)
  const cookie = findSessionCookie(request.headers, baseUrl)
  const actor =
    cookie === undefined
      ? undefined
      : await uses.authenticator.bySession(cookie, { ip: request.ip, allowsExpiredPassword: false })
  if (!actor) {
    const back = new URLSearchParams({ return_to: `/-/pages/visit?${query}` })
    return sendOn(reply, { base: baseUrl, place: `/users/sign_in?${back}` })
  }
  const place = await findSitePlace(uses, { host, path: decodedPath(url) })
  const asked = { host, state: state as string }
  const ticket = place && (await createVisitTicket(uses, actor, { site: place.site, ...asked }))
  if (!ticket) return sendNothing(reply)
  const path = `${url.pathname}${url.search}`.slice(1)
  const elsewhere = `${url.origin}${siteVisitPath}?${new URLSearchParams({ ticket, path })}`
  return sendOn(reply, { elsewhere })
}

/** Whether sites are served there: at another port of the host somebody else may listen. */
function isServed({ pages }: Config, { protocol, port }: URL): boolean {
  const ports = [pages.port, pages.tlsPort]
  const isKnown = ['', pages.publicPort, ...ports.map(String)].includes(port)
  // Which one was free is not known here.
  return /^https?:$/.test(protocol) && (isKnown || ports.includes(0))
}

function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

function sendOn(reply: FastifyReply, target: RedirectTarget): FastifyReply {
  return reply
    .code(302)
    .headers({
      location: redirectLocationOf(target),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send()
}

/** Sends the 404 page, which is the same for hidden and for missing sites. */
function sendNothing(reply: FastifyReply): FastifyReply {
  const language = pageLanguageOfRequest(reply.request)
  const { notFound, notFoundText } = texts[language]
  return sendPlainPage(reply, 404, {
    language,
    title: notFound,
    content: `<p>${notFoundText}</p>`,
  })
}
