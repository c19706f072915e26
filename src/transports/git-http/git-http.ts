// Git over smart HTTP (gitprotocol-http). Packs are streamed in both directions without being parsed here.

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../access/actor.ts'
import { logFailure } from '../../db/database-away.ts'
import {
  isWikiPath,
  openWikiForGit,
  processWikiPush,
} from '../../features/content/wikis/wiki-git.ts'
import { findGitTargetForDeployToken } from '../../features/repository/deploy-tokens/deploy-token.ts'
import {
  authorizeGitOrCollaborator,
  type GitRefusal,
  type GitService,
  projectNotFoundText,
} from '../../features/repository/pushes/authorize.ts'
import { type PushToSettle, processPush } from '../../features/repository/pushes/process-push.ts'
import { createProjectOnPush } from '../../features/repository/pushes/push-to-create.ts'
import { spawnGit, streamGitOutput } from '../../git/command.ts'
import { refuseIfRemoved, startFetch } from '../../git/fetch-output.ts'
import { areRefsFrozen } from '../../git/freeze-refs.ts'
import { streamKeepAlivesUntil } from '../../git/keep-alive.ts'
import { enforceReadRate } from '../../git/least-rate.ts'
import { estimateFetch_bytes, planFetches } from '../../git/memory-estimate.ts'
import { encodePacket, flushPacket, PacketError, PacketReader } from '../../git/pkt-line.ts'
import { advertiseForPush, type PushRequest, readPushRequest } from '../../git/receive.ts'
import type { Repository } from '../../git/repository.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import { readBodyPrefix } from '../../http/body.ts'
import type { Instance } from '../../http/endpoint.ts'
import { redirectLocationOf } from '../../http/redirect.ts'
import { allowSlowBody } from '../../http/server.ts'
import { readOnlyText } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import { runAsWork } from '../../kernel/work-attribution.ts'
import { findGitTarget } from '../../subjects/git-target.ts'
import { projectRepository } from '../../subjects/project.ts'
import { authenticateGit, type CredentialProblem } from '../git-credentials/git-credentials.ts'

const accessDenied = 'HTTP Basic: Access denied\n'
const tokenWanted =
  "You must use a personal access token with 'read_repository' or 'write_repository' scope for Git over HTTP."
const idle_s_max = 600
/** Requests beyond this name so many references or commits that nobody else asks the same. */
const shared_body_bytes_max = 1024 * 1024
/** After this long without a word, clients and proxies think that a push hangs (receive.keepAlive). */
const keep_alive_ms = 5_000

const path =
  /^\/(?<project>.+?)(?<suffix>\.git)?\/(?<action>info\/refs|git-upload-pack|git-receive-pack)$/

export type GitRoute = { project: string; hasSuffix: boolean; action: 'info/refs' | GitService }

/** Returns the repository and service of a git request (gitprotocol-http) by its URL; undefined for any other request. */
export function findGitRoute(url: string): GitRoute | undefined {
  const match = path.exec(url.split('?', 1)[0] ?? '')
  if (!match?.groups) return undefined
  const { project = '', suffix, action } = match.groups
  try {
    return {
      project: decodeURIComponent(project),
      hasSuffix: suffix !== undefined,
      action: action as GitRoute['action'],
    }
  } catch {
    return undefined
  }
}

/** Serves a fetch or a push. The not-found handler responds to requests with other methods. */
export async function serveGit(
  uses: Instance,
  target: GitRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.method === 'HEAD') return text(reply, 403, 'Forbidden\n')
  const isAdvertisement = target.action === 'info/refs'
  if (request.method !== (isAdvertisement ? 'GET' : 'POST')) {
    reply.callNotFound()
    return reply
  }
  const query = new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? '')
  const service = isAdvertisement ? query.get('service') : target.action
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') {
    return text(reply, 403, "The command you're trying to execute is not allowed.\n")
  }
  if (!target.hasSuffix) return addSuffix(uses, request, reply, target)
  const { authorization } = request.headers
  const caller = await authenticateGit(uses, { authorization, ip: request.ip })
  if ('kind' in caller) return refuseCaller(reply, caller, baseUrlOf(uses.config, request))
  const holder = caller.user ? `user:${caller.user.id}` : `address:${request.ip}`
  return runAsWork({ holder, name: service }, () =>
    serveCaller(uses, { request, reply, target, caller, service }),
  )
}

async function serveCaller(
  uses: Instance,
  asked: {
    request: FastifyRequest
    reply: FastifyReply
    target: GitRoute
    caller: Actor
    service: GitService
  },
): Promise<FastifyReply> {
  const { request, reply, target, caller, service } = asked
  const isAdvertisement = target.action === 'info/refs'
  const reached = await reach(uses, asked)
  if (reached instanceof PushProblem) return text(reply, 422, `${reached.message}\n`)
  if ('reason' in reached) return refuse(reply, caller, reached)
  if (!isAdvertisement && !isGitBody(request, service)) {
    return text(reply, 415, 'Unsupported Media Type\n')
  }
  if (service === 'git-upload-pack') {
    return serveFetch(uses, reached.repository, { isAdvertisement, request, reply })
  }
  reply.header('Cache-Control', noCache)
  if (areRefsFrozen(reached.repository)) return text(reply, 403, `${readOnlyText}\n`)
  return isAdvertisement
    ? sendAdvertisement(reply, reached.repository)
    : receive(uses, reached, request, reply)
}

const noCache = 'no-cache, max-age=0, must-revalidate'

/** Responds to a request of a fetch. The caller's access to the repository has been checked. */
export function serveFetch(
  uses: Pick<Instance, 'git'>,
  repository: Repository,
  {
    isAdvertisement,
    request,
    reply,
  }: { isAdvertisement: boolean; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  reply.header('Cache-Control', noCache)
  return isAdvertisement
    ? advertiseForFetch(uses, repository, request, reply)
    : upload(uses, repository, request, reply)
}

/** The repository of the command, and how a push to it is finished. */
type Reached = {
  repository: Repository
  settle(
    push: Pick<PushToSettle, 'request' | 'reader' | 'baseUrl' | 'signal' | 'onWait'>,
  ): Promise<Buffer>
}

/** Why a project cannot be made by a push to it. */
class PushProblem extends Error {}

async function reach(
  uses: Instance,
  asked: { target: GitRoute; caller: Actor; service: GitService },
): Promise<Reached | GitRefusal | PushProblem> {
  const { caller, service } = asked
  const { project: path, action } = asked.target
  let found = caller.deployToken
    ? await findGitTargetForDeployToken(uses, caller.deployToken, path)
    : await findGitTarget(uses.db, caller, path)
  if (!found && isWikiPath(path)) {
    const wiki = await openWikiForGit(uses, caller, { path, service })
    if ('reason' in wiki) return wiki
    const settle: Reached['settle'] = (push) =>
      processWikiPush(uses, { ...push, caller, owner: wiki.owner, level: wiki.level })
    return { repository: wiki.repository, settle }
  }
  if (!found && action === 'info/refs' && service === 'git-receive-pack') {
    const made = await createProjectOnPush(uses, caller, path)
    if (made && 'problem' in made) return new PushProblem(made.problem)
    found = made
  }
  const refusal = await authorizeGitOrCollaborator(uses.db, { actor: caller, found, service })
  if (refusal || !found) return refusal ?? { reason: 'hidden', text: projectNotFoundText }
  const target = found
  return {
    repository: projectRepository(uses.config, target.project),
    settle: (push) => processPush(uses, { ...push, caller, target, remoteBaseUrl: push.baseUrl }),
  }
}

function text(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(body)
}

function refuseCaller(reply: FastifyReply, problem: CredentialProblem, baseUrl: string) {
  if (problem.kind === 'barred') return text(reply, 403, `${problem.text}\n`)
  if (problem.kind === 'unknown') return challenge(reply)
  const url = `${baseUrl}/-/profile/personal_access_tokens`
  return text(reply, 401, `${accessDenied}${tokenWanted}\nYou can generate one at ${url}\n`)
}

function challenge(reply: FastifyReply): FastifyReply {
  return text(reply.header('WWW-Authenticate', 'Basic realm="GitLab"'), 401, accessDenied)
}

/** Sends a refusal. An anonymous caller is always asked to sign in, which does not reveal what exists. */
function refuse(
  reply: FastifyReply,
  { user, deployToken }: Actor,
  { reason, text: body }: GitRefusal,
) {
  if (!user && !deployToken) return challenge(reply)
  return text(reply, reason === 'hidden' ? 404 : 403, `${body}\n`)
}

function addSuffix(
  { config }: Pick<Instance, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { project, action }: GitRoute,
): FastifyReply {
  const encoded = project.split('/').map(encodeURIComponent).join('/')
  const query = (request.raw.url ?? '').split('?')[1]
  const place = `/${encoded}.git/${action}${query ? `?${query}` : ''}`
  const location = redirectLocationOf({ base: baseUrlOf(config, request), place })
  return reply.code(301).header('location', location).send()
}

function protocolOf(request: FastifyRequest): Record<string, string> {
  const header = request.headers['git-protocol']
  const isSound = typeof header === 'string' && /^[a-z0-9=:.-]{1,200}$/.test(header)
  return isSound ? { GIT_PROTOCOL: header } : {}
}

const encodings = new Set(['identity', 'gzip', 'x-gzip'])

/** Whether the body is what git sends: gitprotocol-http names the type, and the encoding is gzip or none. */
function isGitBody({ headers }: FastifyRequest, service: GitService): boolean {
  return (
    headers['content-type'] === `application/x-${service}-request` &&
    encodings.has(headers['content-encoding'] ?? 'identity')
  )
}

function bodyOf(request: FastifyRequest): Readable {
  const body = (request.body as Readable | undefined) ?? Readable.from([])
  const encoding = request.headers['content-encoding'] ?? 'identity'
  const plain = encoding === 'identity' ? body : pipeline(body, createGunzip(), () => {})
  // Its readers see the error; once nobody reads any more, it must not become an uncaught one.
  plain.on('error', () => {})
  return plain
}

async function advertiseForFetch(
  { git }: Pick<Instance, 'git'>,
  repository: Repository,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const protocol = protocolOf(request)
  const args = ['upload-pack', '--strict', '--http-backend-info-refs', repository.path]
  reply.header('content-type', 'application/x-git-upload-pack-advertisement')
  if (protocol.GIT_PROTOCOL === 'version=2') {
    return reply.send(await git.fetches.capabilities(repository, args))
  }
  const { io } = await spawnGit(git.git, repository, {
    args,
    env: protocol,
  })
  io.end()
  if (/(^|:)version=2(:|$)/.test(protocol.GIT_PROTOCOL ?? '')) return reply.send(io)
  const heading = Buffer.concat([encodePacket('# service=git-upload-pack\n'), flushPacket])
  async function* whole() {
    yield heading
    yield* refuseIfRemoved(repository, streamGitOutput({ io }))
  }
  return reply.send(Readable.from(whole(), { objectMode: false }))
}

async function upload(
  { git }: Pick<Instance, 'git'>,
  repository: Repository,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('content-type', 'application/x-git-upload-pack-result')
  const plan = await planFetches(repository, git.git.memory.most_bytes())
  const command = {
    args: [
      'upload-pack',
      '--strict',
      '--stateless-rpc',
      `--timeout=${idle_s_max}`,
      repository.path,
    ],
    env: { ...protocolOf(request), ...plan.env },
  }
  // A damaged body ends where the damage begins.
  const { head, rest } = await readBodyPrefix(bodyOf(request), shared_body_bytes_max)
  const memory_bytes = estimateFetch_bytes(plan, head)
  const sharedRequest = { ...command, body: head, memory_bytes }
  const isSent = !rest && (await git.fetches.send(repository, sharedRequest, () => takeOver(reply)))
  if (isSent) return reply
  const output = await startFetch(async (onWait) => {
    const program = await spawnGit(git.git, repository, {
      ...command,
      timeout_ms: limits.git_transfer_ms,
      signal: signalOf(reply),
      memory_bytes,
      onWait,
    })
    // A client that goes away must not leave a pack being made for nobody.
    reply.raw.once('close', () => program.io.destroy())
    program.io.write(head)
    // git takes a request that is cut short or damaged for one that ends there, and says so itself.
    if (rest) rest.on('error', () => program.io.end()).pipe(program.io)
    else program.io.end()
    program.exit.catch((error) => request.log.debug({ err: error }, 'git upload-pack failed'))
    return program
  }, head)
  return reply.send(enforceReadRate(refuseIfRemoved(repository, output), limits.least_rate))
}

/** The bare answer, its head written: for who writes to it at a pace of their own. */
function takeOver(reply: FastifyReply): ServerResponse {
  return reply.hijack().raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
}

/** Aborts when the client goes away before it has the whole answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  if (reply.raw.destroyed) controller.abort()
  return controller.signal
}

function sendAdvertisement(reply: FastifyReply, repository: Repository): FastifyReply {
  async function* whole() {
    yield Buffer.concat([encodePacket('# service=git-receive-pack\n'), flushPacket])
    yield* advertiseForPush(repository)
  }
  reply.header('content-type', 'application/x-git-receive-pack-advertisement')
  return reply.send(Readable.from(whole(), { objectMode: false }))
}

async function receive(
  uses: Pick<Instance, 'config'>,
  { settle }: Reached,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  allowSlowBody(request)
  reply.header('content-type', 'application/x-git-receive-pack-result')
  const signal = signalOf(reply)
  const body = bodyOf(request)
  const hasArrived = new Promise((resolve) => body.once('end', resolve).once('close', resolve))
  const reader = new PacketReader(body)
  let push: PushRequest | undefined
  try {
    push = await readPushRequest(reader)
  } catch (error) {
    if (error instanceof PacketError) return text(reply, 400, `${error.message}\n`)
    throw error
  }
  // A lone flush packet asks whether a push would be let in, before a large body is sent.
  if (!push) return reply.send(Buffer.alloc(0))
  const baseUrl = baseUrlOf(uses.config, request)
  const waits = Promise.withResolvers<void>()
  const report = settle({ request: push, reader, baseUrl, signal, onWait: waits.resolve })
  report.catch((error) => {
    if (signal.aborted) request.log.debug({ err: error }, 'push aborted')
    else if (reply.raw.headersSent) logFailure(request.log, error)
  })
  const hasBands = push.capabilities.has('side-band-64k')
  try {
    return reply.send(
      hasBands
        ? await streamKeepAlivesUntil(report, {
            after: hasArrived,
            waits: waits.promise,
            every_ms: keep_alive_ms,
          })
        : await report,
    )
  } catch (error) {
    if (!signal.aborted) throw error
    return reply.send(Buffer.alloc(0))
  }
}
