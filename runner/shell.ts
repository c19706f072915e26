// Runs one shell script of a job in a process group of its own, and leaves nothing of it behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export type Shell = { name: 'bash' | 'sh'; path: string }

export type ScriptRun = {
  shell: Shell
  /** The file that has the script. */
  path: string
  folder: string
  /** All of the environment: nothing of the runner's own is added. */
  environment: Record<string, string>
  onOutput: (bytes: Buffer) => void
  /** Ends the script: SIGTERM to all it started, SIGKILL after `grace_ms`. */
  signal: AbortSignal
  grace_ms: number
}

/** How long what is printed is waited for once the shell has ended and all of its group was killed. */
const drain_ms_max = 1000

/**
 * Before the script: errors and output are one stream, in their order; and a watcher kills the group when
 * descriptor 3 closes, which the runner holds, so that no script outlives a runner that was killed. Nothing
 * here needs a search path, for that may be the job's.
 */
const begin = [
  'exec 2>&1',
  "(trap '' TERM; exec >/dev/null 2>&1; read -r end <&3; kill -KILL 0) &",
  'exec 3<&-',
  'exec "$@"',
].join('\n')

const plainShell: Shell = { name: 'sh', path: '/bin/sh' }

/** Bash where there is one on the search path. */
export function findShell(searchPath: string): Shell {
  for (const folder of searchPath.split(delimiter)) {
    const path = join(folder, 'bash')
    try {
      accessSync(path, constants.X_OK)
      return { name: 'bash', path }
    } catch {
      // Not here.
    }
  }
  return plainShell
}

/** Text that starts a script which prints each command before it runs it, and ends at the first that fails. */
export function buildScript(
  commands: readonly string[],
  { shell, isTraced }: { shell: Shell; isTraced: boolean },
): string {
  const lines = [shell.name === 'bash' ? 'set -eo pipefail' : 'set -e']
  if (isTraced) lines.push('set -x')
  for (const command of commands) {
    if (command.trim() === '') continue
    const [first = '', ...rest] = command.split('\n')
    const shown = rest.length > 0 ? `${first} # and ${rest.length} more lines` : first
    lines.push(`printf '\\033[32;1m%s\\033[0;m\\n' ${quote(`$ ${shown}`)}`, command)
  }
  return `${lines.join('\n')}\n`
}

/** A word of a shell that means itself. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Runs a script to its end and answers its exit status; rejects with the signal's reason if it is ended. */
export async function runScript(run: ScriptRun): Promise<number> {
  run.signal.throwIfAborted()
  const { name, path } = run.shell
  const flags = name === 'bash' ? ['--noprofile', '--norc'] : []
  const child = spawn(plainShell.path, ['-c', begin, 'sh', path, ...flags, run.path], {
    cwd: run.folder,
    env: run.environment,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    detached: true,
  })
  child.stdout?.on('data', run.onOutput)
  // The watcher's end of it goes with the group.
  child.stdio[3]?.on('error', () => {})
  const stop = () => stopGroup(child, run.grace_ms)
  run.signal.addEventListener('abort', stop, { once: true })
  try {
    const status = await ended(child)
    run.signal.throwIfAborted()
    return status
  } finally {
    run.signal.removeEventListener('abort', stop)
  }
}

/** SIGTERM lets programs clean up; what ignores it is killed. */
function stopGroup(child: ChildProcess, grace_ms: number): void {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), grace_ms)
  child.once('exit', () => clearTimeout(timer))
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      // What it left in the background would run beside the next job.
      signalGroup(child, 'SIGKILL')
      const status = code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)
      // A program that left the group may hold the output open for ever.
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
    // All of it has ended.
  }
}
