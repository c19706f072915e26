// The machine's side: child processes, their memory and processor time as /proc tells them (Linux).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** Settings of the server's own git commands that cost time, for every git the floor is taken with. */
const gitSettings: readonly [string, string][] = [
  ['core.fsync', 'objects,derived-metadata,reference'],
  ['core.fsyncMethod', 'fsync'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['pack.threads', '2'],
  ['receive.fsckObjects', 'true'],
  ['safe.directory', '*'],
]

/** The environment of every git the bench runs itself; nothing of the user's is read. */
export function gitEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(gitSettings.length),
  }
  for (const [index, [key, value]] of gitSettings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}

type RunOptions = { stdin?: Iterable<string | Buffer>; env?: Record<string, string> }

/** Runs a program to its end and answers its stdout; throws with its stderr when it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { stdin, env = gitEnvironment() }: RunOptions = {},
): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  const problems: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk))
  child.stdin.on('error', () => {})
  const closed = once(child, 'close')
  for (const chunk of stdin ?? []) {
    if (!child.stdin.write(chunk)) await Promise.race([once(child.stdin, 'drain'), closed])
  }
  child.stdin.end()
  const [status] = await closed
  if (status === 0) return Buffer.concat(output).toString('utf8')
  throw new Error(`${program} ${args.join(' ')}: ${Buffer.concat(problems).toString('utf8')}`)
}

export function runGit(args: readonly string[], stdin?: Iterable<string | Buffer>) {
  return runProgram('git', args, { stdin })
}

/** Runs a program of this folder in a Node process of its own; it prints its result as JSON. */
export async function runScript<Result>(url: URL, args: readonly string[]): Promise<Result> {
  const environment = { PATH: process.env.PATH ?? '' }
  const text = await runProgram(process.execPath, [url.pathname, ...args], { env: environment })
  return JSON.parse(text) as Result
}

/** Starts a server program whose output goes to a file, so that nobody has to read it. */
export function startProgram(
  args: readonly string[],
  { env, logPath }: { env: Record<string, string>; logPath: string },
): ChildProcess {
  const log = openSync(logPath, 'a')
  return spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', log, log],
  })
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** A port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a TCP port.')
  return address.port
}

export type ProcessFacts = {
  pid: number
  parent: number
  name: string
  cpu_s: number
  rss_mb: number
}

const ticks_per_s = 100
const page_mb = 4096 / 1024 / 1024

/** proc(5): processor time includes that of children that have ended and were waited for. */
function readProcess(pid: number): ProcessFacts | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined // It has just ended.
  }
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return {
    pid,
    parent: Number(fields[1]),
    name: text.slice(text.indexOf('(') + 1, end),
    cpu_s: ticks / ticks_per_s,
    rss_mb: Number(fields[21]) * page_mb,
  }
}

/** What a process takes from the machine in MB: pages it shares with others count in part (proc(5)). */
export function readShare_mb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) / 1024
}

/** The process and everything below it. */
export function readProcessTree(root: number): ProcessFacts[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((facts) => facts !== undefined)
  const tree = all.filter(({ pid }) => pid === root)
  for (const above of tree) tree.push(...all.filter(({ parent }) => parent === above.pid))
  return tree
}
