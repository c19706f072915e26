// Starts programs through the helper process (spawn-helper.ts); the only file that knows it.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { monotonic_ms } from '../kernel/clock.ts'
import { limits } from '../kernel/limits.ts'
import { readProcessMemory_bytes, readProcessTreeMemory_bytes } from './machine-memory.ts'
import { killOrphanedPrograms, orphanMarkEnvironment } from './orphans.ts'
import type { ExitReport, HelperMessage, MemoryRules, SpawnRequest } from './spawn-helper.ts'

export type SpawnOptions = {
  program: string
  args: string[]
  /** Beside the environment all programs have. */
  env?: Record<string, string>
  /** A file to be made for what it prints; `io` then only leads to its stdin. */
  outputFile?: string
  timeout_ms: number
  /** Beyond this the program is ended, where the system reports what it holds. */
  memory_bytes_max: number
  /** Programs with a lower rank are ended first when the machine runs out of memory. */
  rank: number
  /** Whether the program gives way to the server where both want the processor. */
  isNice: boolean
}

/** A started program. `io` is its stdin and stdout; ending `io` closes its stdin. */
export type SpawnedProgram = {
  io: Promise<Socket>
  /** Resolves when the program has ended; never rejects. */
  exit: Promise<ExitReport>
  kill(): void
}

type Pending = {
  connected: (socket: Socket) => void
  failed: (error: Error) => void
  ended: (report: ExitReport) => void
  isConnected: boolean
  hasEnded: boolean
}

export type SpawnerOptions = {
  /** That of every program, `PATH` included; the helper is given it once, not at every start. */
  environment: Record<string, string>
  /** They bound what programs hold in memory. */
  rules: MemoryRules
  /** Called when the helper died, with all that it had started; the next program starts another one. */
  onLost: () => void
  /** How long nothing runs before the helper ends. The next program then waits for a new one, about 60 ms. */
  idle_ms?: number
}

/** The error for a program that was not started because its arguments are too long. */
export const argumentsTooLongText = 'The arguments or the environment are too long.'

/** The error for programs whose spawn helper died, and for those that were to start while there was none. */
export const helperEndedText = 'The spawn helper has ended.'
export const noHelperText = 'The spawn helper is not running.'

/** A helper process, and the server that it connects programs to. */
type Helper = { process: ChildProcess; server: Server; folder: string }

export class Spawner {
  readonly #environment: Record<string, string>
  readonly #rules: MemoryRules
  readonly #onLost: () => void
  readonly #idle_ms: number
  #helper: Helper | undefined
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  /** How many programs were started; tests count with it. */
  spawned = 0
  #isClosing = false
  /** No helper is started before, after one that died before it did anything. */
  #notBefore_ms = 0
  #retirement: NodeJS.Timeout | undefined

  constructor(options: SpawnerOptions) {
    this.#environment = options.environment
    this.#rules = options.rules
    this.#onLost = options.onLost
    this.#idle_ms = options.idle_ms ?? usualIdle_ms
  }

  /** The private folder of the helper's socket, below the system's temporary one; undefined while no helper runs. */
  get folder(): string | undefined {
    return this.#helper?.folder
  }

  /** The helper that runs, or a new one; undefined while there can be none. Throws where its socket cannot be made. */
  #findHelper(): ChildProcess | undefined {
    if (this.#helper) return this.#helper.process
    if (this.#isClosing || monotonic_ms() < this.#notBefore_ms) return undefined
    return this.#startHelper()
  }

  #startHelper(): ChildProcess {
    mkdirSync(tmpdir(), { recursive: true })
    const folder = mkdtempSync(join(tmpdir(), 'bloomery-'))
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket))
    // If it cannot listen, programs cannot connect, and fail with an error.
    server.on('error', () => {})
    server.listen(join(folder, 'spawn'))
    const cache = getCompileCacheDir()
    const script = fileURLToPath(new URL('./spawn-helper.ts', import.meta.url))
    const helper = fork(script, [folder, JSON.stringify(this.#rules)], {
      // The helper uses the same compile cache as the server, so its source is not compiled again.
      env: {
        ...this.#environment,
        ...orphanMarkEnvironment(folder),
        NODE_COMPILE_CACHE: cache && dirname(cache),
      },
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#helper = { process: helper, server, folder }
    let hasWorked = false
    const lose = () => {
      if (this.#helper?.process !== helper) return
      this.#forgetHelper()
      this.#failAll()
      if (this.#isClosing) return
      killOrphanedPrograms(folder)
      this.#onLost()
      if (!hasWorked) this.#notBefore_ms = monotonic_ms() + restart_ms
    }
    helper.on('message', (report: ExitReport) => {
      hasWorked = true
      this.#end(report)
    })
    helper.on('exit', lose)
    // A helper that could not be started has no id and no exit; one that just died takes no message.
    helper.on('error', () => helper.pid === undefined && lose())
    return helper
  }

  #forgetHelper(): void {
    if (!this.#helper) return
    const { server, folder } = this.#helper
    this.#helper = undefined
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }

  /** Ends a helper that nothing was asked of for long: it holds as much memory as Node itself. */
  #retire(): void {
    if (this.#pending.size > 0) return
    const helper = this.#helper?.process
    this.#forgetHelper()
    if (helper?.connected) helper.disconnect()
  }

  /** How many run now; tests see with it whether anything is left behind. */
  get running(): number {
    return this.#pending.size
  }

  /** What all running programs hold in memory, in bytes. */
  heldMemory_bytes(): number {
    const pid = this.#helper?.process.pid
    if (pid === undefined) return 0
    return readProcessTreeMemory_bytes(pid) - readProcessMemory_bytes(pid)
  }

  /** Starts a program, unless it is given more than `limits.git_command`. */
  spawn(options: SpawnOptions): SpawnedProgram {
    const id = this.#nextId++
    const io = Promise.withResolvers<Socket>()
    const exit = Promise.withResolvers<ExitReport>()
    io.promise.catch(() => {})
    this.#pending.set(id, {
      connected: io.resolve,
      failed: io.reject,
      ended: exit.resolve,
      isConnected: false,
      hasEnded: false,
    })
    if (isTooLong(options)) this.#end({ ...nothing, id, failure: argumentsTooLongText })
    else {
      this.spawned++
      this.#start({ id, ...options })
    }
    const kill = () => {
      const helper = this.#helper?.process
      if (helper?.connected) helper.send({ kill: id } satisfies HelperMessage)
    }
    return { io: io.promise, exit: exit.promise, kill }
  }

  #start(request: SpawnRequest): void {
    try {
      const helper = this.#findHelper()
      if (helper?.connected) helper.send({ spawn: request } satisfies HelperMessage)
      else this.#end({ ...nothing, id: request.id, failure: noHelperText })
    } catch (error) {
      this.#end({ ...nothing, id: request.id, failure: (error as Error).message })
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#retirement)
    const helper = this.#helper?.process
    if (!helper) return
    const gone = new Promise((resolve) => helper.once('exit', resolve))
    if (helper.connected) helper.disconnect()
    await gone
  }

  /** Reads the line with the request's id, byte by byte of the first chunk, then hands over. */
  #accept(socket: Socket): void {
    let head: Buffer = Buffer.alloc(0)
    const read = () => {
      for (;;) {
        const chunk: Buffer | null = socket.read()
        if (chunk === null) return
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const end = head.indexOf(10)
        if (end < 0) continue
        socket.off('readable', read)
        socket.off('error', ignore)
        const rest = head.subarray(end + 1)
        if (rest.length > 0) socket.unshift(rest)
        this.#connect(Number(head.subarray(0, end).toString()), socket)
        return
      }
    }
    const ignore = () => socket.destroy()
    socket.on('error', ignore)
    socket.on('readable', read)
  }

  #connect(id: number, socket: Socket): void {
    const pending = this.#pending.get(id)
    if (!pending) return void socket.destroy()
    pending.isConnected = true
    if (pending.hasEnded) this.#forget(id)
    pending.connected(socket)
  }

  /** The report may overtake the connection, whose other end then holds all that was printed. */
  #end(report: ExitReport): void {
    const pending = this.#pending.get(report.id)
    if (!pending) return
    pending.hasEnded = true
    if (pending.isConnected || report.failure) this.#forget(report.id)
    if (report.failure) pending.failed(new Error(report.failure))
    pending.ended(report)
  }

  #forget(id: number): void {
    this.#pending.delete(id)
    if (this.#pending.size > 0) return
    clearTimeout(this.#retirement)
    this.#retirement = setTimeout(() => this.#retire(), this.#idle_ms).unref()
  }

  #failAll(): void {
    for (const id of [...this.#pending.keys()]) {
      this.#end({ ...nothing, id, failure: helperEndedText })
    }
  }
}

/** The report on a program whose helper died. */
const nothing = { code: null, signal: null, stderr: '', ending: undefined }

/** The delay before the next helper is started if one died without doing any work. */
const restart_ms = 1000
const usualIdle_ms = 5 * 60_000

/** Whether the program is given more arguments or environment than a command may have. */
function isTooLong({ args, env }: SpawnOptions): boolean {
  const { arguments_max, argument_bytes_max, arguments_bytes_max, environment_bytes_max } =
    limits.git_command
  if (args.length > arguments_max) return true
  let bytes = 0
  for (const arg of args) {
    const length = Buffer.byteLength(arg)
    if (length > argument_bytes_max) return true
    bytes += length + 1
  }
  let environment_bytes = 0
  for (const [name, value] of Object.entries(env ?? {})) {
    environment_bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + 2
  }
  return bytes > arguments_bytes_max || environment_bytes > environment_bytes_max
}
