// The OAuth 2 provider with OpenID Connect: other programs sign in users with this server, and act for them
// (docs/api/oauth.md).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authenticateOauthClient,
  type ClientCredentials,
} from '../../features/people/oauth/application.ts'
import { findUserInfoClaims } from '../../features/people/oauth/claims.ts'
import { startDeviceFlow } from '../../features/people/oauth/device.ts'
import { OauthError } from '../../features/people/oauth/oauth-error.ts'
import {
  exchangeGrantForOauthToken,
  findActiveOauthToken,
  introspectOauthToken,
  revokeOauthToken,
  type TokenRequest,
} from '../../features/people/oauth/token-endpoints.ts'
import type { PageLanguage } from '../../features/people/profiles/preferences.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import { basicCredentials, findRequestToken } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RateLimiter, sendTooManyRequests } from '../../http/rate-limit.ts'
import { ApiError } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/html.ts'
import { runAsWork } from '../../kernel/work-attribution.ts'
import { describeAccountRefusal } from '../plain-pages/account-refusal.ts'
import { pageLanguageOfRequest } from '../plain-pages/page-language.ts'
import { sendPlainPage } from '../plain-pages/plain-page.ts'
import { serveConsentAnswer, serveConsentPage } from './authorize.ts'
import { serveDeviceAnswer, serveDevicePage } from './device.ts'
import { mountDiscovery } from './discovery.ts'
import { addFormParsers, formParametersOf, queryParametersOf } from './form.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'> & {
  authenticator: Authenticator
  rateLimiter: RateLimiter
}

type Handler = (uses: Uses, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Serves `/oauth/...`, `/.well-known/...` and the public keys. */
export function mountOauth(app: FastifyInstance, uses: Uses): void {
  addFormParsers(app)
  const limited = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) =>
    serve(uses, handler, request, reply)
  app.get('/oauth/authorize', limited(asPage(serveConsentPage)))
  app.post('/oauth/authorize', limited(asPage(serveConsentAnswer)))
  app.get('/oauth/device', limited(asPage(serveDevicePage)))
  app.post('/oauth/device', limited(asPage(serveDeviceAnswer)))
  const post = (path: string, answer: (uses: Uses, asked: TokenRequest) => Promise<unknown>) =>
    app.post(path, limited(asJson(answer)))
  post('/oauth/token', exchangeGrantForOauthToken)
  post('/oauth/introspect', introspectOauthToken)
  post('/oauth/revoke', async (_uses, asked) => {
    await revokeOauthToken(uses, asked)
    return {}
  })
  post('/oauth/authorize_device', async (_uses, { client, given, baseUrl }) => {
    const application = await authenticateOauthClient(uses.db, client)
    return startDeviceFlow(uses, application, { scope: given.scope, baseUrl })
  })
  app.get('/oauth/token/info', limited(showTokenInfo))
  app.route({ method: ['GET', 'POST'], url: '/oauth/userinfo', handler: limited(showUserInfo) })
  mountDiscovery(app, uses)
  const open = ['token', 'revoke', 'introspect', 'token/info', 'userinfo', 'discovery/keys']
  const documents = ['openid-configuration', 'oauth-authorization-server', 'webfinger']
  for (const path of [
    ...[...open, 'authorize_device'].map((name) => `/oauth/${name}`),
    ...documents.map((name) => `/.well-known/${name}`),
    '/-/jwks',
  ]) {
    app.options(path, async (_request, reply) => reply.code(204).headers(preflightHeaders).send())
  }
}

/** Pages of other sites may ask, but never with a browser's cookie, which is for our own. */
const preflightHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
  'Access-Control-Max-Age': '7200',
}

async function serve(
  uses: Uses,
  handler: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { rateLimiter } = uses
  await rateLimiter.reloadIfStale()
  const verdict = rateLimiter.count('oauth', request.ip)
  if (verdict) return sendTooManyRequests(reply, verdict)
  const work = {
    holder: `address:${request.ip}`,
    name: `${request.method} ${request.routeOptions.url}`,
  }
  return runAsWork(work, () => handler(uses, request, reply))
}

const unusableAccount: Record<PageLanguage, string> = {
  en: 'Your account cannot be used',
  de: 'Ihr Konto kann nicht verwendet werden',
}

/** Runs a handler for a browser: an error that programs would get as JSON is shown as a page. */
function asPage(handler: Handler): Handler {
  return async (uses, request, reply) => {
    try {
      return await handler(uses, request, reply)
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'forbidden') throw error
      const language = pageLanguageOfRequest(request)
      return sendPlainPage(reply, 403, {
        language,
        title: unusableAccount[language],
        content: `<p role="alert">${escapeHtml(describeAccountRefusal(error, language))}</p>`,
      })
    }
  }
}

const unkept = { 'cache-control': 'no-store', pragma: 'no-cache' }

function asJson(answer: (uses: Uses, asked: TokenRequest) => Promise<unknown>): Handler {
  return async (uses, request, reply) => {
    const given = formParametersOf(request)
    const baseUrl = baseUrlOf(uses.config, request)
    try {
      const asked = { given, client: clientOf(request), ip: request.ip, baseUrl }
      return reply.headers(unkept).send(await answer(uses, asked))
    } catch (error) {
      if (!(error instanceof OauthError)) throw error
      return sendRefusal(reply, error, { isBasic: request.headers.authorization !== undefined })
    }
  }
}

function sendRefusal(
  reply: FastifyReply,
  error: OauthError,
  { isBasic }: { isBasic: boolean },
): FastifyReply {
  if (error.status === 401) {
    const realm = 'realm="Protected by OAuth 2.0"'
    const told = `error="${error.error}", error_description="${error.text}"`
    reply.header('www-authenticate', isBasic ? `Basic ${realm}` : `Bearer ${realm}, ${told}`)
  }
  return reply.code(error.status).headers(unkept).send(error.body)
}

/** The header wins. Its parts are encoded as in a form (RFC 6749, section 2.3.1). */
function clientOf(request: FastifyRequest): ClientCredentials | undefined {
  const { client_id, client_secret } = formParametersOf(request)
  const basic = basicCredentials(request.headers.authorization)
  if (basic) return { client_id: decode(basic.username), client_secret: decode(basic.password) }
  return client_id === undefined || client_id === '' ? undefined : { client_id, client_secret }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

async function showTokenInfo(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const text = findRequestToken(request.headers, queryParametersOf(request))
  const found = text === undefined ? undefined : await findActiveOauthToken(uses, text)
  if (!found) return sendRefusal(reply, new OauthError('invalid_request'), { isBasic: false })
  const { token, uid } = found
  const left_ms = Date.parse(token.expires_at) - uses.clock().getTime()
  const expires_in = Math.floor(left_ms / 1000)
  return reply.headers(unkept).send({
    resource_owner_id: token.user_id,
    scope: token.scopes,
    expires_in,
    application: { uid },
    created_at: Math.floor(Date.parse(token.created_at) / 1000),
    scopes: token.scopes,
    expires_in_seconds: expires_in,
  })
}

async function showUserInfo(
  uses: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const text = findRequestToken(request.headers, {
    ...queryParametersOf(request),
    ...formParametersOf(request),
  })
  const found = text === undefined ? undefined : await findActiveOauthToken(uses, text)
  const user_id = found?.token.user_id ?? null
  if (!found || user_id === null) {
    return refuseBearer(reply, 401, {
      error: 'invalid_token',
      error_description: 'The access token is invalid',
    })
  }
  const { scopes } = found.token
  if (!scopes.includes('openid')) {
    return refuseBearer(reply, 403, {
      error: 'insufficient_scope',
      error_description: 'Access to this resource requires scope "openid".',
      scope: 'openid',
    })
  }
  const baseUrl = baseUrlOf(uses.config, request)
  return reply.headers(unkept).send(await findUserInfoClaims(uses.db, { user_id, scopes, baseUrl }))
}

/** RFC 6750, section 3. */
function refuseBearer(
  reply: FastifyReply,
  status: 401 | 403,
  body: { error: string; error_description: string; scope?: string },
): FastifyReply {
  const { error, error_description } = body
  const told = `error="${error}", error_description="${error_description.replaceAll('"', "'")}"`
  return reply
    .code(status)
    .headers({ ...unkept, 'www-authenticate': `Bearer realm="Protected by OAuth 2.0", ${told}` })
    .send(body)
}
