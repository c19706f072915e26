// The process that forks, so that the server never does: forking holds a large process's main thread
// for milliseconds. It starts a program with one end of a unix socket as stdin and stdout; the server
// holds the other end, so no byte passes through here. Exit status and stderr go back over IPC.
import { type ChildProcess, spawn } from 'node:child_process'
import { createConnection } from 'node:net'

export type SpawnRequest = {
  id: number
  program: string
  args: string[]
  env: Record<string, string>
  timeout_ms: number
  /** Where the server listens for the connection that becomes stdin and stdout. */
  socketPath: string
}
export type HelperMessage = { spawn: SpawnRequest } | { kill: number }
export type ExitReport = {
  id: number
  code: number | null
  signal: string | null
  stderr: string
  isTimedOut: boolean
  /** Set when the program could not be started at all. */
  failure?: string
}

const stderr_bytes_max = 64 * 1024
const children = new Map<number, ChildProcess>()

function start({ id, program, args, env, timeout_ms, socketPath }: SpawnRequest): void {
  const socket = createConnection({ path: socketPath, allowHalfOpen: true })
  socket.on('error', (error) => report({ id, failure: error.message }))
  // The line tells the server which request this connection belongs to.
  socket.write(`${id}\n`, () => {
    const child = spawn(program, args, { env, stdio: [socket, socket, 'pipe'] })
    socket.removeAllListeners('error')
    socket.on('error', () => {})
    socket.destroy()
    children.set(id, child)
    let stderr = ''
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      stop(child)
    }, timeout_ms)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < stderr_bytes_max) stderr += text
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      children.delete(id)
      report({ id, failure: error.message })
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      children.delete(id)
      report({ id, code, signal, stderr, isTimedOut })
    })
  })
}

function report(part: Partial<ExitReport> & { id: number }): void {
  if (!process.connected) return
  const whole = { code: null, signal: null, stderr: '', isTimedOut: false, ...part }
  // The server may go away at any moment; 'disconnect' tells us, an error here adds nothing.
  process.send?.(whole, undefined, undefined, () => {})
}

/** SIGTERM lets git remove its lock files; what ignores it is killed. */
function stop(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), 5000).unref()
}

process.on('message', (message: HelperMessage) => {
  if ('spawn' in message) start(message.spawn)
  else {
    const child = children.get(message.kill)
    if (child) stop(child)
  }
})

// The server is gone, however it went: nobody reads what the programs print any more.
process.on('disconnect', () => {
  for (const child of children.values()) child.kill('SIGTERM')
  setTimeout(() => {
    for (const child of children.values()) child.kill('SIGKILL')
    process.exit(0)
  }, 2000)
  if (children.size === 0) process.exit(0)
})
// A terminal's ctrl-c reaches the whole group; the server decides when we end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
