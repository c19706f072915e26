// Requests jobs and runs them, as many at once as configured.
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobPayload, JobRequest, RunnerInfo } from '../src/ci/protocol.ts'
import { CacheStore } from './cache.ts'
import { removeFolderForcibly } from './files.ts'
import type { RunnerIdentity } from './job-environment.ts'
import { JobMemory } from './job-memory.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { runJob } from './run-job.ts'
import { findShell } from './shell.ts'

/** How often jobs are requested if the server does not hold requests. */
const poll_ms = 3000
/** A response that took this long was held by the server. */
const held_ms_min = 2000
const away_ms_max = 30_000
/** How long a stopping runner waits for the response with a job that the server may already have assigned. */
const last_answer_ms = 500

export type JobLoopOptions = {
  client: ProtocolClient
  runner: RunnerIdentity
  /** Why jobs cannot be isolated. It is sent to the server, which decides whether they run anyway. */
  isolationProblem?: string
  /** The folder with all files of the runner. */
  data: string
  /** The maximum number of jobs at once. */
  concurrency: number
  /** How long the runner waits for another job before it exits. */
  idle_ms_max: number
  /** When aborted, no more jobs are requested; running jobs continue to their end. */
  leaving: AbortSignal
  /** When aborted, running jobs are ended too. */
  stopping: AbortSignal
  onMessage: (text: string) => void
}

/**
 * Resolves when it was told to leave, or has been idle for as long as it may, and no job is left; rejects where the server
 * refuses the runner.
 */
export async function runJobs(options: JobLoopOptions): Promise<void> {
  await clearFormerLife(options)
  const caches = new CacheStore(join(options.data, 'caches'))
  await caches.tidy()
  const memory = new JobMemory()
  const running = new Map<number, Promise<void>>()
  const info = {
    ...buildRunnerInfo(options.runner),
    ...(options.isolationProblem ? { isolation_problem: options.isolationProblem } : {}),
  }
  const asking = lateSignal(options.leaving)
  let last_update: string | undefined
  let failures = 0
  let busy_ms = Date.now()
  try {
    while (!options.leaving.aborted) {
      if (running.size > 0) busy_ms = Date.now()
      if (running.size >= options.concurrency) {
        await Promise.race([...running.values(), abortOf(options.leaving)])
        continue
      }
      const asked_ms = Date.now()
      const request: JobRequest = { token: options.runner.token, info, last_update }
      const answer = await options.client.requestJob(request, asking).catch((error: Error) => error)
      if (asking.aborted) break
      if (answer instanceof Error || answer.status >= 500 || answer.status === 429) {
        const why = answer instanceof Error ? answer.message : `HTTP ${answer.status}`
        if (failures++ === 0) options.onMessage(`Job request failed, retrying: ${why}`)
        await pause(Math.min(500 * 2 ** failures, away_ms_max), options.leaving)
        continue
      }
      failures = 0
      if (answer.status === 403)
        throw new Error(
          'The server rejected the runner token (HTTP 403). Register the runner again.',
        )
      if (answer.job) {
        const slot = freeSlot(running)
        const done = start(answer.job, slot, { ...options, caches, memory })
        running.set(
          slot,
          done.finally(() => running.delete(slot)),
        )
        continue
      }
      if (running.size === 0 && Date.now() - busy_ms >= options.idle_ms_max) break
      const told = answer.headers['x-gitlab-last-update']
      const isNew = typeof told === 'string' && told !== last_update
      if (typeof told === 'string') last_update = told
      // A server that holds requests is asked again at once, since it is the one that waits.
      const isHeld = Date.now() - asked_ms >= held_ms_min
      if (answer.status !== 409 && !isNew && !isHeld) await pause(poll_ms, options.leaving)
      else if (answer.status === 409) await pause(50, options.leaving)
    }
  } finally {
    await Promise.all(running.values())
  }
}

function start(
  job: JobPayload,
  slot: number,
  options: JobLoopOptions & { caches: CacheStore; memory: JobMemory },
): Promise<void> {
  const { client, runner, caches, memory, data, stopping, onMessage } = options
  return runJob(job, { client, runner, caches, memory, data, slot, stopping }).catch(
    (error: Error) => {
      onMessage(`Job ${job.id} failed, runner error: ${error.message}`)
      return client
        .updateJob(job.id, {
          token: job.token,
          state: 'failed',
          failure_reason: 'runner_system_failure',
        })
        .then(
          () => {},
          () => {},
        )
    },
  )
}

/**
 * Reports jobs that ran when a former runner was killed as lost, and deletes its files. Their scripts ended
 * together with that runner.
 */
async function clearFormerLife({ client, data, onMessage }: JobLoopOptions): Promise<void> {
  const jobs = join(data, 'jobs')
  for (const name of await readdir(jobs).catch(() => [])) {
    const text = await readFile(join(jobs, name, 'job.json'), 'utf8').catch(() => '')
    const lost = readLostJob(text)
    if (!lost) continue
    onMessage(`Job ${lost.id} failed: the runner stopped while the job was running.`)
    const { id, token } = lost
    const failure_reason = 'runner_system_failure'
    await client.updateJob(id, { token, state: 'failed', failure_reason }).catch(() => {})
  }
  for (const folder of ['jobs', 'builds'])
    await removeFolderForcibly(join(data, folder)).catch(() => {})
  await mkdir(data, { recursive: true, mode: 0o700 })
}

function readLostJob(text: string): { id: number; token: string } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // The crash happened before the file was written, and so before any script ran.
    return undefined
  }
}

function freeSlot(running: ReadonlyMap<number, unknown>): number {
  let slot = 0
  while (running.has(slot)) slot++
  return slot
}

/** Returns the description of this runner for the server. */
export function buildRunnerInfo({
  version,
  searchPath,
}: Pick<RunnerIdentity, 'version' | 'searchPath'>): RunnerInfo {
  return {
    name: 'bloomery-runner',
    version,
    platform: process.platform,
    architecture: process.arch,
    executor: 'shell',
    shell: findShell(searchPath).name,
    features: {
      variables: true,
      artifacts: true,
      artifacts_exclude: true,
      upload_multiple_artifacts: true,
      upload_raw_artifacts: true,
      cache: true,
      fallback_cache_keys: true,
      refspecs: true,
      masking: true,
      raw_variables: true,
      multi_build_steps: true,
      trace_reset: true,
      trace_checksum: true,
      trace_size: true,
      cancelable: true,
      cancel_gracefully: true,
      return_exit_code: true,
      // The runner has no containers. It reports support to get jobs with services too, and notes in their
      // logs that these are missing.
      image: true,
      services: true,
      shared: true,
    },
  }
}

/** Returns a signal that is aborted a little later than the given one. */
function lateSignal(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const abort = () => setTimeout(() => late.abort(), last_answer_ms)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return late.signal
}

async function pause(duration_ms: number, signal: AbortSignal): Promise<void> {
  await wait(duration_ms, undefined, { signal }).catch(() => {})
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
