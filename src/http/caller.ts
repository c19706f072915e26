// Identifies the caller: by token, by session cookie, or by sudo as another user; and checks whether the token covers
// the operation (docs/api/conventions.md, "Scopes", "sudo").
import type { FastifyRequest } from 'fastify'
import { type Actor, anonymous } from '../access/actor.ts'
import { forbidden, insufficientScope, unauthorized } from '../kernel/errors.ts'
import { findRequestJobToken, findRequestSudo, findRequestToken } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import type { RawParameters } from './parameters.ts'
import { findSessionCookie, isCsrfSafeRequest } from './session-cookie.ts'

/** Finds the caller of a credential; implemented by the features that own users and tokens. */
export type Authenticator = {
  /** The caller a token stands for; throws the 401 of an unknown, expired or revoked one. */
  byToken(token: string, use?: { isRotation: boolean }): Promise<Actor>
  /** The caller a browser's cookie stands for, or undefined when it stands for nobody (any more). */
  bySession(
    cookie: string,
    request: { ip: string; allowsExpiredPassword: boolean },
  ): Promise<Actor | undefined>
  /** The caller a running job's token stands for; throws 401 for any other. */
  byJobToken(token: string): Promise<Actor>
  /** The user an administrator acts as, by id or name, to do what; throws the 404 when there is none. */
  bySudo(use: {
    idOrName: string
    actor: Actor
    request: { ip: string; method: string; path: string; raw: object }
  }): Promise<Actor>
}

export type CallerRequest = {
  request: FastifyRequest
  endpoint: Endpoint
  /** Whether the token of a running job counts here. */
  takesJobToken: boolean
  query: RawParameters
  /** The token of the headers or the query. */
  token: string | undefined
  baseUrl: string
  authenticator: Authenticator
}

/** Returns the caller according to the headers and the query, before the body is read. */
export async function identifyCaller(asked: CallerRequest): Promise<Actor> {
  const { token, authenticator, endpoint } = asked
  if (endpoint.signIn === 'ignored') return anonymous
  const jobToken = asked.takesJobToken
    ? findRequestJobToken(asked.request.headers, asked.query)
    : undefined
  if (jobToken !== undefined) return authenticator.byJobToken(jobToken)
  if (token !== undefined) return authenticator.byToken(token, useOf(endpoint))
  return (await identifyBySession(asked)) ?? anonymous
}

/**
 * Whether the endpoint rotates tokens, for which revoked tokens are treated differently (docs/api/access-tokens.md,
 * "Rotation").
 */
function useOf({ path }: Endpoint): { isRotation: boolean } {
  return { isRotation: path.endsWith('/rotate') }
}

/** Finds the caller by their session cookie. An invalid cookie counts as none, so that an old one does no harm. */
async function identifyBySession({
  request,
  endpoint: { allowsExpiredPassword },
  baseUrl,
  authenticator,
}: CallerRequest): Promise<Actor | undefined> {
  const cookie = findSessionCookie(request.headers, baseUrl)
  if (cookie === undefined || !isCsrfSafeRequest(cookie, request)) return undefined
  return authenticator.bySession(cookie, { ip: request.ip, allowsExpiredPassword })
}

/**
 * Returns the acting user: the caller, or the user that an administrator impersonates with `sudo`. The body has been read,
 * since it may contain either.
 */
export async function resolveActor(
  identified: Actor,
  body: RawParameters,
  asked: CallerRequest,
): Promise<Actor> {
  const { request, endpoint, query, authenticator } = asked
  if (endpoint.signIn === 'ignored') return identified
  const caller = (await identifyByBody(body, asked)) ?? identified
  const sudo = findRequestSudo({}, body) ?? findRequestSudo(request.headers, query)
  if (sudo !== undefined) checkSudo(caller)
  // With `sudo` too, the token must have the scope for the operation.
  checkScope(endpoint, caller)
  if (sudo === undefined) return caller
  const { ip, method, raw } = request
  const use = { ip, method, path: endpoint.path, raw }
  return authenticator.bySudo({ idOrName: sudo, actor: caller, request: use })
}

/** Finds the caller by a token in the body, if the request has no other credential. */
async function identifyByBody(
  body: RawParameters,
  { token, takesJobToken, authenticator, endpoint }: CallerRequest,
): Promise<Actor | undefined> {
  if (token !== undefined) return undefined
  const jobToken = takesJobToken ? findRequestJobToken({}, body) : undefined
  if (jobToken !== undefined) return authenticator.byJobToken(jobToken)
  const inBody = findRequestToken({}, body)
  return inBody === undefined ? undefined : authenticator.byToken(inBody, useOf(endpoint))
}

/** Whether the caller may act as somebody else at all. */
function checkSudo({ user, token }: Actor): void {
  if (!user) throw unauthorized()
  if (!user.is_admin) throw forbidden('Must be admin to use sudo')
  if (!token) {
    throw forbidden('Must be authenticated using an OAuth or personal access token to use sudo')
  }
  if (!token.scopes.includes('sudo')) throw insufficientScope(['sudo'])
}

function checkScope({ scope, method }: Endpoint, { token }: Actor): void {
  if (!token || scope === 'any') return
  const accepted = scope ? [scope, 'api', 'read_api'] : ['api', 'read_api']
  const covers = method === 'GET' ? accepted : ['api']
  if (!token.scopes.some((held) => covers.includes(held))) throw insufficientScope(accepted)
}
