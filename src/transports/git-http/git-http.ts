// Git over smart HTTP (gitprotocol-http). Packs stream through in both directions; nothing here knows
// what they hold.
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../access/actor.ts'
import {
  findProject,
  findRedirect,
  type Project,
  projectRepository,
  projectUrl,
} from '../../features/projects/project.ts'
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
import { authenticateGit } from './credentials.ts'

const accessDenied = 'HTTP Basic: Access denied\n'
const transfer_ms_max = 24 * 60 * 60_000
const idle_s_max = 600

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

/** Serves `/<full path>.git/...`; every other path is left to the not-found handler. */
export function mountGitHttp(app: FastifyInstance, services: PushServices): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    exposeHeadRoute: false,
    handler: (request, reply) => serve(services, request, reply),
  })
  app.head('/*', async (request, reply) => {
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
  if (!target || isAdvertisement !== (request.method === 'GET')) {
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
  const found = await findTarget(services, caller, target.project)
  const refusal = authorizeGitAccess(caller, found, service)
  if (refusal || !found) {
    return refuse(reply, caller, refusal ?? { reason: 'hidden', text: hiddenText })
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

/** By its path, or by one it had before: git commands go on working after a rename. */
async function findTarget({ db }: PushServices, actor: Actor, fullPath: string) {
  const found = await findProject(db, actor, { path: fullPath })
  if (found) return found
  const movedTo = await findRedirect(db, fullPath)
  return movedTo === undefined ? undefined : findProject(db, actor, { id: movedTo })
}

function protocolOf(request: FastifyRequest): Record<string, string> {
  const header = request.headers['git-protocol']
  const isSound = typeof header === 'string' && /^[a-z0-9=:.-]{1,200}$/.test(header)
  return isSound ? { GIT_PROTOCOL: header } : {}
}

function bodyOf(request: FastifyRequest): Readable {
  const body = (request.body as Readable | undefined) ?? Readable.from([])
  if (request.headers['content-encoding'] !== 'gzip') return body
  const plain = createGunzip()
  body.on('error', (error) => plain.destroy(error))
  return body.pipe(plain)
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
  if (/version=2/.test(protocol.GIT_PROTOCOL ?? '')) return reply.send(io)
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
  const { io, exit, kill } = await openGit(git.git, repository, {
    args: [
      'upload-pack',
      '--strict',
      '--stateless-rpc',
      `--timeout=${idle_s_max}`,
      repository.path,
    ],
    env: protocolOf(request),
    timeout_ms: transfer_ms_max,
  })
  // A client that goes away must not leave a pack being made for nobody.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) kill()
    io.destroy()
  })
  const body = bodyOf(request)
  body.on('error', () => kill())
  body.pipe(io)
  exit.catch((error) => request.log.debug({ err: error }, 'upload-pack'))
  return reply.header('content-type', 'application/x-git-upload-pack-result').send(io)
}

function sendAdvertisement(reply: FastifyReply, repository: Repository): FastifyReply {
  const body = Buffer.concat([
    packet('# service=git-receive-pack\n'),
    flushPacket,
    advertiseForPush(repository),
  ])
  return reply.header('content-type', 'application/x-git-receive-pack-advertisement').send(body)
}

type Access = { project: Project; level: number; caller: Actor; repository: Repository }

async function receive(
  services: PushServices,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('content-type', 'application/x-git-receive-pack-result')
  const reader = new PacketReader(bodyOf(request))
  let push: PushRequest | undefined
  try {
    push = await readPushRequest(reader)
  } catch (error) {
    if (error instanceof PacketError) return text(reply, 400, `${error.message}\n`)
    throw error
  }
  // A lone flush packet asks whether a push would be let in, before a large body is sent.
  if (!push) return reply.send(Buffer.alloc(0))
  return reply.send(
    await settle(services, access, { push, reader, baseUrl: baseUrlOf(services.config, request) }),
  )
}

async function settle(
  services: PushServices,
  { project, level, caller, repository }: Access,
  { push, reader, baseUrl }: { push: PushRequest; reader: PacketReader; baseUrl: string },
): Promise<Buffer> {
  const { db, git } = services
  const result = await receivePush(git.git, repository, {
    request: push,
    reader,
    decision: {
      async check(quarantine) {
        const refusal = await checkPush({
          git: git.git,
          repository,
          project,
          caller: { actor: caller, level },
          rules: await listRules(db, project.id, caller),
          updates: push.updates,
          quarantine,
          membersUrl: `${projectUrl(baseUrl, project)}/-/project_members`,
        })
        return refusal && `${refusalPrefix}${refusal}`
      },
      prepare: () => preparePush(services, project, { branches: pushedBranches(push.updates) }),
    },
  })
  return formatReport(push, result)
}
