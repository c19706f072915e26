// What all steps of a job share: its variables, its log, its shell, and its timeout.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobPayload } from '../src/ci/protocol.ts'
import {
  buildScriptEnvironment,
  type JobFolders,
  listJobVariables,
  type RunnerIdentity,
} from './job-environment.ts'
import { JobFailure } from './job-failure.ts'
import { JobLog } from './job-log.ts'
import type { JobMemory } from './job-memory.ts'
import { JobNetwork } from './job-network.ts'
import { listProgramFolders, type SandboxView } from './sandbox.ts'
import { buildScript, findShell, runScript, type ShellProgram } from './shell.ts'
import {
  expandVariableReferences,
  type ResolvedJobVariables,
  resolveJobVariables,
  sortedUniqueSecrets,
} from './variables.ts'

const log_bytes_max = 4 * 1024 * 1024
/** How long programs have to clean up after SIGTERM. */
const grace_ms = 5000

export type ScriptOptions = {
  /** Variables besides those that all scripts of the job have. */
  more?: Record<string, string>
  timeout_ms?: number
  /** Whether the script ends when the job is canceled. All scripts end when the job ends. */
  isCancelable?: boolean
  /** Gets the output instead of the log. */
  onOutput?: (bytes: Buffer) => void
}

export class JobShell {
  readonly kind: ShellProgram
  readonly place: JobFolders
  readonly variables: ResolvedJobVariables
  readonly log: JobLog
  /** Ends the whole job; the reason of the abort is the reason of the failure. */
  readonly end = new AbortController()
  /** Ends the current script; later steps still run. */
  readonly cancel = new AbortController()
  readonly #environment: Record<string, string>
  readonly #memory: JobMemory
  /** Undefined if scripts can access everything that the runner can. */
  readonly #sandbox: { view: SandboxView; network: JobNetwork } | undefined
  #scripts = 0

  /** `serverUrl` is the URL at which the runner reaches the server. */
  constructor(
    job: JobPayload,
    place: JobFolders,
    { runner, serverUrl, memory }: { runner: RunnerIdentity; serverUrl: string; memory: JobMemory },
  ) {
    this.#memory = memory
    if (runner.isIsolated) {
      const network = new JobNetwork([serverUrl, job.git_info.repo_url])
      this.#sandbox = { view: viewOf(place, runner), network }
    }
    this.kind = findShell(runner.searchPath)
    this.place = place
    this.variables = resolveJobVariables(listJobVariables(job, place, runner), place.files)
    this.#environment = buildScriptEnvironment(this.variables.values, place, runner)
    this.log = new JobLog({
      path: join(place.own, 'log'),
      secrets: sortedUniqueSecrets([...this.variables.masked, job.token, runner.token]),
      bytes_max: log_bytes_max,
      hasSections: job.features?.trace_sections === true,
    })
  }

  get isIsolated(): boolean {
    return this.#sandbox !== undefined
  }

  get isTraced(): boolean {
    return this.variables.values.get('CI_DEBUG_TRACE') === 'true'
  }

  /** Expands the variables of the job in a text. */
  expand(text: string): string {
    return expandVariableReferences(text, (name) => this.variables.values.get(name))
  }

  section<T>(name: string, title: string, work: () => Promise<T>): Promise<T> {
    this.end.signal.throwIfAborted()
    return this.log.inSection(name, title, work)
  }

  /** Runs commands and shows them in the log. Returns the exit status. */
  runCommands(commands: readonly string[], options: ScriptOptions = {}): Promise<number> {
    const { kind: shell, isTraced } = this
    return this.runScript(buildScript(commands, { shell, isTraced }), options)
  }

  /** Runs a script in the folder of the project. Returns the exit status. */
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
        sandbox: this.#sandbox,
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

  /** Lists the files of the checkout that are not tracked by git, including ignored ones. */
  async listUntracked(): Promise<string[]> {
    const chunks: Buffer[] = []
    const onOutput = (bytes: Buffer) => void chunks.push(bytes)
    await this.runScript('git ls-files --others -z 2>/dev/null\n', { onOutput })
    const names = Buffer.concat(chunks).toString().split('\0')
    return names.filter((name) => name !== '')
  }
}

/** Returns what scripts see of the machine; they can write to the checkout and to the job's own folders. */
function viewOf(place: JobFolders, { searchPath, hidden }: RunnerIdentity): SandboxView {
  const { project, home, files, temporary, root } = place
  const readable = listProgramFolders(searchPath)
  return { root, temporary, readable, writable: [project, home, files], hidden }
}

export function formatFileCount(files: number): string {
  return files === 1 ? '1 file' : `${files} files`
}
