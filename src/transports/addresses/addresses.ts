// Addresses outside the API, which begin with the path of a project or a group. Each kind of address recognizes its own;
// what none of them knows is the application of the pages, or not found.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import type { Instance } from '../../http/endpoint.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import { redirectLocationOf } from '../../http/redirect.ts'
import { serveAlerts } from '../alerts/alerts.ts'
import { findAlertAddress } from '../alerts/find-address.ts'
import { findGitRoute, serveGit } from '../git-http/git-http.ts'
import { findLfsRoute, serveLfs } from '../lfs/lfs.ts'
import { findJobApiPath } from '../web/find-job-api-path.ts'
import { findWebPage } from '../web/find-page.ts'
import { isPageRequest, sendShell } from '../web/shell.ts'
import { serveWebAddress } from '../web/web.ts'

type Uses = Instance & { authenticator: Authenticator; rateLimiter: RateLimiter }

/** Serves git over HTTP with LFS, the addresses that take alerts, bytes of jobs, and the pages. */
export function mountAddresses(app: FastifyInstance, services: Uses): void {
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT'],
    url: '/*',
    exposeHeadRoute: false,
    handler: (request, reply) => serve(services, request, reply),
  })
}

function serve(services: Uses, request: FastifyRequest, reply: FastifyReply) {
  const { method } = request
  const url = request.raw.url ?? ''
  const isRead = method === 'GET' || method === 'HEAD'
  const lfs = findLfsRoute(url, method)
  if (lfs) return serveLfs(services, lfs, request, reply)
  const alerts = method === 'POST' ? findAlertAddress(url) : undefined
  if (alerts) return serveAlerts(services, alerts, request, reply)
  const page = isRead ? findWebPage(url) : undefined
  const isOfApplication = page?.kind === 'releases' && page.hasPage && isPageRequest(request)
  if (page && !isOfApplication) return serveWebAddress(services, page, request, reply)
  const bytes = method === 'GET' ? findJobApiPath(url) : undefined
  if (bytes) {
    const location = redirectLocationOf({ base: baseUrlOf(services.config, request), place: bytes })
    return reply.code(302).header('location', location).send()
  }
  // A file in a repository may be called `info/refs`, so pages come first.
  const git = findGitRoute(url)
  if (git) return serveGit(services, git, request, reply)
  // There are no feeds; who subscribes to one is not to be sent a page.
  const isFeed = /[?&]format=atom(?:&|$)|\.atom(?:\?|$)/.test(url)
  if (isPageRequest(request) && !isFeed) return sendShell(request, reply)
  return reply.callNotFound()
}
