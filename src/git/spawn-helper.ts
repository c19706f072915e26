// The process that forks, so that the server never does: forking blocks the main thread of a large process for
// milliseconds. It starts a program with one end of a unix socket as stdin and stdout, or a file as stdout; the server
// holds the other end, so no byte passes through this process. Exit status and stderr are sent back over IPC. No program
// outlives the server for long.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { readAvailableMemory_bytes, readProcessTreeMemory_bytes } from './machine-memory.ts'

export type SpawnRequest = {
  id: number
  program: string
  args: string[]
  /** Beside the helper's own environment, which the server chose. */
  env?: Record<string, string>
  /** A file to be made for what it prints, which then does not come back through its socket. */
  outputFile?: string
  timeout_ms: number
  /** Beyond this the program is ended, whatever the machine has left. */
  memory_bytes_max: number
  /** Programs with a lower rank are ended first when the machine runs out of memory. */
  rank: number
  /** Whether the program gives way to the server where both want the processor. */
  isNice: boolean
}
export type HelperMessage = { spawn: SpawnRequest } | { kill: number }
export type ExitReport = {
  id: number
  code: number | null
  signal: string | null
  stderr: string
  /**
   * Why the program was ended from here, if it was: `memory` for more than it may hold, `machine` because the machine
   * or all programs together had run out of memory.
   */
  ending?: 'timeout' | 'memory' | 'machine'
  /** What the program held when it was ended for memory. */
  held_bytes?: number
  /** Set when the program could not be started at all. */
  failure?: string
}

const stderr_bytes_max = 64 * 1024
/** How long a program has for cleaning up after SIGTERM; shorter if the server is gone. */
const grace_ms = 5000
const orphan_grace_ms = 2000

/** The folder with the socket that the server listens on. Connections to it become stdin and stdout of programs. */
const folder = process.argv[2] ?? ''

/** How much memory all programs together may use, and when and which of them are stopped to protect the machine. */
export type MemoryRules = {
  together_bytes_max: number
  danger_bytes: number
  ended_bytes_min: number
}
const rules: MemoryRules = JSON.parse(process.argv[3] ?? '{}')

type Running = Pick<SpawnRequest, 'id' | 'memory_bytes_max' | 'rank'> & {
  child: ChildProcess
  ending: ExitReport['ending']
  held_bytes: number | undefined
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
    // Throws if the arguments exceed the limit of the system.
    run(request, socket, file ?? socket)
  } catch (error) {
    report({ id, failure: (error as Error).message })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function run(request: SpawnRequest, stdin: Connection, stdout: Connection | number): void {
  const { id, program, args, env, timeout_ms, memory_bytes_max, rank } = request
  // A group of its own, so that what git starts in turn can be ended with it, and a terminal's ctrl-c
  // does not cut short what the server still waits for.
  const child = spawn(program, args, {
    env: env ? { ...process.env, ...env } : process.env,
    stdio: [stdin, stdout, 'pipe'],
    detached: true,
  })
  const state: Running = {
    id,
    child,
    memory_bytes_max,
    rank,
    ending: undefined,
    held_bytes: undefined,
  }
  running.set(id, state)
  if (child.pid !== undefined) giveWay(child.pid, request)
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
  child.on('close', (code, signal) => {
    const { ending, held_bytes } = state
    end({ code, signal, stderr, ending, held_bytes })
  })
}

/** Makes the kernel kill programs before the server when the machine runs out of memory (proc(5)). */
const oom_score_adj = '500'
const niceness = 5

/** Lets the server go first, for the processor and for memory. */
function giveWay(pid: number, { isNice }: SpawnRequest): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, oom_score_adj)
    if (isNice) setPriority(pid, niceness)
  } catch {
    // The program has already ended, or the system does not have this file.
  }
}

function report(part: Partial<ExitReport> & { id: number }): void {
  if (!process.connected) return
  const whole = { code: null, signal: null, stderr: '', ...part }
  // The server may die at any moment. 'disconnect' reports that, so this error can be ignored.
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
    // It ended just now.
  }
}

/** A program that only allocates memory gets about 20 MB in this time. */
const look_ms = 50
let looking: NodeJS.Timeout | undefined

/** Looks at what the programs hold for as long as there are any, and ends those that hold too much. */
function watchMemory(): void {
  if (looking) return
  looking = setTimeout(() => {
    looking = undefined
    endForMemory()
    if (running.size > 0) watchMemory()
  }, look_ms)
  looking.unref()
}

type Held = { state: Running; bytes: number }

function endForMemory(): void {
  const held: Held[] = [...running.values()].map((state) => {
    const { pid } = state.child
    return { state, bytes: pid === undefined ? 0 : readProcessTreeMemory_bytes(pid) }
  })
  for (const each of held) {
    if (each.bytes > each.state.memory_bytes_max) endProgram(each, 'memory')
  }
  const together_bytes = held.reduce((sum, { bytes }) => sum + bytes, 0)
  // No program that could be stopped uses enough memory to read that of the machine.
  if (together_bytes < rules.ended_bytes_min) return
  const isTooMuch =
    together_bytes > rules.together_bytes_max || readAvailableMemory_bytes() < rules.danger_bytes
  // The effect of stopping a program shows at the next check, so programs are stopped one at a time.
  const first = isTooMuch ? held.filter(isWorthEnding).sort(byTurnToEnd)[0] : undefined
  if (first) endProgram(first, 'machine')
}

function isWorthEnding({ bytes }: Held): boolean {
  return bytes >= rules.ended_bytes_min
}

/**
 * Orders programs to stop: first those already stopping, then those of anonymous callers, and the newest first among
 * equals.
 */
function byTurnToEnd({ state: a }: Held, { state: b }: Held): number {
  const isEnding = (state: Running) => Number(state.ending !== undefined)
  return isEnding(b) - isEnding(a) || a.rank - b.rank || b.id - a.id
}

/** Asks a program to end, so that it removes its lock files, and kills it when it is asked for the second time. */
function endProgram({ state, bytes }: Held, ending: 'memory' | 'machine'): void {
  signalGroup(state.child, state.ending === undefined ? 'SIGTERM' : 'SIGKILL')
  state.ending ??= ending
  state.held_bytes ??= bytes
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
// Ctrl-C in a terminal reaches the whole process group, but the server decides when the helper ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('SIGHUP', () => {})
