// What all steps of one job share: its variables, its log, its shell, and when it is to end.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobPayload } from '../src/ci/protocol.ts'
import {
  environmentOf,
  type JobPlace,
  listVariables,
  type RunnerIdentity,
} from './job-environment.ts'
import { JobFailure } from './job-failure.ts'
import { JobLog } from './job-log.ts'
import type { JobMemory } from './job-memory.ts'
import { JobNetwork } from './job-network.ts'
import { listProgramFolders, type SandboxView } from './sandbox.ts'
import { buildScript, findShell, runScript, type Shell } from './shell.ts'
import { expand, readVariables, secretsOf, type Variables } from './variables.ts'

const log_bytes_max = 4 * 1024 * 1024
/** How long what is ended has to clean up. */
const grace_ms = 5000

export type ScriptOptions = {
  /** Beside the environment that all scripts of the job have. */
  more?: Record<string, string>
  timeout_ms?: number
  /** Whether it ends when the job is cancelled; everything ends when the job does. */
  isCancelable?: boolean
  /** Gets what is printed, in place of the log. */
  onOutput?: (bytes: Buffer) => void
}

export class JobShell {
  readonly kind: Shell
  readonly place: JobPlace
  readonly variables: Variables
  readonly log: JobLog
  /** Ends everything, for the reason it is aborted with. */
  readonly end = new AbortController()
  /** Ends the script; what comes after it still happens. */
  readonly cancel = new AbortController()
  readonly isIsolated: boolean
  readonly #environment: Record<string, string>
  readonly #memory: JobMemory
  readonly #network: JobNetwork | undefined
  readonly #readable: readonly string[]
  readonly #hidden: readonly string[]
  #scripts = 0

  /** `serverUrl` is where the runner reaches the server. */
  constructor(
    job: JobPayload,
    place: JobPlace,
    { runner, serverUrl, memory }: { runner: RunnerIdentity; serverUrl: string; memory: JobMemory },
  ) {
    this.isIsolated = runner.isIsolated
    this.#memory = memory
    this.#network = runner.isIsolated
      ? new JobNetwork([serverUrl, job.git_info.repo_url])
      : undefined
    this.#readable = listProgramFolders(runner.searchPath)
    this.#hidden = runner.hidden
    this.kind = findShell(runner.searchPath)
    this.place = place
    this.variables = readVariables(listVariables(job, place, runner), place.files)
    this.#environment = environmentOf(this.variables.values, place, runner)
    this.log = new JobLog({
      path: join(place.own, 'log'),
      secrets: secretsOf([...this.variables.masked, job.token, runner.token]),
      bytes_max: log_bytes_max,
      hasSections: job.features?.trace_sections === true,
    })
  }

  get isTraced(): boolean {
    return this.variables.values.get('CI_DEBUG_TRACE') === 'true'
  }

  /** Replaces the variables of the job in a text. */
  expand(text: string): string {
    return expand(text, (name) => this.variables.values.get(name))
  }

  section<T>(name: string, title: string, work: () => Promise<T>): Promise<T> {
    this.end.signal.throwIfAborted()
    return this.log.inSection(name, title, work)
  }

  /** Runs commands that the log shows, and answers the exit status. */
  runCommands(commands: readonly string[], options: ScriptOptions = {}): Promise<number> {
    const { kind: shell, isTraced } = this
    return this.runScript(buildScript(commands, { shell, isTraced }), options)
  }

  /** Runs a script in the folder of the project, and answers the exit status. */
  async runScript(
    script: string,
    {
      more = {},
      timeout_ms,
      isCancelable = true,
      onOutput = (bytes) => this.log.write(bytes),
    }: ScriptOptions = {},
  ): Promise<number> {
    const path = join(this.place.own, `script-${this.#scripts++}`)
    await writeFile(path, script, { mode: 0o600 })
    const signals = [this.end.signal]
    if (isCancelable) signals.push(this.cancel.signal)
    if (timeout_ms !== undefined) signals.push(AbortSignal.timeout(timeout_ms))
    let unwatch = () => {}
    try {
      return await runScript({
        shell: this.kind,
        path,
        folder: this.place.project,
        environment: { ...this.#environment, ...more },
        sandbox: this.#network && { view: this.#viewFor(path), network: this.#network },
        onStart: (pid) => {
          unwatch = this.#memory.watch(pid, (message) => {
            this.end.abort(new JobFailure(message, { reason: 'script_failure', exitCode: 137 }))
          })
        },
        onOutput,
        signal: AbortSignal.any(signals),
        grace_ms,
      })
    } finally {
      unwatch()
    }
  }

  /** What a script at `path` sees: it writes in the checkout and in what is the job's own. */
  #viewFor(path: string): SandboxView {
    const { project, home, files, temporary, root } = this.place
    const readable = [...this.#readable, path]
    return { root, temporary, readable, writable: [project, home, files], hidden: this.#hidden }
  }

  /** The files of the checkout that git does not know, ignored ones included. */
  async listUntracked(): Promise<string[]> {
    const chunks: Buffer[] = []
    const onOutput = (bytes: Buffer) => void chunks.push(bytes)
    await this.runScript('git ls-files --others -z\n', { onOutput })
    const names = Buffer.concat(chunks).toString().split('\0')
    return names.filter((name) => name !== '')
  }
}

export function countFiles(files: number): string {
  return files === 1 ? '1 file' : `${files} files`
}
