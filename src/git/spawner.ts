// Starts programs through the helper process; the only file that knows it. See spawn-helper.ts.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExitReport, HelperMessage } from './spawn-helper.ts'

export type SpawnOptions = {
  program: string
  args: string[]
  /** Beside the environment all programs have. */
  env?: Record<string, string>
  /** A file to be made for what it prints; `io` then only leads to its stdin. */
  outputFile?: string
  timeout_ms: number
  /** Beyond this it is ended, where the system tells what a program holds. */
  memory_bytes_max: number
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

export class Spawner {
  readonly #helper: ChildProcess
  readonly #server: Server
  readonly #folder: string
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  /** How many programs were started; tests count with it. */
  spawned = 0
  #isClosing = false

  private constructor(helper: ChildProcess, server: Server, folder: string) {
    this.#helper = helper
    this.#server = server
    this.#folder = folder
    server.on('connection', (socket) => this.#accept(socket))
    helper.on('message', (report: ExitReport) => this.#end(report))
    helper.on('exit', () => this.#lose())
  }

  /**
   * Starts the helper. `environment` is that of every program, `PATH` included; it is told once, not at
   * every start. All programs together hold no more than `memory_bytes_max`. The socket lies in a private
   * folder under the system's temporary one.
   */
  static async start(
    environment: Record<string, string>,
    { memory_bytes_max }: { memory_bytes_max: number },
  ): Promise<Spawner> {
    mkdirSync(tmpdir(), { recursive: true })
    const folder = mkdtempSync(join(tmpdir(), 'bloomery-'))
    const server = createServer({ allowHalfOpen: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(join(folder, 'spawn'), resolve)
    })
    const cache = getCompileCacheDir()
    const script = fileURLToPath(new URL('./spawn-helper.ts', import.meta.url))
    const helper = fork(script, [folder, String(memory_bytes_max)], {
      // The helper finds its compiled source where ours lies, which spares it the compiler.
      env: { ...environment, NODE_COMPILE_CACHE: cache && dirname(cache) },
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    return new Spawner(helper, server, folder)
  }

  /** How many run now; tests see with it whether anything is left behind. */
  get running(): number {
    return this.#pending.size
  }

  spawn(options: SpawnOptions): Spawned {
    const id = this.#nextId++
    this.spawned++
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
    this.#send({ spawn: { id, ...options } })
    return { io: io.promise, exit: exit.promise, kill: () => this.#send({ kill: id }) }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const gone = new Promise((resolve) => this.#helper.once('exit', resolve))
    if (this.#helper.connected) this.#helper.disconnect()
    this.#server.close()
    await gone
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #send(message: HelperMessage): void {
    if (this.#helper.connected) this.#helper.send(message)
    else if ('spawn' in message) {
      const report = { code: null, signal: null, stderr: '', ending: undefined }
      this.#end({ id: message.spawn.id, ...report, failure: 'The spawn helper is not running.' })
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

  /** Without its helper the server can read nothing; it is restarted by whoever runs it. */
  #lose(): void {
    const report = { code: null, signal: null, stderr: '', ending: undefined }
    for (const id of [...this.#pending.keys()]) {
      this.#end({ id, ...report, failure: 'The spawn helper has ended.' })
    }
    if (!this.#isClosing) throw new Error('The spawn helper has ended unexpectedly.')
  }
}
