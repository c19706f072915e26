// The process that forks, so that the server never does: forking holds a large process's main thread
// for milliseconds. It starts a program with one end of a unix socket as stdin and stdout; the server
// holds the other end, so no byte passes through here; or a file as stdout. Exit status and stderr go back over IPC.
// Whatever becomes of the server, no program outlives it for long.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'

export type SpawnRequest = {
  id: number
  program: string
  args: string[]
  /** Beside the helper's own environment, which the server chose. */
  env?: Record<string, string>
  /** A file to be made for what it prints, which then does not come back through its socket. */
  outputFile?: string
  timeout_ms: number
  memory_bytes_max: number
}
export type HelperMessage = { spawn: SpawnRequest } | { kill: number }
export type ExitReport = {
  id: number
  code: number | null
  signal: string | null
  stderr: string
  /** Why it was ended from here, if it was. */
  ending?: 'timeout' | 'memory'
  /** Set when the program could not be started at all. */
  failure?: string
}

const stderr_bytes_max = 64 * 1024
/** How long a program has to clean up after SIGTERM; longer while the server is there to wait. */
const grace_ms = 5000
const orphan_grace_ms = 2000

/** Where the socket lies that the server listens on; its connections become stdin and stdout. */
const folder = process.argv[2] ?? ''

/** What all programs together may hold in memory. */
const together_bytes_max = Number(process.argv[3])

type Running = {
  child: ChildProcess
  memory_bytes_max: number
  ending: ExitReport['ending']
}
const running = new Map<number, Running>()
/** Asked for but not started yet, and whether it has been called off in the meantime. */
const starting = new Map<number, { isCancelled: boolean }>()

function start(request: SpawnRequest): void {
  const { id } = request
  const state = { isCancelled: false }
  starting.set(id, state)
  const socket = createConnection({ path: join(folder, 'spawn'), allowHalfOpen: true })
  socket.on('error', (error) => {
    starting.delete(id)
    report({ id, failure: error.message })
  })
  // The line tells the server which request this connection belongs to.
  socket.write(`${id}\n`, () => {
    starting.delete(id)
    socket.removeAllListeners('error')
    socket.on('error', () => {})
    if (process.connected && !state.isCancelled) begin(request, socket)
    else report({ id, signal: 'SIGTERM' })
    socket.destroy()
  })
}

type Connection = ReturnType<typeof createConnection>

function begin(request: SpawnRequest, socket: Connection): void {
  const { id, outputFile } = request
  let file: number | undefined
  try {
    if (outputFile !== undefined) file = openSync(outputFile, 'wx', 0o600)
    // It throws where the arguments are longer than the system takes.
    run(request, socket, file ?? socket)
  } catch (error) {
    report({ id, failure: (error as Error).message })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function run(
  { id, program, args, env, timeout_ms, memory_bytes_max }: SpawnRequest,
  stdin: Connection,
  stdout: Connection | number,
): void {
  // A group of its own, so that what git starts in turn can be ended with it, and a terminal's ctrl-c
  // does not cut short what the server still waits for.
  const child = spawn(program, args, {
    env: env ? { ...process.env, ...env } : process.env,
    stdio: [stdin, stdout, 'pipe'],
    detached: true,
  })
  const state: Running = { child, memory_bytes_max, ending: undefined }
  running.set(id, state)
  watchMemory()
  let stderr = ''
  const timer = setTimeout(() => {
    state.ending = 'timeout'
    stop(child)
  }, timeout_ms)
  const end = (part: Partial<ExitReport>) => {
    clearTimeout(timer)
    running.delete(id)
    report({ id, ...part })
    if (!process.connected && running.size === 0) process.exit(0)
  }
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < stderr_bytes_max) stderr += text.slice(0, stderr_bytes_max)
  })
  child.on('error', (error) => end({ failure: error.message }))
  child.on('close', (code, signal) => end({ code, signal, stderr, ending: state.ending }))
}

function report(part: Partial<ExitReport> & { id: number }): void {
  if (!process.connected) return
  const whole = { code: null, signal: null, stderr: '', ...part }
  // The server may go away at any moment; 'disconnect' tells us, an error here adds nothing.
  process.send?.(whole, undefined, undefined, () => {})
}

/** SIGTERM lets git remove its lock files; what ignores it is killed. */
function stop(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  setTimeout(() => signalGroup(child, 'SIGKILL'), grace_ms).unref()
}

/** The program and what it started; nothing once it has ended, when its id may be another's. */
function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It has ended this very moment.
  }
}

/** A program that does nothing but ask for memory gets some 20 MB in this time. */
const look_ms = 50
let looking: NodeJS.Timeout | undefined

/** Looks at what the programs hold for as long as there are any, and ends those that hold too much. */
function watchMemory(): void {
  if (looking) return
  looking = setTimeout(() => {
    looking = undefined
    endTooLarge()
    if (running.size > 0) watchMemory()
  }, look_ms)
  looking.unref()
}

function endTooLarge(): void {
  const held = [...running.values()].map((state) => {
    const { pid } = state.child
    return { state, bytes: pid === undefined ? 0 : bytesOf(pid) }
  })
  let together_bytes = held.reduce((sum, { bytes }) => sum + bytes, 0)
  // The largest first: the others may go on as soon as there is room for them.
  for (const { state, bytes } of held.sort((a, b) => b.bytes - a.bytes)) {
    if (bytes <= state.memory_bytes_max && together_bytes <= together_bytes_max) continue
    endForMemory(state)
    together_bytes -= bytes
  }
}

/** Asked once to end, so that it removes its lock files; not asked again. */
function endForMemory(state: Running): void {
  signalGroup(state.child, state.ending === 'memory' ? 'SIGKILL' : 'SIGTERM')
  state.ending = 'memory'
}

/**
 * What a program and those it started hold for themselves (proc(5)); files of a repository that are mapped
 * into memory are not counted. 0 where the system does not tell.
 */
function bytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const own_kb = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    return started
      .split(' ')
      .filter(Boolean)
      .reduce((sum, id) => sum + bytesOf(Number(id)), own_kb * 1024)
  } catch {
    return 0
  }
}

process.on('message', (message: HelperMessage) => {
  if ('spawn' in message) return start(message.spawn)
  const state = starting.get(message.kill)
  if (state) state.isCancelled = true
  const child = running.get(message.kill)?.child
  if (child) stop(child)
})

// The server is gone, however it went: nobody reads what the programs print any more, and the folder
// of its socket is of no use.
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  if (running.size === 0) process.exit(0)
  for (const { child } of running.values()) signalGroup(child, 'SIGTERM')
  setTimeout(() => {
    for (const { child } of running.values()) signalGroup(child, 'SIGKILL')
    process.exit(0)
  }, orphan_grace_ms)
})
// A terminal's ctrl-c reaches the whole group; the server decides when we end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('SIGHUP', () => {})
