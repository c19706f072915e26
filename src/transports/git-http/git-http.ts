// Git over smart HTTP (gitprotocol-http). Packs stream through in both directions; nothing here knows
// what they hold.
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../access/actor.ts'
import { type Project, projectRepository, projectUrl } from '../../features/projects/project.ts'
import { listRules } from '../../features/protected-branches/protected-branch.ts'
import {
  authorizeGitAccess,
  type GitRefusal,
  type GitService,
  hiddenText,
} from '../../features/pushes/authorize.ts'
import { checkPush, pushedBranches } from '../../features/pushes/check-push.ts'
import { type PushServices, preparePush } from '../../features/pushes/push.ts'
import { openGit } from '../../git/command.ts'
import { flushPacket, PacketError, PacketReader, packet } from '../../git/pkt-line.ts'
import {
  advertiseForPush,
  formatReport,
  type PushRequest,
  readPushRequest,
  receivePush,
} from '../../git/receive.ts'
import type { Repository } from '../../git/repository.ts'
import { baseUrlOf } from '../../http/base-url.ts'
import { refusalPrefix } from '../../http/brand.ts'
import { findTarget } from '../find-target.ts'
import type { LfsServices } from '../lfs/call.ts'
import { findLfsTarget, serveLfs } from '../lfs/lfs.ts'
import { authenticateGit } from './credentials.ts'
import { keepAlive } from './keep-alive.ts'

const accessDenied = 'HTTP Basic: Access denied\n'
const transfer_ms_max = 24 * 60 * 60_000
const idle_s_max = 600
/** After this long without a word, clients and proxies think that a push hangs (receive.keepAlive). */
const keep_alive_ms = 5_000

const path =
  /^\/(?<project>.+?)(?<suffix>\.git)?\/(?<action>info\/refs|git-upload-pack|git-receive-pack)$/

type Target = { project: string; hasSuffix: boolean; action: 'info/refs' | GitService }

function parsePath(url: string): Target | undefined {
  const match = path.exec(url.split('?', 1)[0] ?? '')
  if (!match?.groups) return undefined
  const { project = '', suffix, action } = match.groups
  try {
    return {
      project: decodeURIComponent(project),
      hasSuffix: suffix !== undefined,
      action: action as Target['action'],
    }
  } catch {
    return undefined
  }
}

/** Serves `/<full path>.git/...`, LFS included; every other path is left to the not-found handler. */
export function mountGitHttp(app: FastifyInstance, services: PushServices & LfsServices): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.route({
    method: ['GET', 'POST', 'PUT'],
    url: '/*',
    exposeHeadRoute: false,
    handler(request, reply) {
      const lfs = findLfsTarget(request.raw.url ?? '', request.method)
      return lfs ? serveLfs(services, lfs, request, reply) : serve(services, request, reply)
    },
  })
  app.head('/*', async (request, reply) => {
    const lfs = findLfsTarget(request.raw.url ?? '', 'HEAD')
    if (lfs) return serveLfs(services, lfs, request, reply)
    if (parsePath(request.raw.url ?? '')) return text(reply, 403, 'Forbidden\n')
    return reply.callNotFound()
  })
}

async function serve(
  services: PushServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const target = parsePath(request.raw.url ?? '')
  const isAdvertisement = target?.action === 'info/refs'
  const method = isAdvertisement ? 'GET' : 'POST'
  if (!target || request.method !== method) {
    reply.callNotFound()
    return reply
  }
  const query = new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? '')
  const service = isAdvertisement ? query.get('service') : target.action
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') {
    return text(reply, 403, "The command you're trying to execute is not allowed.\n")
  }
  if (!target.hasSuffix) return addSuffix(services, request, reply, target)
  const caller = await authenticateGit(services.db, services.clock, request.headers.authorization)
  if ('kind' in caller) {
    return caller.kind === 'barred' ? text(reply, 403, `${caller.text}\n`) : challenge(reply)
  }
  const found = await findTarget(services.db, caller, target.project)
  const refusal = authorizeGitAccess(caller, found, service)
  if (refusal || !found) {
    return refuse(reply, caller, refusal ?? { reason: 'hidden', text: hiddenText })
  }
  if (!isAdvertisement && !isGitBody(request, service)) {
    return text(reply, 415, 'Unsupported Media Type\n')
  }
  const access = { ...found, caller, repository: projectRepository(services.config, found.project) }
  reply.header('Cache-Control', 'no-cache, max-age=0, must-revalidate')
  if (service === 'git-upload-pack') {
    return isAdvertisement
      ? advertiseForFetch(services, access.repository, request, reply)
      : upload(services, access.repository, request, reply)
  }
  return isAdvertisement
    ? sendAdvertisement(reply, access.repository)
    : receive(services, access, request, reply)
}

function text(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(body)
}

function challenge(reply: FastifyReply): FastifyReply {
  return text(reply.header('WWW-Authenticate', 'Basic realm="GitLab"'), 401, accessDenied)
}

/** An anonymous caller is always asked to sign in, so nobody learns what exists. */
function refuse(reply: FastifyReply, { user }: Actor, { reason, text: body }: GitRefusal) {
  if (!user) return challenge(reply)
  return text(reply, reason === 'hidden' ? 404 : 403, `${body}\n`)
}

function addSuffix(
  { config }: PushServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { project, action }: Target,
): FastifyReply {
  const encoded = project.split('/').map(encodeURIComponent).join('/')
  const query = (request.raw.url ?? '').split('?')[1]
  const location = `${baseUrlOf(config, request)}/${encoded}.git/${action}${query ? `?${query}` : ''}`
  return reply.code(301).header('location', location).send()
}

/** What a pusher reads who still uses a former path (behaviour, section 6.1). */
function movedMessages({ project, formerPath }: Access, baseUrl: string): string[] {
  if (formerPath === undefined) return []
  return [
    '',
    `Project '${formerPath}' was moved to '${project.full_path}'.`,
    '',
    'Please update your Git remote:',
    '',
    `  git remote set-url origin ${projectUrl(baseUrl, project)}.git`,
    '',
  ]
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
  { git }: PushServices,
  repository: Repository,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const protocol = protocolOf(request)
  const { io } = await openGit(git.git, repository, {
    args: ['upload-pack', '--strict', '--http-backend-info-refs', repository.path],
    env: protocol,
  })
  io.end()
  reply.header('content-type', 'application/x-git-upload-pack-advertisement')
  if (/(^|:)version=2(:|$)/.test(protocol.GIT_PROTOCOL ?? '')) return reply.send(io)
  const heading = Buffer.concat([packet('# service=git-upload-pack\n'), flushPacket])
  async function* whole() {
    yield heading
    yield* io
  }
  return reply.send(Readable.from(whole(), { objectMode: false }))
}

async function upload(
  { git }: PushServices,
  repository: Repository,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { io, exit } = await openGit(git.git, repository, {
    args: [
      'upload-pack',
      '--strict',
      '--stateless-rpc',
      `--timeout=${idle_s_max}`,
      repository.path,
    ],
    env: protocolOf(request),
    timeout_ms: transfer_ms_max,
    signal: signalOf(reply),
  })
  // A client that goes away must not leave a pack being made for nobody.
  reply.raw.once('close', () => io.destroy())
  const body = bodyOf(request)
  // git takes a request that is cut short or damaged for one that ends there, and says so itself.
  body.on('error', () => io.end())
  body.pipe(io)
  exit.catch((error) => request.log.debug({ err: error }, 'upload-pack'))
  return reply.header('content-type', 'application/x-git-upload-pack-result').send(io)
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
  const body = Buffer.concat([
    packet('# service=git-receive-pack\n'),
    flushPacket,
    advertiseForPush(repository),
  ])
  return reply.header('content-type', 'application/x-git-receive-pack-advertisement').send(body)
}

type Access = {
  project: Project
  level: number
  caller: Actor
  repository: Repository
  /** The path the client used, where it is not the project's any more. */
  formerPath: string | undefined
}

async function receive(
  services: PushServices,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
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
  const baseUrl = baseUrlOf(services.config, request)
  const report = settle(services, access, { push, reader, baseUrl, signal })
  report.catch((error) => {
    if (signal.aborted) request.log.debug({ err: error }, 'push called off')
    else if (reply.raw.headersSent) request.log.error({ err: error }, 'fault')
  })
  const hasBands = push.capabilities.has('side-band-64k')
  try {
    return reply.send(
      hasBands
        ? await keepAlive(report, { after: hasArrived, every_ms: keep_alive_ms })
        : await report,
    )
  } catch (error) {
    if (!signal.aborted) throw error
    return reply.send(Buffer.alloc(0))
  }
}

async function settle(
  services: PushServices,
  access: Access,
  push: { push: PushRequest; reader: PacketReader; baseUrl: string; signal: AbortSignal },
): Promise<Buffer> {
  const { db, git } = services
  const { project, level, caller, repository } = access
  const { push: request, reader, baseUrl, signal } = push
  const { updates } = request
  const result = await receivePush(git.git, repository, {
    request,
    reader,
    signal,
    decision: {
      async check(quarantine, { attributes }) {
        const refusal = await checkPush({
          db,
          git: git.git,
          repository,
          project,
          caller: { actor: caller, level },
          rules: await listRules(db, project.id, caller),
          updates,
          quarantine,
          attributes,
          membersUrl: `${projectUrl(baseUrl, project)}/-/project_members`,
        })
        return refusal && `${refusalPrefix}${refusal}`
      },
      prepare: () => preparePush(services, project, { branches: pushedBranches(updates) }),
    },
  })
  if (result.accepted.length > 0) result.messages.push(...movedMessages(access, baseUrl))
  return formatReport(request, result)
}
