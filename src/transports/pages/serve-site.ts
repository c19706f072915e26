// Serves sites: host and path of a request select the site; the pages feature decides who may see it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCookie } from 'cookie'
import { LRUCache } from 'lru-cache'
import { type Actor, anonymous, type TokenScope } from '../../access/actor.ts'
import type { Config } from '../../config.ts'
import { readSmallSiteFile } from '../../features/content/pages/read-site-file.ts'
import { matchRedirect, parseRedirectsFile } from '../../features/content/pages/redirects.ts'
import { loadSiteIndex } from '../../features/content/pages/site-index.ts'
import {
  exchangeVisitTicketForCookie,
  findSiteVisitor,
  mayVisitSite,
} from '../../features/content/pages/visit.ts'
import { findAcmeChallengeAnswer } from '../../features/content/pages-domains/pages-domain.ts'
import type { Authenticator } from '../../http/caller.ts'
import { findRequestToken } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { findRedirectLocation, type RedirectTarget } from '../../http/redirect.ts'
import { ApiError } from '../../kernel/errors.ts'
import { digestToken, randomText } from '../../kernel/ids.ts'
import { limits } from '../../kernel/limits.ts'
import { ownValue } from '../../kernel/own-value.ts'
import { type SiteFileResponse, sendSiteFile } from './send-file.ts'
import { findSitePlace, isBelowPagesHost, parseHostHeader, type SitePlace } from './site-address.ts'

export type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'> & {
  authenticator: Authenticator
}

export type SiteRequest = {
  request: IncomingMessage
  response: ServerResponse
  /** Whether the browser speaks TLS, to us or to a proxy that says so. */
  isSecure: boolean
}

const challengePath = '/.well-known/acme-challenge/'
export const siteVisitPath = '/.well-known/bloomery/visit'

/** Responds to a request for a site. */
export async function serveSite(uses: Uses, call: SiteRequest): Promise<void> {
  const { request, response } = call
  const { method, url = '/' } = request
  if (method !== 'GET' && method !== 'HEAD') {
    return sendPlainText(response, 405, 'Method not allowed', { Allow: 'GET, HEAD' })
  }
  if (url.length > limits.pages.path_characters) return sendPlainText(response, 414, 'URI too long')
  const host = parseHostHeader(request.headers.host)
  const address = splitAddress(url)
  if (host === undefined || !address) return sendPlainText(response, 400, 'Bad request')
  if (address.path.startsWith(challengePath)) {
    const token = address.path.slice(challengePath.length)
    const answer = await findAcmeChallengeAnswer(uses.db, { token, domain: host })
    if (answer !== undefined) return sendPlainText(response, 200, answer)
  }
  if (address.path === siteVisitPath) return startVisit(uses, call, { host, query: address.query })
  const place = await findSitePlace(uses, { host, path: address.path })
  if (!place) {
    // What is hidden and what is not there look alike.
    if (isBelowPagesHost(uses.config, host)) return sendToSignIn(uses, call, host)
    return sendPlainText(response, 404, notFoundText)
  }
  const isOpen = await mayVisitSite(uses, anonymous, place.site)
  const mustUpgrade = place.site.pages_https_only && !call.isSecure
  const upgrade = () =>
    sendOn(response, 301, { base: `https://${secureHost(uses.config, host)}`, place: url })
  // A redirect would show that the site exists, which is no secret at a domain of its own.
  if (mustUpgrade && (isOpen || !isBelowPagesHost(uses.config, host))) return upgrade()
  if (!isOpen) {
    const actor = await findCaller(uses, request, host)
    if (!actor || !(await mayVisitSite(uses, actor, place.site))) {
      if (!actor?.user) return sendToSignIn(uses, call, host)
      return sendPlainText(response, 404, notFoundText)
    }
  }
  if (mustUpgrade) return upgrade()
  return servePlace(uses, call, { place, address, isOpen })
}

type Address = { path: string; rawPath: string; query: string }

/** The path of an address, decoded, and its query; undefined for what cannot be decoded. */
function splitAddress(url: string): Address | undefined {
  let given = url
  if (!url.startsWith('/')) {
    const parsed = URL.parse(url)
    if (!parsed) return undefined
    given = `${parsed.pathname}${parsed.search}`
  }
  const mark = given.indexOf('?')
  const rawPath = mark < 0 ? given : given.slice(0, mark)
  const query = mark < 0 ? '' : given.slice(mark + 1)
  if (!rawPath.includes('%')) return { path: rawPath, rawPath, query }
  try {
    return { path: decodeURIComponent(rawPath), rawPath, query }
  } catch {
    return undefined
  }
}

async function servePlace(
  { config }: Uses,
  { request, response }: SiteRequest,
  { place, address, isOpen }: { place: SitePlace; address: Address; isOpen: boolean },
): Promise<void> {
  const { site, path } = place
  const query = address.query === '' ? '' : `?${address.query}`
  if (path === undefined)
    return sendOn(response, 302, { place: `${ownPath(address.rawPath)}/${query}` })
  const stored = { blob: site.blob, size: Number(site.size), root: site.root }
  const index = await loadSiteIndex(config, stored)
  const sending: SiteFileResponse = { config, site, stored, index, isOpen, request, response }
  const found = findFile(index.files, path)
  if (found === 'folder')
    return sendOn(response, 302, { place: `${ownPath(address.rawPath)}/${query}` })
  if (found !== undefined) return sendSiteFile(sending, found)
  const redirect = matchRedirect(await findRedirects(sending), address.path)
  if (redirect && redirect.status !== 200) {
    const { to, status } = redirect
    return sendOn(response, status, to.startsWith('/') ? { place: to } : { elsewhere: to })
  }
  if (redirect) {
    const shown = partsBelow(redirect.to, place.named)
    const file = shown === undefined ? undefined : findFile(index.files, shown)
    if (file !== undefined && file !== 'folder') return sendSiteFile(sending, file)
  }
  if (index.files.has('404.html')) return sendSiteFile(sending, '404.html', { status: 404 })
  return sendPlainText(response, 404, notFoundText)
}

/** The file of a path; `folder` for one that has an index and lacks its slash. */
function findFile(
  files: ReadonlyMap<string, unknown>,
  path: string,
): string | 'folder' | undefined {
  if (path === '' || path.endsWith('/')) {
    const index = `${path}index.html`
    return files.has(index) ? index : undefined
  }
  if (files.has(path)) return path
  if (files.has(`${path}/index.html`)) return 'folder'
  return files.has(`${path}.html`) ? `${path}.html` : undefined
}

/** Two slashes at the beginning, of either kind, would name a host. */
const ownPath = (path: string) => path.replace(/^[/\\]+/, '/')

/** The path below a site of an address on its host. */
function partsBelow(to: string, named: number): string | undefined {
  const [path = ''] = to.split(/[?#]/, 1)
  const parts = decodedSafely(path)
    .split('/')
    .slice(1 + named)
  return parts.length === 0 ? undefined : parts.join('/')
}

function decodedSafely(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

const rules = new LRUCache<string, ReturnType<typeof parseRedirectsFile>>({
  max: limits.pages.redirects.kept_sites_max,
})

async function findRedirects({ config, stored, index }: SiteFileResponse) {
  const file = index.files.get('_redirects')
  if (!file) return []
  let found = rules.get(stored.blob)
  if (!found) {
    found = parseRedirectsFile(String((await readSmallSiteFile(config, stored, file)) ?? ''))
    rules.set(stored.blob, found)
  }
  return found
}

const readScopes: readonly TokenScope[] = ['api', 'read_api']

/** By a token as the API takes it, else by the cookie of this host; undefined for a token that is no good. */
async function findCaller(
  uses: Uses,
  { headers }: IncomingMessage,
  host: string,
): Promise<Actor | undefined> {
  const token = findRequestToken(headers, {})
  if (token === undefined) {
    return findSiteVisitor(uses, { cookie: cookieOf(headers.cookie, visitCookie), host })
  }
  try {
    const actor = await uses.authenticator.byToken(token)
    return actor.token?.scopes.some((scope) => readScopes.includes(scope)) ? actor : undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

const visitCookie = 'bloomery_pages'
const stateCookie = 'bloomery_pages_state'

function cookieOf(header: string | undefined, name: string): string {
  return ownValue(parseCookie(header ?? '', { decode: (text) => text }), name) ?? ''
}

/**
 * Redirects a browser to the sign-in, since its user may have access; other clients get a 404. Below the host of sites the
 * browser comes back over TLS where that is served.
 */
function sendToSignIn(
  { config }: Uses,
  { request, response, isSecure }: SiteRequest,
  host: string,
): void {
  const isBrowser = request.headers.accept?.includes('text/html') ?? false
  if (
    !isBrowser ||
    config.url === undefined ||
    findRequestToken(request.headers, {}) !== undefined
  ) {
    sendPlainText(response, 404, notFoundText)
    return
  }
  const state = randomText(32)
  const isUpgraded =
    !isSecure && config.pages.protocol === 'https:' && isBelowPagesHost(config, host)
  const origin = isUpgraded
    ? `https://${secureHost(config, host)}`
    : `${isSecure ? 'https' : 'http'}://${request.headers.host ?? host}`
  const address = `${origin}${request.url}`
  const query = new URLSearchParams({ address, state: digestToken(state) })
  response.setHeader('Set-Cookie', cookieText(stateCookie, state, { isSecure, age_s: 600 }))
  sendOn(response, 302, { base: config.url, place: `/-/pages/visit?${query}` })
}

/** The browser comes back with a ticket, and goes on to what it wanted to see. */
async function startVisit(
  uses: Uses,
  { request, response, isSecure }: SiteRequest,
  { host, query }: { host: string; query: string },
): Promise<void> {
  const given = new URLSearchParams(query)
  const state = cookieOf(request.headers.cookie, stateCookie)
  const cookie = await exchangeVisitTicketForCookie(uses, {
    ticket: given.get('ticket') ?? '',
    host,
    state,
  })
  if (cookie === undefined) return sendPlainText(response, 400, 'This link is no longer valid')
  const age_s = limits.pages.visit_ms / 1000
  response.setHeader('Set-Cookie', [
    cookieText(visitCookie, cookie, { isSecure, age_s }),
    cookieText(stateCookie, '', { isSecure, age_s: 0 }),
  ])
  sendOn(response, 302, { place: ownPath(`/${given.get('path') ?? ''}`) })
}

function cookieText(
  name: string,
  value: string,
  { isSecure, age_s }: { isSecure: boolean; age_s: number },
): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${age_s}; HttpOnly; SameSite=Lax${secure}`
}

function secureHost({ pages }: Config, host: string): string {
  const port = pages.protocol === 'https:' ? pages.publicPort : ''
  return port === '' ? host : `${host}:${port}`
}

const notFoundText = 'Page not found.'

export function sendPlainText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Content-Type-Options': 'nosniff',
    ...(status === 404 ? { 'Cache-Control': 'no-cache' } : {}),
    ...headers,
  })
  response.end(text)
}

/** 404 for what would lead to another site than was meant. */
function sendOn(response: ServerResponse, status: number, target: RedirectTarget): void {
  const location = findRedirectLocation(target)
  if (location === undefined) sendPlainText(response, 404, notFoundText)
  else sendPlainText(response, status, '', { Location: location, 'Cache-Control': 'no-cache' })
}
