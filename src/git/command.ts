// The only place that runs git. Callers pass a constant subcommand and typed parts; user input reaches argv only as
// Revision, RefName or path, each behind the mark that ends options.
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { KeyCounts } from '../kernel/key-counts.ts'
import { limits } from '../kernel/limits.ts'
import { currentWorkHolder, markWorkResumed, serverHolder } from '../kernel/work-attribution.ts'
import { GitError, gitErrorOf } from './errors.ts'
import {
  acquireWithReminders,
  classifyGitCommand,
  type GitCommandKind,
  type GitLimiter,
} from './git-limiter.ts'
import type { GitMemoryLimiter } from './git-memory-limiter.ts'
import { hideRefsValues } from './hidden-refs.ts'
import type { Repository } from './repository.ts'
import type { ExitReport } from './spawn-helper.ts'
import type { SpawnedProgram, Spawner } from './spawner.ts'

/** Settings of every git command. */
const config: [string, string][] = [
  ['core.fsync', 'objects,derived-metadata,reference'],
  ['core.fsyncMethod', 'fsync'],
  ['core.useReplaceRefs', 'false'],
  ['core.filesRefLockTimeout', '1000'],
  ['core.packedRefsTimeout', '10000'],
  ['core.bigFileThreshold', '50m'],
  ['core.deltaBaseCacheLimit', '32m'],
  ['core.alternateRefsCommand', 'exit 0 #'],
  ['core.quotePath', 'false'],
  ['commitGraph.changedPathsVersion', '1'],
  ['fetch.writeCommitGraph', 'false'],
  ['fsck.badTimezone', 'ignore'],
  ['fsck.missingSpaceBeforeDate', 'ignore'],
  ['fsck.zeroPaddedFilemode', 'ignore'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['pack.deltaCacheSize', '32m'],
  ['pack.windowMemory', '64m'],
  ['pack.threads', '2'],
  ['pack.writeReverseIndex', 'true'],
  ['repack.writeBitmaps', 'true'],
  ['safe.directory', '*'],
  ['transfer.fsckObjects', 'true'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  // Clients can then be told why they wait before git has anything to send (gitprotocol-v2, `sideband-all`).
  ['uploadpack.allowSidebandAll', 'true'],
  ['uploadpack.advertiseBundleURIs', 'false'],
  ...hideRefsValues.map((prefix): [string, string] => ['transfer.hideRefs', prefix]),
]

/** The environment of every git process. It hides the configuration of the machine and the user. */
export const gitEnvironment: Record<string, string> = {
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_COUNT: String(config.length),
}
for (const [index, [key, value]] of config.entries()) {
  gitEnvironment[`GIT_CONFIG_KEY_${index}`] = key
  gitEnvironment[`GIT_CONFIG_VALUE_${index}`] = value
}

/** Returns environment variables with further git settings, which do not show in process lists. */
export function gitConfigEnvironment(more: readonly [string, string][]): Record<string, string> {
  const settings = more.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${config.length + index}`, key],
    [`GIT_CONFIG_VALUE_${config.length + index}`, value],
  ])
  return {
    GIT_CONFIG_COUNT: String(config.length + more.length),
    ...Object.fromEntries(settings),
  }
}

export type GitCommand = {
  /** Subcommand and flags, all constants of ours. */
  args: string[]
  env?: Record<string, string>
  /** A file to be made for what git prints, which then is not read from `io`. */
  outputFile?: string
  timeout_ms?: number
  /** A status beside 0 with which git says that the answer is another one. */
  otherStatus?: number
  signal?: AbortSignal
  /** The memory it is expected to need (memory-estimate.ts). It starts when the machine has that much available. */
  memory_bytes?: number
  /** Called when the program has to wait for its start, after a second and again from time to time. */
  onWait?: () => void
}

/** A running git. `io` is its stdin and stdout; `exit` rejects with GitError if git fails. */
export type GitProcess = { io: Socket; exit: Promise<void>; kill: () => void }

/** A program that was stopped because of its memory use, for the log. */
export type MemoryKillReport = {
  subcommand: string
  repository: string | undefined
  held_bytes: number | undefined
  /** Whether the machine had run out of memory, and not only this program had more than its share. */
  isMachineShort: boolean
}

export type Git = {
  readonly spawner: Spawner
  readonly turns: GitLimiter
  readonly memory: GitMemoryLimiter
  readonly onEndedForMemory: (ended: MemoryKillReport) => void
  /** Called when a repository stays without a bitmap because making one needs more memory than the machine has. */
  readonly onNoBitmap: (skipped: { repository: string; needed_bytes: number }) => void
}

/** How many programs and readers of this process use a repository, by its path. */
const atWork = new KeyCounts()

/** Whether this process runs any work on the repository. */
export function isRepositoryInUse({ path }: Repository): boolean {
  return atWork.of(path) > 0
}

/** Runs `read`, which reads files of the repository without a program, and counts it as work on the repository. */
export async function withRepositoryInUse<T>(
  { path }: Repository,
  read: () => Promise<T>,
): Promise<T> {
  atWork.add(path)
  try {
    return await read()
  } finally {
    atWork.remove(path)
  }
}

/** Starts git when it is the caller's turn, which ends with it. Throws what `FairLimiter.acquire` throws. */
async function begin(
  git: Git,
  repository: Repository | undefined,
  command: GitCommand,
): Promise<SpawnedProgram> {
  const kind = classifyGitCommand(command.args)
  const endTurns = await takeTurns(git, kind, command)
  const where = repository ? [`--git-dir=${repository.path}`] : []
  const spawned = git.spawner.spawn({
    program: 'git',
    args: [...where, ...command.args],
    env: command.env,
    outputFile: command.outputFile,
    timeout_ms: command.timeout_ms ?? limits.git_timeout_ms,
    memory_bytes_max: boundedKinds.has(git.turns.held ?? kind)
      ? git.memory.answerMax_bytes()
      : Number.MAX_SAFE_INTEGER,
    rank: rankOf(currentWorkHolder()),
    isNice: patientKinds.has(kind),
  })
  if (repository) {
    atWork.add(repository.path)
    spawned.exit.then(() => atWork.remove(repository.path))
  }
  spawned.exit.then(({ ending, held_bytes }) => {
    endTurns()
    if (ending !== 'memory' && ending !== 'machine') return
    const isMachineShort = ending === 'machine'
    const [subcommand = ''] = command.args
    git.onEndedForMemory({ subcommand, repository: repository?.path, held_bytes, isMachineShort })
  })
  const kill = () => spawned.kill()
  if (command.signal?.aborted) kill()
  command.signal?.addEventListener('abort', kill, { once: true })
  spawned.exit.then(() => command.signal?.removeEventListener('abort', kill))
  return spawned
}

/** Waits for the turn and the memory that the command needs; the returned function gives both back. */
function takeTurns(git: Git, kind: GitCommandKind, command: GitCommand): Promise<() => void> {
  const { signal, memory_bytes = 0, onWait } = command
  return acquireWithReminders(async () => {
    const endTurn = await git.turns.take(kind, signal)
    try {
      const giveBack = await git.memory.reserve(memory_bytes, signal)
      return () => {
        giveBack()
        endTurn()
      }
    } catch (error) {
      endTurn()
      throw error
    }
  }, onWait)
}

/** Programs that run for long; they give way to the server and to programs that somebody waits for. */
const patientKinds: ReadonlySet<GitCommandKind> = new Set([
  'fetch',
  'push',
  'archive',
  'search',
  'upkeep',
])

/** Kinds of programs that only read. A hostile repository gets no more memory than this for them. */
const boundedKinds: ReadonlySet<GitCommandKind> = new Set(['read', 'search', 'archive', 'kept'])

/** Programs of anonymous callers are ended before those of users, and the server's own last. */
function rankOf(holder: string): number {
  if (holder === serverHolder) return 2
  return holder.startsWith('address:') ? 0 : 1
}

/** Starts git and gives its stdin and stdout as one duplex stream. */
export async function spawnGit(
  git: Git,
  repository: Repository,
  command: GitCommand,
): Promise<GitProcess> {
  const spawned = await begin(git, repository, command)
  const name = command.args[0] ?? ''
  const exit = spawned.exit.then((report) => {
    if (!isExpected(report, command)) throw gitErrorOf(name, report)
  })
  // Callers may await it. If they do not, a failure must not become an unhandled rejection.
  exit.catch(() => {})
  try {
    const io = await spawned.io
    markWorkResumed()
    io.on('error', () => {})
    return { io, exit, kill: () => spawned.kill() }
  } catch {
    throw gitErrorOf(name, await spawned.exit)
  }
}

/**
 * Runs git to its end and returns its output. Throws GitError on an unexpected exit status, after the time limit, and for
 * more than `limits.git_output_bytes` of output.
 */
export async function runGit(
  git: Git,
  repository: Repository | undefined,
  command: GitCommand & {
    stdin?: string | Buffer | Readable
    output_bytes_max?: number
  },
): Promise<Buffer> {
  const name = command.args[0] ?? ''
  const spawned = await begin(git, repository, command)
  const most = command.output_bytes_max ?? limits.git_output_bytes
  let output: Buffer | undefined
  try {
    output = await converse(await spawned.io, command.stdin, most)
  } catch (error) {
    spawned.kill()
    if (error instanceof GitError) throw error
  }
  const report = await spawned.exit
  markWorkResumed()
  if (!isExpected(report, command) || output === undefined) throw gitErrorOf(name, report)
  return output
}

function isExpected({ code }: ExitReport, { otherStatus = 0 }: GitCommand): boolean {
  return code === 0 || code === otherStatus
}

async function converse(
  io: Socket,
  stdin: string | Buffer | Readable | undefined,
  output_bytes_max: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const output = new Promise<void>((resolve, reject) => {
    io.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > output_bytes_max) {
        io.destroy()
        reject(new GitError('too-large', 'git printed more than its limit.'))
      } else chunks.push(chunk)
    })
    io.on('end', resolve)
    // A program that ends without reading its stdin resets the socket. Its exit status shows whether it failed.
    io.on('error', () => resolve())
    io.on('close', () => resolve())
  })
  // After git has ended, even an empty write fails, and discards the output that was not read yet.
  if (stdin === undefined || stdin === '') io.end()
  else if (typeof stdin === 'string' || Buffer.isBuffer(stdin)) io.end(stdin)
  else {
    // A program that has printed everything no longer reads its input, whose source may never end.
    await Promise.race([pipeline(stdin, io, { end: true }).catch(() => {}), output])
  }
  await output
  io.destroy()
  return Buffer.concat(chunks)
}

/**
 * Streams the output of git. A program that exits without reading all of its input resets the socket; its output ends
 * there, and any error is in that output.
 */
export async function* streamGitOutput({ io }: Pick<GitProcess, 'io'>): AsyncGenerator<Buffer> {
  try {
    yield* io
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}

/** Runs git for its exit status: returns true for 0 and false for 1. */
export async function runGitCheck(
  git: Git,
  repository: Repository,
  command: GitCommand,
): Promise<boolean> {
  const spawned = await begin(git, repository, command)
  const io = await spawned.io.catch(() => undefined)
  io?.on('error', () => {})
    .resume()
    .end()
  const report = await spawned.exit
  io?.destroy()
  if (report.code === 0) return true
  if (report.code === 1) return false
  throw gitErrorOf(command.args[0] ?? '', report)
}
