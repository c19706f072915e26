// Addresses outside of the API that begin with the path of a project or group. Each kind recognizes its own; all others
// are pages of the web interface, or not found.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import type { Instance } from '../../http/endpoint.ts'
import {
  forwardedFactsOf,
  type RepositoryAddress,
  type RequestForwarder,
} from '../../http/forwarding.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import { redirectLocationOf } from '../../http/redirect.ts'
import {
  RepositoryElsewhereError,
  runWithRepositoryAccess,
} from '../../kernel/repository-elsewhere.ts'
import { serveAlerts } from '../alerts/alerts.ts'
import { findAlertAddress } from '../alerts/find-address.ts'
import { findGitRoute, type GitRoute, serveGit } from '../git-http/git-http.ts'
import { findLfsRoute, serveLfs } from '../lfs/lfs.ts'
import { findJobApiPath } from '../web/find-job-api-path.ts'
import { findWebPage, type WebPage } from '../web/find-page.ts'
import { isPageRequest, sendShell } from '../web/shell.ts'
import { serveWebAddress } from '../web/web.ts'

type Uses = Instance & {
  authenticator: Authenticator
  rateLimiter: RateLimiter
  /** Where repositories may be on the disks of other servers. */
  forwarder?: RequestForwarder
}

/** Serves git over HTTP with LFS, the URLs for alerts, the bytes of jobs, and the pages. */
export function mountAddresses(app: FastifyInstance, services: Uses): void {
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT'],
    url: '/*',
    exposeHeadRoute: false,
    handler: (request, reply) => serve(services, request, reply),
  })
}

async function serve(services: Uses, request: FastifyRequest, reply: FastifyReply) {
  const { method } = request
  const url = request.raw.url ?? ''
  const isRead = method === 'GET' || method === 'HEAD'
  const lfs = findLfsRoute(url, method)
  if (lfs) return serveLfs(services, lfs, request, reply)
  const alerts = method === 'POST' ? findAlertAddress(url) : undefined
  if (alerts) return serveAlerts(services, alerts, request, reply)
  const page = isRead ? findWebPage(url) : undefined
  const isOfApplication = page?.kind === 'releases' && page.hasPage && isPageRequest(request)
  if (page && !isOfApplication) {
    if (await isForwarded(services, request, reply, addressOfPage(page))) return reply
    return serveWebAddress(services, page, request, reply)
  }
  const bytes = method === 'GET' ? findJobApiPath(url) : undefined
  if (bytes) {
    const location = redirectLocationOf({ base: baseUrlOf(services.config, request), place: bytes })
    return reply.code(302).header('location', location).send()
  }
  // A file in a repository may be called `info/refs`, so pages come first.
  const git = findGitRoute(url)
  if (git) {
    if (await isForwarded(services, request, reply, addressOfGit(git.project))) return reply
    return serveGitWhereItBelongs(services, git, request, reply)
  }
  // There are no feeds; who subscribes to one is not to be sent a page.
  const isFeed = /[?&]format=atom(?:&|$)|\.atom(?:\?|$)/.test(url)
  if (isPageRequest(request) && !isFeed) return sendShell(request, reply)
  return reply.callNotFound()
}

/** Serves git; a push that makes a project goes to the server whose disk it is to be on. */
async function serveGitWhereItBelongs(
  services: Uses,
  route: GitRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { forwarder } = services
  const task = () => serveGit(services, route, request, reply)
  if (!forwarder) return task()
  const isForwarded = forwardedFactsOf(request) !== undefined
  try {
    return await runWithRepositoryAccess({ isForwarded }, task)
  } catch (error) {
    if (!(error instanceof RepositoryElsewhereError) || request.method !== 'GET') throw error
    const wanted = { storage: error.storage, body: Buffer.alloc(0) }
    if (await forwarder.forwardToStorage(request, reply, wanted)) return reply
    throw error
  }
}

/** Sends the request to the server that has the repository, where that is another one. */
async function isForwarded(
  { forwarder }: Uses,
  request: FastifyRequest,
  reply: FastifyReply,
  address: RepositoryAddress | undefined,
): Promise<boolean> {
  if (!forwarder || !address || forwardedFactsOf(request)) return false
  return forwarder.forwardByAddress(request, reply, address)
}

/** The repository of a fetch or a push; the path of a wiki's ends in `.wiki`. */
function addressOfGit(path: string): RepositoryAddress {
  const isWiki = path.toLowerCase().endsWith('.wiki')
  const kind = 'project'
  return { kind, by: { paths: [isWiki ? path.slice(0, -'.wiki'.length) : path] }, isWiki }
}

/** The repository that a page reads; undefined for one that reads none. */
function addressOfPage(page: WebPage): RepositoryAddress | undefined {
  switch (page.kind) {
    case 'raw':
    case 'archive':
    case 'commit':
    case 'merge_requests':
    case 'badge':
    case 'releases':
      return { kind: 'project', by: { paths: [page.project] }, isWiki: false }
    case 'go-get':
      return { kind: 'project', by: { paths: pathsAlong(page.path) }, isWiki: false }
    default:
      return undefined
  }
}

/** Returns all project paths that the path of a package may begin with. */
function pathsAlong(parts: readonly string[]): string[] {
  return parts.slice(0, package_parts_max).map((_part, at) => parts.slice(0, at + 1).join('/'))
}

const package_parts_max = 30
