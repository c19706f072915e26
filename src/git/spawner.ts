// Starts programs through the helper process; the only file that knows it. See spawn-helper.ts.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits } from '../kernel/limits.ts'
import { readHeldMemory_bytes, readOwnMemory_bytes } from './machine-memory.ts'
import { killOrphans, markOf } from './orphans.ts'
import type { ExitReport, HelperMessage, MemoryRules } from './spawn-helper.ts'

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

/** A started program: `io` is its stdin and stdout; ending `io` closes its stdin. */
export type Spawned = {
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
  /** Called when the helper died, with all that it had started; the next one is on its way. */
  onLost: () => void
}

/** The failure of a program that was not started because it was given too much. */
export const tooLongText = 'The arguments or the environment are too long.'

export class Spawner {
  readonly #environment: Record<string, string>
  readonly #rules: MemoryRules
  readonly #onLost: () => void
  readonly #server: Server
  /** Where the socket is that helpers connect to. */
  readonly folder: string
  #helper: ChildProcess | undefined
  #helpers = 0
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  /** How many programs were started; tests count with it. */
  spawned = 0
  #isClosing = false

  private constructor(options: SpawnerOptions, server: Server, folder: string) {
    this.#environment = options.environment
    this.#rules = options.rules
    this.#onLost = options.onLost
    this.#server = server
    this.folder = folder
    server.on('connection', (socket) => this.#accept(socket))
    this.#startHelper()
  }

  /** Starts the helper. The socket is in a private folder under the system's temporary one. */
  static async start(options: SpawnerOptions): Promise<Spawner> {
    mkdirSync(tmpdir(), { recursive: true })
    const folder = mkdtempSync(join(tmpdir(), 'bloomery-'))
    const server = createServer({ allowHalfOpen: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(join(folder, 'spawn'), resolve)
    })
    return new Spawner(options, server, folder)
  }

  #startHelper(): void {
    const cache = getCompileCacheDir()
    const script = fileURLToPath(new URL('./spawn-helper.ts', import.meta.url))
    const mark = `${this.folder}/${++this.#helpers}`
    const helper = fork(script, [this.folder, JSON.stringify(this.#rules)], {
      // The helper finds its compiled source where ours lies, which spares it the compiler.
      env: {
        ...this.#environment,
        ...markOf(mark),
        NODE_COMPILE_CACHE: cache && dirname(cache),
      },
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#helper = helper
    let hasWorked = false
    const lose = () => {
      if (this.#helper !== helper) return
      this.#helper = undefined
      this.#failAll()
      if (this.#isClosing) return
      killOrphans(mark)
      this.#onLost()
      if (hasWorked) this.#startHelper()
      else setTimeout(() => this.#isClosing || this.#startHelper(), restart_ms).unref()
    }
    helper.on('message', (report: ExitReport) => {
      hasWorked = true
      this.#end(report)
    })
    helper.on('exit', lose)
    // A helper that could not be started has no id and no exit; one that just died takes no message.
    helper.on('error', () => helper.pid === undefined && lose())
  }

  /** How many run now; tests see with it whether anything is left behind. */
  get running(): number {
    return this.#pending.size
  }

  /** What all running programs hold in memory, in bytes. */
  heldMemory_bytes(): number {
    const pid = this.#helper?.pid
    if (pid === undefined) return 0
    return readHeldMemory_bytes(pid) - readOwnMemory_bytes(pid)
  }

  /** Starts a program, unless it is given more than `limits.git_command`. */
  spawn(options: SpawnOptions): Spawned {
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
    if (isTooLong(options)) this.#end({ ...nothing, id, failure: tooLongText })
    else {
      this.spawned++
      this.#send({ spawn: { id, ...options } })
    }
    return { io: io.promise, exit: exit.promise, kill: () => this.#send({ kill: id }) }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const helper = this.#helper
    if (helper) {
      const gone = new Promise((resolve) => helper.once('exit', resolve))
      if (helper.connected) helper.disconnect()
      await gone
    }
    this.#server.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #send(message: HelperMessage): void {
    if (this.#helper?.connected) this.#helper.send(message)
    else if ('spawn' in message) {
      this.#end({ ...nothing, id: message.spawn.id, failure: 'The spawn helper is not running.' })
    }
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
    if (pending.hasEnded) this.#pending.delete(id)
    pending.connected(socket)
  }

  /** The report may overtake the connection, whose other end then holds all that was printed. */
  #end(report: ExitReport): void {
    const pending = this.#pending.get(report.id)
    if (!pending) return
    pending.hasEnded = true
    if (pending.isConnected || report.failure) this.#pending.delete(report.id)
    if (report.failure) pending.failed(new Error(report.failure))
    pending.ended(report)
  }

  #failAll(): void {
    for (const id of [...this.#pending.keys()]) {
      this.#end({ ...nothing, id, failure: 'The spawn helper has ended.' })
    }
  }
}

/** What is known of a program that nobody reports about. */
const nothing = { code: null, signal: null, stderr: '', ending: undefined }

/** How long after a helper that died before it did anything the next one is started. */
const restart_ms = 1000

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
