// Pages outside of the API that programs request: raw files, archives, diffs, users' keys and data for `go get`. Access
// is the same as in the API; hidden things do not exist.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, anonymous, type TokenScope } from '../../access/actor.ts'
import { canSeeProject } from '../../access/visibility.ts'
import { listArmoredKeys } from '../../features/people/gpg-keys/armored-keys.ts'
import { listAuthorizedKeysLines } from '../../features/people/ssh-keys/authorized-keys-lines.ts'
import type { Answer } from '../../http/answer.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import type { Authenticator } from '../../http/caller.ts'
import { findRequestToken } from '../../http/credentials.ts'
import type { Instance } from '../../http/endpoint.ts'
import { type RateLimiter, sendTooManyRequests } from '../../http/rate-limit.ts'
import { parseForm, queryStringOf } from '../../http/raw-parameters.ts'
import { redirectLocationOf } from '../../http/redirect.ts'
import { ServedRequest } from '../../http/request-context.ts'
import { findSessionCookie } from '../../http/session-cookie.ts'
import { forbidden, insufficientScope, unknownRoute } from '../../kernel/errors.ts'
import { runAsWork } from '../../kernel/work-attribution.ts'
import {
  findProject,
  findProjectIdByFormerPath,
  findVisibleProject,
  mayDownloadCode,
} from '../../subjects/project.ts'
import { findUserByUsername } from '../../subjects/user.ts'
import { authenticateGit } from '../git-credentials/git-credentials.ts'
import { sendBadge } from './badges.ts'
import type { CodePage, WebPage } from './find-page.ts'
import { sendGoImport } from './go-get.ts'
import { answerCommitPatch, answerMergeRequestPatch } from './patch-pages.ts'
import { answerReleasePage } from './release-pages.ts'
import { answerArchivePage, answerRawPage } from './repository-pages.ts'
import { answerUploadPage } from './upload-pages.ts'
import { answerWikiFilePage } from './wiki-files.ts'

/** Serves a page to callers who may see it. Throws 401, 403 and 404 as the API does. */
export async function serveWebAddress(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & {
    authenticator: Authenticator
    rateLimiter: RateLimiter
  },
  page: WebPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await findCaller(uses, request)
  if (!caller) return challenge(reply)
  // On other pages a job token counts as anonymous, since neither git nor an operation accepts it for these.
  const actor = caller.job && !jobPages.has(page.kind) ? anonymous : caller
  const isFilesApi = page.kind === 'raw'
  const isSignedIn = actor.user !== undefined
  const name = uses.rateLimiter.nameFor({ isSignedIn, isFilesApi })
  const verdict = uses.rateLimiter.count(name, String(actor.user?.id ?? request.ip))
  if (verdict) return sendTooManyRequests(reply, verdict)
  const holder = actor.user ? `user:${actor.user.id}` : `address:${request.ip}`
  return runAsWork({ holder, name: `${request.method} ${page.kind}` }, () =>
    serve(uses, { page, actor, request, reply }),
  )
}

/** The pages that accept a job token: code, as in git, and releases, as in the API. */
const jobPages: ReadonlySet<WebPage['kind']> = new Set([
  'raw',
  'archive',
  'commit',
  'go-get',
  'releases',
])

type Call = { page: WebPage; actor: Actor; request: FastifyRequest; reply: FastifyReply }

async function serve(
  uses: Pick<Instance, 'db' | 'git' | 'clock' | 'config'> & { rateLimiter: RateLimiter },
  call: Call,
): Promise<FastifyReply> {
  const { page, actor, request, reply } = call
  const baseUrl = baseUrlOf(uses.config, request)
  switch (page.kind) {
    case 'keys':
    case 'gpg': {
      const user = await findUserByUsername(uses.db, page.username)
      if (!user) throw unknownRoute()
      const keys =
        page.kind === 'keys'
          ? await listAuthorizedKeysLines(uses.db, user, new URL(baseUrl).host)
          : await listArmoredKeys(uses.db, user)
      return reply.header('content-type', 'text/plain; charset=utf-8').send(keys.join(''))
    }
    case 'badge':
      checkScope(actor, readScopes.archive)
      return sendBadge(uses, { ...page, actor, request, reply })
    case 'upload': {
      checkScope(actor, readScopes.archive)
      const served = servedBy(request, reply)
      return sendAnswer(reply, await answerUploadPage(uses, { page, actor, request: served }))
    }
    case 'wiki-file': {
      checkScope(actor, readScopes.archive)
      const served = servedBy(request, reply)
      return sendAnswer(reply, await answerWikiFilePage(uses, { page, actor, request: served }))
    }
    case 'releases': {
      checkScope(actor, readScopes.archive)
      const asked = { page, actor, request: servedBy(request, reply), baseUrl }
      return sendAnswer(reply, await answerReleasePage(uses, asked))
    }
    case 'go-get':
      return sendGoImport(uses, reply, { actor, path: page.path, baseUrl })
    default:
      return serveCode(uses, { ...call, page, baseUrl })
  }
}

/** The token scopes that may read each kind of page, as for the corresponding API operations. */
const readScopes: Record<CodePage['kind'], readonly TokenScope[]> = {
  raw: ['read_repository', 'api', 'read_api'],
  archive: ['api', 'read_api'],
  commit: ['api', 'read_api'],
  merge_requests: ['api', 'read_api'],
}

const answerCodePage = {
  raw: answerRawPage,
  archive: answerArchivePage,
  commit: answerCommitPatch,
  merge_requests: answerMergeRequestPatch,
}

async function serveCode(
  uses: Pick<Instance, 'db' | 'git' | 'config'> & { rateLimiter: RateLimiter },
  call: Omit<Call, 'page'> & {
    page: CodePage
    baseUrl: string
  },
): Promise<FastifyReply> {
  const { page, actor, request, reply, baseUrl } = call
  checkScope(actor, readScopes[page.kind])
  const found = await findProject(uses.db, actor, { path: page.project })
  if (!found) return redirect(uses, call)
  if (!canSeeProject(actor, found)) throw unknownRoute()
  if (!mayDownloadCode({ subject: found.project, level: found.level, actor })) throw forbidden()
  const served = servedBy(request, reply)
  const { project, level } = found
  const asked = { project, level, rest: page.rest, request: served, actor, baseUrl }
  return sendAnswer(reply, await answerCodePage[page.kind](uses, asked))
}

/** Throws 403 for a token that does not reach so far. */
function checkScope({ token }: Actor, accepted: readonly TokenScope[]): void {
  if (token && !token.scopes.some((scope) => accepted.includes(scope))) {
    throw insufficientScope(accepted)
  }
}

function servedBy(request: FastifyRequest, reply: FastifyReply): ServedRequest {
  return new ServedRequest(request, reply, parseForm(queryStringOf(request.raw.url ?? '')))
}

function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/** Redirects from a former path of a project to its current one, for callers who see the project. */
async function redirect(
  { db }: Pick<Instance, 'db'>,
  {
    page,
    actor,
    request,
    reply,
    baseUrl,
  }: Pick<Call, 'actor' | 'request' | 'reply'> & {
    page: { project: string; kind: string; rest: string[] }
    baseUrl: string
  },
): Promise<FastifyReply> {
  const id = await findProjectIdByFormerPath(db, page.project)
  const moved = id === undefined ? undefined : await findVisibleProject(db, actor, { id })
  if (!moved) throw unknownRoute()
  const rest = page.rest.map(encodeURIComponent).join('/')
  const query = queryStringOf(request.raw.url ?? '')
  const place = `/${moved.project.full_path}/-/${page.kind}/${rest}${query && `?${query}`}`
  return reply
    .code(302)
    .header('location', redirectLocationOf({ base: baseUrl, place }))
    .send()
}

/** By a token as in the API, by name and password as git has it, or by a browser's session. */
async function findCaller(
  uses: Pick<Instance, 'db' | 'clock' | 'config'> & { authenticator: Authenticator },
  request: FastifyRequest,
): Promise<Actor | undefined> {
  const { authenticator, config } = uses
  const token = findRequestToken(request.headers, parseForm(queryStringOf(request.raw.url ?? '')))
  if (token !== undefined) return authenticator.byToken(token)
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const caller = await authenticateGit(uses, { authorization, ip: request.ip })
    return 'kind' in caller ? undefined : caller
  }
  const cookie = findSessionCookie(request.headers, baseUrlOf(config, request))
  if (cookie === undefined) return anonymous
  const session = await authenticator.bySession(cookie, {
    ip: request.ip,
    allowsExpiredPassword: false,
  })
  return session ?? anonymous
}

/** Sends an empty 401, after which `go get` and package managers look for credentials in their own files. */
function challenge(reply: FastifyReply): FastifyReply {
  return reply.code(401).header('WWW-Authenticate', 'Basic realm="GitLab"').send('')
}
