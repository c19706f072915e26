// The LFS server of each project: `/<full path>.git/info/lfs/...`, and its objects at `/<full
// path>.git/gitlab-lfs/objects/...`. access.ts authenticates and authorizes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOf } from '../../http/base-url.ts'
import { ApiError } from '../../kernel/errors.ts'
import { authenticateLfs, findLfsTarget } from './access.ts'
import type { LfsRequestContext } from './call.ts'
import { serveCreateLock, serveDeleteLock, serveListLocks, serveVerifyLocks } from './locks.ts'
import { serveBatch, serveDownload, serveUpload } from './objects.ts'
import { lfsRefusals, sendLfsAuthChallenge, sendLfsError } from './reply.ts'

type Handler = (call: LfsRequestContext, parameters: string[]) => Promise<FastifyReply>

const oldApi: Handler = async ({ reply, baseUrl }) =>
  sendLfsError(reply, lfsRefusals.oldApi, baseUrl)

const routes: { method: string; path: RegExp; handler: Handler }[] = [
  { method: 'POST', path: /^info\/lfs\/objects\/batch$/, handler: serveBatch },
  { method: 'POST', path: /^info\/lfs\/objects$/, handler: oldApi },
  { method: 'GET', path: /^info\/lfs\/objects\/[^/]+$/, handler: oldApi },
  { method: 'PUT', path: /^gitlab-lfs\/objects\/([^/]+)\/([^/]+)$/, handler: serveUpload },
  { method: 'GET', path: /^gitlab-lfs\/objects\/([^/]+)$/, handler: serveDownload },
  { method: 'GET', path: /^info\/lfs\/locks$/, handler: serveListLocks },
  { method: 'POST', path: /^info\/lfs\/locks$/, handler: serveCreateLock },
  { method: 'POST', path: /^info\/lfs\/locks\/verify$/, handler: serveVerifyLocks },
  { method: 'POST', path: /^info\/lfs\/locks\/(\d{1,15})\/unlock$/, handler: serveDeleteLock },
]

const pattern = /^\/(?<project>.+?)\.git\/(?<rest>(?:info\/lfs|gitlab-lfs)\/.*)/

/** The LFS endpoint that a request addresses. */
export type LfsRoute = { project: string; handler: Handler; parameters: string[] }

export function findLfsRoute(url: string, method: string): LfsRoute | undefined {
  const { project = '', rest = '' } = pattern.exec(url.split('?', 1)[0] ?? '')?.groups ?? {}
  for (const route of routes) {
    const isAsked = route.method === method || (route.method === 'GET' && method === 'HEAD')
    const match = isAsked && route.path.exec(rest)
    if (!match) continue
    try {
      return {
        project: decodeURIComponent(project),
        handler: route.handler,
        parameters: match.slice(1),
      }
    } catch {
      return undefined
    }
  }
  return undefined
}

/** Finds the caller and the project, then calls the handler, which checks access. */
export async function serveLfs(
  services: LfsRequestContext['services'],
  { project, handler, parameters }: LfsRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const baseUrl = baseUrlOf(services.config, request)
  const { authorization } = request.headers
  const caller = await authenticateLfs(services, { authorization, ip: request.ip })
  if ('kind' in caller) {
    if (caller.kind === 'unknown') return sendLfsAuthChallenge(reply, baseUrl)
    if (caller.kind === 'token-wanted') return sendLfsError(reply, lfsRefusals.tokenWanted, baseUrl)
    return sendLfsError(reply, { status: 403, message: caller.text }, baseUrl)
  }
  const target = await findLfsTarget(services, caller, project)
  reply.header('Cache-Control', 'no-cache, max-age=0, must-revalidate')
  try {
    return await handler({ services, caller, target, baseUrl, request, reply }, parameters)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    reply.headers(error.headers)
    return sendLfsError(reply, { status: error.status, message: error.message }, baseUrl)
  }
}
