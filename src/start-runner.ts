// Starts the built-in runner as a separate process when there is a job for it, and restarts it if it dies. It exits
// after being idle for a while, to free its memory on small machines.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type BuiltinRunnerOptions = {
  /** Where the server listens. */
  url: string
  token: string
  /** The data folder of the server; the runner has a folder of its own in it. */
  data: string
  searchPath: string
  /** Files that no job may see: keys and settings of the server. */
  hidden: readonly string[]
  /** What is to be done while there is no runner. */
  prepare: () => Promise<void>
  /** Resolves when there is a job for the runner, or `signal` aborts. */
  waitForJob: (signal: AbortSignal) => Promise<void>
}

/** How long the runner waits for another job before it exits. */
const idle_s_max = 60

/** A runner that exits immediately is restarted with growing delays. */
const pause_ms_first = 1000
const pause_ms_max = 60_000
/** How long the runner has to stop its jobs and report them. */
const stop_ms_max = 15_000

export class BuiltinRunner {
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #pause_ms = pause_ms_first
  readonly #stopping = new AbortController()

  /** Has the runner run whenever there is something for it to do, until it is stopped. */
  start(options: BuiltinRunnerOptions): void {
    // A database that is away now comes back.
    this.#startWithJob(options).catch(() => this.#startLater(options))
  }

  async #startWithJob(options: BuiltinRunnerOptions): Promise<void> {
    await options.prepare()
    const { signal } = this.#stopping
    if (!hasUnfinishedJobs(options)) await options.waitForJob(signal)
    if (signal.aborted) return
    const child = spawnRunner(options)
    this.#child = child
    // While it lives long it is no runner that dies at once.
    const settled = setTimeout(() => {
      this.#pause_ms = pause_ms_first
    }, pause_ms_max)
    settled.unref()
    child.once('error', () => {})
    child.once('close', (status) => {
      clearTimeout(settled)
      this.#child = undefined
      if (signal.aborted) return
      // It had nothing to do.
      if (status === 0) this.start(options)
      else this.#startLater(options)
    })
  }

  #startLater(options: BuiltinRunnerOptions): void {
    this.#timer = setTimeout(() => this.start(options), this.#pause_ms)
    this.#pause_ms = Math.min(this.#pause_ms * 2, pause_ms_max)
  }

  /** Ends its jobs, and it; resolves when it is gone. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    const child = this.#child
    if (!child) return
    const gone = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stop_ms_max)
    await gone
    clearTimeout(timer)
  }
}

/** Whether a runner that was killed has left jobs, which the next one reports as lost. */
function hasUnfinishedJobs({ data }: BuiltinRunnerOptions): boolean {
  const folder = join(data, 'runner', 'jobs')
  return existsSync(folder) && readdirSync(folder).length > 0
}

/**
 * Starts the runner. Its stdin carries the token, since arguments are visible in process lists. It stays open as long as
 * the server lives; when it closes, the runner exits with all of its jobs.
 */
function spawnRunner({ url, token, data, searchPath, hidden }: BuiltinRunnerOptions): ChildProcess {
  const cache = getCompileCacheDir()
  const script = fileURLToPath(new URL('../runner/main.ts', import.meta.url))
  const args = [
    ...['run', '--url', reachable(url), '--data', join(data, 'runner'), '--token-stdin'],
    ...['--isolation', 'ask', '--exit-when-idle', String(idle_s_max)],
    ...[data, ...hidden].flatMap((path) => ['--hidden', path]),
  ]
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=1', '--max-old-space-size=128', script, ...args],
    {
      env: { PATH: searchPath, ...(cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {}) },
      stdio: ['pipe', 'ignore', 'inherit'],
      // A terminal's ctrl-c is the server's to pass on.
      detached: true,
    },
  )
  child.stdin?.on('error', () => {})
  child.stdin?.write(`${token}\n`)
  return child
}

/** Returns the address at which this machine reaches a server that listens on all interfaces. */
function reachable(address: string): string {
  const url = new URL(address)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  return url.origin
}
