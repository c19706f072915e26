// Runs one shell script of a job in its own process group, and kills everything it leaves behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { JobNetwork } from './job-network.ts'
import { type SandboxView, spawnSandboxed } from './sandbox.ts'

export type ShellProgram = { name: 'bash' | 'sh'; path: string }

export type ScriptRun = {
  shell: ShellProgram
  /** The file with the script. */
  path: string
  folder: string
  /** The complete environment. Nothing of the runner's own environment is added. */
  environment: Record<string, string>
  /** The sandbox; undefined if the script can access everything that the runner can. */
  sandbox?: { view: SandboxView; network: JobNetwork }
  /** Called with the id of the script's first process, from which all others descend. */
  onStart?: (pid: number) => void
  onOutput: (bytes: Buffer) => void
  /** Ends the script: SIGTERM to its process group, SIGKILL after `grace_ms`. */
  signal: AbortSignal
  grace_ms: number
}

/** How long output is read after the shell has ended and its process group was killed. */
const drain_ms_max = 1000

/**
 * Runs before the script. It merges output and errors into one stream, and starts a watcher that kills the
 * process group when descriptor 3 closes. The runner holds that descriptor, so no script outlives a killed
 * runner. Nothing here uses the search path, which may be the job's.
 */
const begin = [
  'exec 2>&1',
  "(trap '' TERM; exec >/dev/null 2>&1; read -r end <&3; kill -KILL 0) &",
  'exec 3<&-',
  'exec "$@"',
].join('\n')

const plainShell: ShellProgram = { name: 'sh', path: '/bin/sh' }

/** Bash where there is one on the search path. */
export function findShell(searchPath: string): ShellProgram {
  for (const folder of searchPath.split(delimiter)) {
    const path = join(folder, 'bash')
    try {
      accessSync(path, constants.X_OK)
      return { name: 'bash', path }
    } catch {
      // The shell is not in this folder.
    }
  }
  return plainShell
}

/** Text that starts a script which prints each command before it runs it, and ends at the first that fails. */
export function buildScript(
  commands: readonly string[],
  { shell, isTraced }: { shell: ShellProgram; isTraced: boolean },
): string {
  const lines = [shell.name === 'bash' ? 'set -eo pipefail' : 'set -e']
  if (isTraced) lines.push('set -x')
  for (const command of commands) {
    if (command.trim() === '') continue
    const [first = '', ...rest] = command.split('\n')
    const shown = rest.length > 0 ? `${first} # and ${rest.length} more lines` : first
    lines.push(`printf '\\033[32;1m%s\\033[0;m\\n' ${quoteForShell(`$ ${shown}`)}`, command)
  }
  return `${lines.join('\n')}\n`
}

/** Quotes a text as a single word of a shell command. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Runs a script to its end and answers its exit status; rejects with the signal's reason if it is ended, and with an
 * Error if its sandbox cannot be made.
 */
export async function runScript(run: ScriptRun): Promise<number> {
  run.signal.throwIfAborted()
  const { name, path } = run.shell
  const flags = name === 'bash' ? ['--noprofile', '--norc'] : []
  const command: Command = [path, ...flags, run.path]
  const { child, isReady } = run.sandbox
    ? startInSandbox(run, run.sandbox, command)
    : start(run, command)
  child.stdout?.on('data', run.onOutput)
  // The watcher's end of the pipe closes with the process group.
  child.stdio[3]?.on('error', () => {})
  if (child.pid !== undefined) run.onStart?.(child.pid)
  const stop = () => stopGroup(child, run.grace_ms)
  run.signal.addEventListener('abort', stop, { once: true })
  try {
    const status = await ended(child)
    run.signal.throwIfAborted()
    if (!isReady()) throw new Error('the sandbox of the script could not be started')
    return status
  } finally {
    run.signal.removeEventListener('abort', stop)
    run.sandbox?.network.close()
  }
}

type Command = readonly [string, ...string[]]
/** `isReady` returns whether the command itself was started. */
type Started = { child: ChildProcess; isReady: () => boolean }

function start({ folder, environment }: ScriptRun, command: Command): Started {
  const child = spawn(plainShell.path, ['-c', begin, 'sh', ...command], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    detached: true,
  })
  return { child, isReady: () => true }
}

function startInSandbox(
  { folder, environment, path }: ScriptRun,
  { view, network }: NonNullable<ScriptRun['sandbox']>,
  command: Command,
): Started {
  let isReady = false
  // The script itself must be readable in the sandbox.
  const child = spawnSandboxed(
    { ...view, readable: [...view.readable, path] },
    {
      folder,
      command,
      environment: { ...network.environment, ...environment },
      ports: network.ports,
      onListening: (port, listener) => network.accept(port, listener),
      onReady: () => {
        isReady = true
      },
    },
  )
  return { child, isReady: () => isReady }
}

/** Sends SIGTERM so that programs can clean up, and SIGKILL later. */
function stopGroup(child: ChildProcess, grace_ms: number): void {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), grace_ms)
  child.once('exit', () => clearTimeout(timer))
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      // Background processes would otherwise run beside the next job.
      signalGroup(child, 'SIGKILL')
      const status = code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)
      // A program that left the process group could keep the output open forever.
      const timer = setTimeout(() => child.stdout?.destroy(), drain_ms_max)
      child.once('close', () => {
        clearTimeout(timer)
        resolve(status)
      })
    })
  })
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // All processes of the group have ended.
  }
}
