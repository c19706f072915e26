// Runs one job from beginning to end: sources, caches, artifacts of other jobs, its scripts, and its own artifacts.
import { mkdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { JobPayload, JobStep, RunnerWhen } from '../src/ci/protocol.ts'
import type { CacheStore } from './cache.ts'
import { removeFolderForcibly } from './files.ts'
import { planSourcesCheckout, prepareSourcesFolder } from './get-sources.ts'
import { fetchArtifactsOfDependencies, uploadArtifactFiles } from './job-artifacts.ts'
import { cachesOfJob, restoreCaches, saveCaches } from './job-caches.ts'
import { jobFoldersOf, type RunnerIdentity } from './job-environment.ts'
import { JobFailure } from './job-failure.ts'
import { logColors } from './job-log.ts'
import type { JobMemory } from './job-memory.ts'
import { JobShell } from './job-shell.ts'
import { LogSender, type ServerJobVerdict } from './log-sender.ts'
import type { ProtocolClient } from './protocol-client.ts'

const after_script_ms_max = 5 * 60_000
/** How long the runner tries to report the result of a job to a server that is down; shorter when the runner stops. */
const patience_ms = 10 * 60_000
const stopping_patience_ms = 5000

export type JobRunOptions = {
  client: ProtocolClient
  runner: RunnerIdentity
  caches: CacheStore
  memory: JobMemory
  /** The folder with the files of the runner. */
  data: string
  /** The number of the slot, starting at 0. Each job that runs at the same time has its own. */
  slot: number
  /** Aborted when the runner stops, which ends the job. */
  stopping: AbortSignal
}

/** Runs a job and tells the server how it ended, whatever the job does. */
export async function runJob(job: JobPayload, options: JobRunOptions): Promise<void> {
  const place = jobFoldersOf(options.data, options.slot, job)
  await removeFolderForcibly(place.own)
  const { own, home, files, temporary, root } = place
  for (const folder of [own, home, files, temporary, root]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  }
  // After a crash, the next runner reports with this file that the job was lost.
  await writeFile(join(place.own, 'job.json'), JSON.stringify({ id: job.id, token: job.token }), {
    mode: 0o600,
  })
  const shell = new JobShell(job, place, {
    runner: options.runner,
    serverUrl: options.client.url,
    memory: options.memory,
  })
  await reportResult(shell, job, options)
  await removeFolderForcibly(place.own)
}

/** Sends the log while the job runs, and then its result. */
async function reportResult(
  shell: JobShell,
  job: JobPayload,
  { client, caches, runner, stopping }: JobRunOptions,
): Promise<void> {
  const { log, end, isTraced } = shell
  const onVerdict = (verdict: ServerJobVerdict) => applyVerdict(shell, verdict)
  const sender = new LogSender({ client, job, log, isDebug: isTraced, onVerdict })
  const { timeout } = job.runner_info
  const timer = setTimeout(() => {
    const reason = 'job_execution_timeout'
    end.abort(new JobFailure(`execution took longer than ${timeout} s`, { reason }))
  }, timeout * 1000)
  const stop = () => end.abort(new Error('the runner was stopped'))
  stopping.addEventListener('abort', stop, { once: true })
  if (stopping.aborted) stop()
  sender.start()
  const failure = await work(shell, job, { client, caches, runner })
  clearTimeout(timer)
  stopping.removeEventListener('abort', stop)
  if (failure) log.writeLine(`ERROR: Job failed: ${failure.message}`, logColors.bad)
  else log.writeLine('Job succeeded', logColors.good)
  log.end()
  const final = failure
    ? ({
        state: 'failed',
        failure_reason: knownReason(job, failure.reason),
        exit_code: failure.exitCode,
      } as const)
    : ({ state: 'success' } as const)
  await sender.finish(final, stopping.aborted ? stopping_patience_ms : patience_ms)
  log.close()
}

/** Ends or cancels the job as the server requested. */
function applyVerdict({ end, cancel }: JobShell, verdict: ServerJobVerdict): void {
  const reason = 'script_failure'
  if (verdict === 'ended') end.abort(new JobFailure('the server stopped the job', { reason }))
  else cancel.abort(new JobFailure('canceled', { reason }))
}

/** Runs all steps of the job; returns the first failure. */
async function work(
  shell: JobShell,
  job: JobPayload,
  { client, caches, runner }: Pick<JobRunOptions, 'client' | 'caches' | 'runner'>,
): Promise<JobFailure | undefined> {
  const { signal } = shell.end
  let failure: JobFailure | undefined
  const attempt = async (step: () => Promise<unknown>) => {
    if (signal.aborted) return
    await step().catch((error) => {
      failure ??= JobFailure.of(error)
    })
  }
  const isDue = (when: RunnerWhen) => when === 'always' || (when === 'on_failure') === !!failure
  await attempt(async () => {
    await prepare(shell, job, runner)
    await getSources(shell, job, client.url)
    await restoreCaches(shell, job, caches)
    await fetchArtifactsOfDependencies(shell, job, client)
  })
  const hasBegun = !failure
  if (hasBegun) {
    for (const step of job.steps) {
      if (step.name !== 'after_script' && isDue(step.when))
        await attempt(() => runStep(shell, step))
    }
    await attempt(() => runAfterScript(shell, job, failure))
    const wanted = cachesOfJob(shell, job).filter(({ pushes, when }) => pushes && isDue(when))
    await attempt(() => saveCaches(shell, job, { wanted, caches }))
    await attempt(async () => {
      const artifacts = (job.artifacts ?? []).filter(({ when }) => isDue(when ?? 'on_success'))
      if (artifacts.length === 0) return
      const name = `upload_artifacts_on_${failure ? 'failure' : 'success'}`
      await shell.section(name, 'Uploading artifacts', async () => {
        for (const given of artifacts) await uploadArtifactFiles(shell, job, { given, client })
      })
    })
  }
  // If the job was aborted, the reason of the abort counts, whatever failed because of it.
  return signal.aborted ? JobFailure.of(signal.reason) : failure
}

async function prepare(shell: JobShell, job: JobPayload, runner: RunnerIdentity): Promise<void> {
  await shell.section('prepare_executor', 'Preparing environment', async () => {
    const { log } = shell
    log.writeLine(`Bloomery's built-in runner ${runner.version} on ${hostname()}`)
    const where = shell.isIsolated ? 'in a sandbox' : 'without a sandbox, as the user of the runner'
    log.writeLine(`Scripts run in ${shell.kind.name}, ${where}.`)
    if (job.image?.name) {
      const name = shell.expand(job.image.name)
      log.writeLine(`The image ${name} is ignored: this runner has no containers.`)
    }
    if (job.services && job.services.length > 0) {
      const names = job.services.map(({ name }) => shell.expand(name)).join(', ')
      const text = `this runner has no containers, so it cannot start the services ${names}`
      throw new JobFailure(text, { reason: 'runner_unsupported' })
    }
    for (const { path, content } of shell.variables.files) {
      await writeFile(path, content, { mode: 0o600, flag: 'wx' })
    }
  })
}

async function getSources(shell: JobShell, job: JobPayload, serverUrl: string): Promise<void> {
  const { log, place } = shell
  const runHook = async (name: string) => {
    const script = job.hooks?.find((hook) => hook.name === name)?.script ?? []
    if (script.length > 0 && (await shell.runCommands(script)) !== 0) {
      throw new Error(`${name} failed`)
    }
  }
  await shell.section('get_sources', 'Getting source from Git repository', async () => {
    const variableOf = (name: string) => shell.variables.values.get(name)
    const { strategy, script, environment } = planSourcesCheckout(job, { serverUrl, variableOf })
    const runGit = async () => (await shell.runScript(script, { more: environment })) === 0
    await prepareSourcesFolder(place.project, strategy)
    await runHook('pre_get_sources_script')
    if (script === '') log.writeLine('Skipped, GIT_STRATEGY is none or empty.')
    else {
      log.writeLine(`${job.git_info.sha.slice(0, 8)} of ${job.git_info.ref}`)
      const isDone = await runGit()
      if (!isDone && strategy === 'fetch') {
        log.writeLine('Fetch failed, cloning into an empty folder.')
        await prepareSourcesFolder(place.project, 'clone')
      }
      if (!isDone && (strategy === 'clone' || !(await runGit()))) {
        throw new Error('git could not fetch the sources')
      }
    }
    await runHook('post_get_sources_script')
  })
}

async function runStep(shell: JobShell, step: JobStep): Promise<void> {
  const isScript = step.name === 'script'
  const name = isScript ? 'step_script' : `step_${step.name}`
  const title = `Executing "${name}" stage of the job script`
  await shell.section(name, title, async () => {
    const timeout_ms = step.timeout * 1000
    const exitCode = await shell.runCommands(step.script, { timeout_ms }).catch((error: Error) => {
      if (error.name !== 'TimeoutError') throw error
      const reason = 'job_execution_timeout'
      throw new JobFailure(`execution took longer than ${step.timeout} s`, { reason })
    })
    if (exitCode === 0 || step.allow_failure) return
    throw new JobFailure(`exit code ${exitCode}`, { reason: 'script_failure', exitCode })
  })
}

/** Runs the after_script in its own shell. Its result does not affect the job. */
async function runAfterScript(
  shell: JobShell,
  job: JobPayload,
  failure: JobFailure | undefined,
): Promise<void> {
  const step = job.steps.find(({ name }) => name === 'after_script')
  if (!step || step.script.length === 0) return
  const status = shell.cancel.signal.aborted ? 'canceled' : failure ? 'failed' : 'success'
  await shell.section('after_script', 'Running after_script', async () => {
    try {
      const code = await shell.runCommands(step.script, {
        more: { CI_JOB_STATUS: status },
        timeout_ms: Math.min(step.timeout * 1000, after_script_ms_max),
        isCancelable: false,
      })
      if (code !== 0)
        shell.log.writeLine(
          `WARNING: after_script failed with exit code ${code}. The result of the job does not change.`,
        )
    } catch (error) {
      shell.end.signal.throwIfAborted()
      shell.log.writeLine(`WARNING: after_script failed: ${(error as Error).message}`)
    }
  })
}

/** Returns the failure reason, or a general one if the server does not support it. */
function knownReason({ features }: JobPayload, reason: string): string {
  const known = features?.failure_reasons ?? []
  return known.length === 0 || known.includes(reason) ? reason : 'runner_system_failure'
}
