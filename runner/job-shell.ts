// What all steps of one job share: its variables, its log, its shell, and when it is to end.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobPayload } from '../src/ci/protocol.ts'
import {
  environmentOf,
  type JobPlace,
  listVariables,
  type RunnerIdentity,
} from './job-environment.ts'
import { JobLog } from './job-log.ts'
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
  readonly #environment: Record<string, string>
  #scripts = 0

  constructor(job: JobPayload, place: JobPlace, runner: RunnerIdentity) {
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
    { more = {}, timeout_ms, isCancelable = true }: ScriptOptions = {},
  ): Promise<number> {
    const path = join(this.place.own, `script-${this.#scripts++}`)
    await writeFile(path, script, { mode: 0o600 })
    const signals = [this.end.signal]
    if (isCancelable) signals.push(this.cancel.signal)
    if (timeout_ms !== undefined) signals.push(AbortSignal.timeout(timeout_ms))
    return runScript({
      shell: this.kind,
      path,
      folder: this.place.project,
      environment: { ...this.#environment, ...more },
      onOutput: (bytes) => this.log.write(bytes),
      signal: AbortSignal.any(signals),
      grace_ms,
    })
  }

  /** The files of the checkout that git does not know, ignored ones included. */
  async listUntracked(): Promise<string[]> {
    const path = join(this.place.own, 'untracked')
    await this.runScript('git ls-files --others -z >"$OUTPUT"\n', { more: { OUTPUT: path } })
    const names = (await readFile(path, 'utf8')).split('\0')
    return names.filter((name) => name !== '')
  }
}

export function countFiles(files: number): string {
  return files === 1 ? '1 file' : `${files} files`
}
