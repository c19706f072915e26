// Runs one command of an SSH client: resolves the project, checks access, and starts git.

import type { FastifyBaseLogger } from 'fastify'
import { logFailure } from '../../db/database-away.ts'
import {
  isWikiPath,
  openWikiForGit,
  processWikiPush,
} from '../../features/content/wikis/wiki-git.ts'
import { ensureMembershipsExpired } from '../../features/people/members/member.tasks.ts'
import {
  reloadSshKeyHolderRecordingUse,
  type SshKeyHolder,
} from '../../features/people/ssh-keys/ssh-key.ts'
import { findGitTargetForDeployKey } from '../../features/repository/deploy-keys/deploy-grant.ts'
import { createLfsAuthentication } from '../../features/repository/lfs/lfs-token.ts'
import {
  authorizeGitOrCollaborator,
  projectNotFoundText,
} from '../../features/repository/pushes/authorize.ts'
import { type PushToSettle, processPush } from '../../features/repository/pushes/process-push.ts'
import { createProjectOnPush } from '../../features/repository/pushes/push-to-create.ts'
import { spawnGit } from '../../git/command.ts'
import { GitError } from '../../git/errors.ts'
import { fetchProblemText, refuseIfRemoved } from '../../git/fetch-output.ts'
import { areRefsFrozen } from '../../git/freeze-refs.ts'
import { pushFailedText, streamKeepAlivesUntil, waitingForTurnText } from '../../git/keep-alive.ts'
import { enforceReadRate } from '../../git/least-rate.ts'
import { planFetches } from '../../git/memory-estimate.ts'
import { encodePacket, flushPacket, PacketError, PacketReader } from '../../git/pkt-line.ts'
import { advertiseForPush, readPushRequest } from '../../git/receive.ts'
import type { Repository } from '../../git/repository.ts'
import { sshBaseUrl } from '../../http/base-url.ts'
import { sshGreetingText } from '../../http/brand.ts'
import type { Instance } from '../../http/endpoint.ts'
import { ApiError, readOnlyText } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'
import { RepositoryElsewhereError } from '../../kernel/repository-elsewhere.ts'
import { runAsWork } from '../../kernel/work-attribution.ts'
import { findGitTarget, type GitTarget } from '../../subjects/git-target.ts'
import { projectRepository } from '../../subjects/project.ts'
import { accountProblemTexts } from '../../subjects/user.ts'
import { runAccountCommand } from './account-commands.ts'
import type { CommandIo } from './command-io.ts'
import { FetchMemoryReservation } from './fetch-memory.ts'
import { line_characters_max, parseCommand, type SshCommand } from './parse-command.ts'

/** See kernel/limits.ts. Tests set shorter ones. */
export type SshLimits = { [name in keyof typeof limits.ssh]: number }

export type CommandContext = {
  io: CommandIo
  keyId: number
  /** The command as the client sent it; undefined where it asked for a shell. */
  line: string | undefined
  /** What the client set GIT_PROTOCOL to, if it is sound. */
  protocol: string | undefined
  /** Public base URL of the web pages. */
  baseUrl: string
  limits: SshLimits
  /** Calls the command off after so long without a byte in either direction. */
  stallAfter: (stall_ms: number) => void
  log: FastifyBaseLogger
  /** Has the server with the disk of a storage run the command; undefined where there are no others. */
  forward?: ForwardCommand
}

/** Runs a command on another server. Resolves to its exit status. */
export type ForwardCommand = (
  storage: string,
  context: Omit<CommandContext, 'forward'>,
) => Promise<number>

/** Exit statuses: those of the real product's own refusals, and of git when it dies. */
const refused = 1
const died = 128

/** After this long without a word, clients think that a push hangs (receive.keepAlive). */
const keep_alive_ms = 5_000

const elsewhereText =
  'The server that stores the repository cannot be reached. Please try again later.'
const busyText = 'The server is busy. Please try again later.'

/** Whether too much is under way, and nothing of this has begun. */
function isBusy(error: unknown): boolean {
  return error instanceof ApiError && ['too-many-requests', 'unavailable'].includes(error.kind)
}

/** Runs a command to its end and returns its exit status. Rejects if the client disconnects. */
export async function runCommand(uses: Instance, context: CommandContext): Promise<number> {
  const { io, line } = context
  await ensureMembershipsExpired(uses)
  const holder = await reloadSshKeyHolderRecordingUse(uses.db, uses.clock, context.keyId)
  if (!holder) return refuse(io, 'Your SSH key has expired or was deleted.')
  if (holder.problem) return refuse(io, accountProblemTexts[holder.problem])
  if (line === undefined) {
    await io.write(Buffer.from(`${sshGreetingText(holder.actor.user?.username)}\n`))
    return 0
  }
  const answer = await runAccountCommand(uses, {
    actor: holder.actor,
    line: line.slice(0, line_characters_max),
    ask: (question) => askClient(io, question),
  })
  if (answer && 'refusal' in answer) return refuse(io, answer.refusal)
  if (answer) {
    await io.write(Buffer.from(answer.text))
    return 0
  }
  const command = parseCommand(line)
  if (!command) return refuse(io, "The command you're trying to execute is not allowed.")
  if (command.name === 'git-lfs-authenticate') {
    return authenticateForLfs(uses, context, holder, command)
  }
  const { user } = holder.actor
  const account = user ? `user:${user.id}` : `key:${holder.key.id}`
  return runAsWork({ holder: account, name: command.name }, () =>
    serveGit(uses, context, holder, command),
  ).catch((error) => {
    if (error instanceof RepositoryElsewhereError) {
      return context.forward?.(error.storage, context) ?? refuse(io, elsewhereText)
    }
    if (isBusy(error)) return refuse(io, busyText)
    throw error
  })
}

const reply_bytes_max = 64

/** The first line a client sends after a question, without its end; empty for one that is too long. */
async function askClient(io: CommandIo, question: string): Promise<string> {
  await io.write(Buffer.from(question))
  let said = Buffer.alloc(0)
  for await (const chunk of io.chunks()) {
    said = Buffer.concat([said, chunk])
    if (said.includes(10) || said.length > reply_bytes_max) break
  }
  if (said.length > reply_bytes_max) return ''
  return (said.toString('utf8').split('\n', 1)[0] ?? '').trim()
}

/** Prints where the project's LFS server is and how to sign in there, for half an hour. */
async function authenticateForLfs(
  uses: Pick<Instance, 'db' | 'clock' | 'secretKey'>,
  { io, baseUrl }: CommandContext,
  holder: SshKeyHolder,
  { path, operation }: Extract<SshCommand, { name: 'git-lfs-authenticate' }>,
): Promise<number> {
  const target = await findTarget(uses, holder, path)
  const service = operation === 'upload' ? 'git-receive-pack' : 'git-upload-pack'
  const refusal = await authorizeGitOrCollaborator(uses.db, {
    actor: holder.actor,
    found: target,
    service,
  })
  if (refusal || !target) return refuse(io, refusal?.text ?? projectNotFoundText)
  const authentication = createLfsAuthentication(uses, {
    holder: holder.actor,
    project: target.project,
    operation,
    baseUrl,
  })
  await io.write(Buffer.from(`${JSON.stringify(authentication)}\n`))
  return 0
}

function findTarget(
  uses: Pick<Instance, 'db' | 'clock'>,
  { key, actor }: SshKeyHolder,
  path: string,
): Promise<GitTarget | undefined> {
  return key.user_id === null
    ? findGitTargetForDeployKey(uses, key, path)
    : findGitTarget(uses.db, actor, path)
}

/** Before anything else is sent, so that git shows it (docs/api/git-access.md, "SSH"). */
function refuse(io: CommandIo, text: string): number {
  const row = '='.repeat(72)
  const lines = ['', row, '', ...`ERROR: ${text}`.split('\n'), '', row, '']
  io.warn(lines.map((line) => `remote: ${line}`.trimEnd().concat('\n')).join(''))
  return refused
}

type GitCommand = Extract<SshCommand, { name: `git-${'upload' | 'receive'}-${string}` }>

async function serveGit(
  uses: Instance,
  context: CommandContext,
  holder: SshKeyHolder,
  command: GitCommand,
): Promise<number> {
  const { actor } = holder
  // An archive is a way of fetching.
  const service = command.name === 'git-receive-pack' ? command.name : 'git-upload-pack'
  let target = await findTarget(uses, holder, command.path)
  if (!target && isWikiPath(command.path)) {
    const wiki = await openWikiForGit(uses, actor, { path: command.path, service })
    if ('reason' in wiki) return refuse(context.io, wiki.text)
    const { owner, level, repository } = wiki
    const settle: Settle = (push) => processWikiPush(uses, { ...push, caller: actor, owner, level })
    return runService(uses, context, { command, repository, settle })
  }
  if (!target && command.name === 'git-receive-pack') {
    const made = await createProjectOnPush(uses, actor, command.path)
    if (made && 'problem' in made) return refuse(context.io, made.problem)
    target = made
  }
  const refusal = await authorizeGitOrCollaborator(uses.db, { actor, found: target, service })
  if (refusal || !target) return refuse(context.io, refusal?.text ?? projectNotFoundText)
  const repository = projectRepository(uses.config, target.project)
  // Its maker answers for what a deploy key pushes, so the rules of branches ask about the maker.
  const pusher = target.grant?.maker ?? { actor, level: target.level }
  const pushed = { ...target, level: pusher.level }
  const remoteBaseUrl = sshBaseUrl(context.baseUrl, uses.config.sshPort)
  const settle: Settle = (push) =>
    processPush(uses, { ...push, caller: pusher.actor, target: pushed, remoteBaseUrl })
  return runService(uses, context, { command, repository, settle })
}

type Settle = (
  push: Pick<PushToSettle, 'request' | 'reader' | 'baseUrl' | 'signal' | 'onWait'>,
) => Promise<Buffer>

/** Runs what was asked for in a repository the caller may do it in. */
async function runService(
  uses: Pick<Instance, 'git'>,
  context: CommandContext,
  { command, repository, settle }: { command: GitCommand; repository: Repository; settle: Settle },
): Promise<number> {
  if (command.name === 'git-receive-pack') {
    if (areRefsFrozen(repository)) return refuse(context.io, readOnlyText)
    return receive(context, { repository, settle })
  }
  if (command.name === 'git-upload-archive') {
    // Read before git is started, so that a client that asks for nothing takes no place.
    const request = await readArchiveRequest(context)
    if (request instanceof PacketError) return refuse(context.io, request.message)
    const args = ['upload-archive', repository.path]
    return runProgram(uses, context, { repository, args, request })
  }
  // git's own `--timeout` would count the time for which its client has to wait for memory.
  const { wait_ms, stall_ms } = context.limits
  context.stallAfter(Math.min(wait_ms, stall_ms))
  const args = ['upload-pack', '--strict', repository.path]
  return runProgram(uses, context, { repository, args })
}

/** The arguments of git-upload-archive(1), as the client sent them, to their flush packet. */
async function readArchiveRequest({ io, limits }: CommandContext): Promise<Buffer | PacketError> {
  const reader = new PacketReader(io.chunks())
  const packets: Buffer[] = []
  try {
    for (;;) {
      const line = await reader.next()
      if (line === undefined || line === 'flush') return Buffer.concat([...packets, flushPacket])
      packets.push(encodePacket(line))
      if (reader.read_bytes > limits.archive_request_bytes) {
        throw new PacketError('The request is too long.')
      }
    }
  } catch (error) {
    if (error instanceof PacketError) return error
    throw error
  }
}

/** Lets git itself talk with the client, whose whole `request` may be known already. */
async function runProgram(
  { git }: Pick<Instance, 'git'>,
  { io, protocol, log }: CommandContext,
  { repository, args, request }: { repository: Repository; args: string[]; request?: Buffer },
): Promise<number> {
  const onWait = () => io.warn(`remote: ${waitingForTurnText}`)
  const plan = await planFetches(repository, git.git.memory.most_bytes())
  const program = await spawnGit(git.git, repository, {
    args,
    env: { ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }), ...plan.env },
    timeout_ms: limits.git_transfer_ms,
    signal: io.signal,
    onWait,
  })
  const memory = new FetchMemoryReservation({ git: git.git, plan, signal: io.signal, onWait })
  // Without its other end git has nobody to work for, and ends.
  const hangUp = () => program.io.destroy()
  io.signal.addEventListener('abort', hangUp, { once: true })
  let refusal: unknown
  try {
    // It ends with the channel; what goes wrong with it the program's end tells.
    if (request) program.io.end(request)
    else {
      io.feed(program.io, (chunk) => memory.prepare(chunk)).catch((error) => {
        refusal = isBusy(error) ? error : undefined
        program.io.destroy()
      })
    }
    // Ending without having read everything resets its stream; its status tells what that means.
    const output = enforceReadRate(refuseIfRemoved(repository, program.io), limits.least_rate)
    await io.writeAll(output).catch(() => io.signal.throwIfAborted())
    await program.exit
    return 0
  } catch (error) {
    io.signal.throwIfAborted()
    if (refusal) throw refusal
    if (error instanceof GitError && error.kind !== 'timeout') {
      log.debug({ err: error, stderr: error.stderr, subcommand: args[0] }, 'git failed')
      const text = fetchProblemText(error)
      if (text !== undefined) io.warn(`remote: ${text}`)
      return died
    }
    throw error
  } finally {
    io.signal.removeEventListener('abort', hangUp)
    memory.end()
    program.io.destroy()
  }
}

async function receive(
  context: CommandContext,
  { repository, settle }: { repository: Repository; settle: Settle },
): Promise<number> {
  const { io, baseUrl, log } = context
  await io.writeAll(advertiseForPush(repository))
  const reader = new PacketReader(io.chunks())
  const request = await readPushRequest(reader).catch((error) => {
    if (error instanceof PacketError) return error
    throw error
  })
  if (request instanceof PacketError) return refuse(io, request.message)
  // Nothing to push, or only asked whether it may.
  if (!request) return 0
  const { signal } = io
  const onWait = () => io.warn(`remote: ${waitingForTurnText}`)
  const report = settle({ request, reader, baseUrl, signal, onWait })
  report.catch((error) => {
    if (!signal.aborted && !isBusy(error)) logFailure(log, error)
  })
  const hasBands = request.capabilities.has('side-band-64k')
  try {
    const answer = hasBands
      ? await streamKeepAlivesUntil(report, { after: Promise.resolve(), every_ms: keep_alive_ms })
      : await report
    if (Buffer.isBuffer(answer)) await io.write(answer)
    else await io.writeAll(answer)
    return 0
  } catch (error) {
    signal.throwIfAborted()
    if (isBusy(error)) throw error
    io.warn(pushFailedText)
    return died
  }
}
