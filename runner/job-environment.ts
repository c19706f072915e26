// The environment variables of a job's scripts, and its folders.
import { join } from 'node:path'
import type { JobPayload, JobVariable } from '../src/ci/protocol.ts'

/** The identity and settings of this runner. */
export type RunnerIdentity = {
  token: string
  version: string
  /** The search path (`PATH`) of jobs. */
  searchPath: string
  /** Whether each script runs in its own sandbox. If not, scripts can access everything that the runner can. */
  isIsolated: boolean
  /** Files and folders that are hidden from all jobs. */
  hidden: readonly string[]
}

/** The folders of a job. All names are numbers. */
export type JobFolders = {
  slot: number
  /** The folder with the checkouts of this slot. */
  builds: string
  /** The checkout, which the next job of the project in this slot reuses. */
  project: string
  /** The job's own folder with its home, file variables, scripts and log. It is deleted after the job. */
  own: string
  home: string
  files: string
  /** The folder that is `/tmp` in the job's sandbox. */
  temporary: string
  /** The folder where the root of a sandbox is mounted. */
  root: string
}

export function jobFoldersOf(data: string, slot: number, job: JobPayload): JobFolders {
  const own = join(data, 'jobs', String(Number(job.id)))
  const builds = join(data, 'builds', String(slot))
  return {
    slot,
    builds,
    project: join(builds, String(Number(job.job_info.project_id))),
    own,
    home: join(own, 'home'),
    files: join(own, 'files'),
    temporary: join(own, 'tmp'),
    root: join(own, 'root'),
  }
}

/** The variables of a job with those that only a runner knows; these win. */
export function listJobVariables(
  job: JobPayload,
  place: JobFolders,
  runner: RunnerIdentity,
): JobVariable[] {
  const own = {
    CI_SERVER: 'yes',
    CI_BUILDS_DIR: place.builds,
    CI_PROJECT_DIR: place.project,
    CI_CONCURRENT_ID: String(place.slot),
    CI_CONCURRENT_PROJECT_ID: String(place.slot),
    CI_JOB_STATUS: 'running',
    CI_JOB_TIMEOUT: String(job.runner_info.timeout),
    CI_JOB_IMAGE: job.image?.name ?? '',
    CI_RUNNER_SHORT_TOKEN: runner.token.slice(0, 8),
    CI_RUNNER_VERSION: runner.version,
    CI_RUNNER_EXECUTABLE_ARCH: `${process.platform}/${process.arch}`,
    CI_SHARED_ENVIRONMENT: 'true',
    RUNNER_TEMP_PROJECT_DIR: place.files,
  }
  const listed = Object.entries(own).map(([key, value]) => {
    return { key, value, public: true, masked: false, raw: true }
  })
  return [...job.variables, ...listed]
}

/** Returns the complete environment of scripts; it contains nothing of the runner's own environment. */
export function buildScriptEnvironment(
  values: ReadonlyMap<string, string>,
  place: JobFolders,
  runner: RunnerIdentity,
): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: runner.searchPath,
    HOME: place.home,
    LANG: 'C.UTF-8',
  }
  for (const [key, value] of values) {
    // Environment variables cannot contain NUL.
    if (!value.includes('\0')) environment[key] = value
  }
  return environment
}
