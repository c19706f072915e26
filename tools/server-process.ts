// A server as its users have it, a process of its own, for the tools that treat it badly.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

export type LogLine = Record<string, unknown> & { level: number; msg?: string }

/**
 * Starts the server and waits until it is ready. `onLine` is called with each line of its log, and `onEnd` when it exits.
 * `root` is a folder with another version of the program.
 */
export async function startServer(options: {
  root?: string
  settings: Record<string, string>
  onLine: (line: LogLine) => void
  onEnd: (code: number | null, signal: NodeJS.Signals | null, output: string) => void
}): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--max-semi-space-size=4', 'dist/main.js', 'serve'], {
    cwd: options.root ?? join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, BLOOMERY_RUNNER: 'off', ...options.settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let other = ''
  let rest = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('Bloomery serves')) resolve()
        if (line.startsWith('{')) options.onLine(JSON.parse(line) as LogLine)
      }
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      other = (other + text).slice(-10_000)
    })
    child.once('exit', (code, signal) => {
      options.onEnd(code, signal, other)
      reject(new Error(`The server did not start: ${other}`))
    })
  })
  return child
}

/** Returns a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The processes that one has started, and those that they have. Linux. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = readProc(name, 'stat')
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const found: number[] = []
  const visit = (parent: number) => {
    for (const [child, of] of parents) {
      if (of !== parent) continue
      found.push(child)
      visit(child)
    }
  }
  visit(pid)
  return found
}

/** Returns the memory of a process and all of its descendants; shared pages count in part. Linux only. */
export function memoryOf(pid: number): number {
  let bytes = 0
  for (const member of [pid, ...descendantsOf(pid)]) {
    const pss = /^Pss:\s+(\d+) kB$/m.exec(readProc(String(member), 'smaps_rollup') ?? '')
    bytes += Number(pss?.[1] ?? 0) * 1024
  }
  return bytes
}

/** Reads a file of a process, which may end at any time. */
function readProc(pid: string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}

/** A small generator, so that a run can be repeated as far as time allows (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
