// Handles a runner's request for a job: claims the best pending one, or waits a while for one.

import { anonymous } from '../../../access/actor.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  defineStorageOwnerRequest,
  requestFromReachableOwner,
  requestFromStorageOwner,
} from '../../../http/storage-owner-request.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { digestToken, newJobToken } from '../../../kernel/ids.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { findProject, findRepositoryPlacement } from '../../../subjects/project.ts'
import { isStorageElsewhere } from '../../../subjects/storage.ts'
import { findAccountProblem, findUser, type User } from '../../../subjects/user.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'
import { mayJobUserDeploy } from '../deployments/deploy-right.ts'
import { isOutdatedDeployment } from '../deployments/deployment.ts'
import type { FailureReason } from '../jobs/failure-reasons.ts'
import { finishJob } from '../jobs/finish-job.ts'
import { transitionJob, withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob, getJobSpec } from '../pipeline-changes/job.ts'
import { withJobClaimLock } from '../pipeline-changes/job-queue.ts'
import { findPipeline, getCiSettings } from '../pipelines/pipeline.ts'
import { ensurePipelineRef } from '../pipelines/pipeline-ref.ts'
import { hasMissingDependencyArchive, listDependencyJobs } from './dependencies.ts'
import { buildJobPayload, type JobPayloadSource } from './job-payload.ts'
import { findNextJobForRunner, type QueuedJob } from './job-queue.store.ts'
import type { Runner } from './runner.store.ts'

type Asking = {
  runner: Runner
  /** The features that the runner supports; undefined if it reports none. */
  features: Record<string, unknown> | undefined
  /** Whether jobs would run without a sandbox on the server's machine. Only the built-in runner reports this. */
  isUnisolated: boolean
  baseUrl: string
}

/** A claimed job, with the data that was loaded to check that it can run. */
type Claimed = Pick<JobPayloadSource, 'job' | 'spec' | 'dependencies'>

/** Claims a pending job for the runner and returns its payload; undefined if there is none. */
export async function claimPendingJob(uses: Instance, asking: Asking): Promise<object | undefined> {
  if (asking.runner.paused || (await lacksIsolation(uses.db, asking))) return undefined
  const token = newJobToken()
  const claimed = await withJobClaimLock(uses.db, () => claimNext(uses, asking, token))
  return claimed && handOver(uses, asking, claimed, token)
}

/**
 * Returns whether the runner gets no jobs because it has no sandbox and no administrator has allowed jobs to
 * run without one.
 */
async function lacksIsolation(
  db: Db,
  { runner, isUnisolated }: Pick<Asking, 'runner' | 'isUnisolated'>,
): Promise<boolean> {
  if (!runner.builtin || !isUnisolated) return false
  return !(await readSettingOrDefault(db, 'allow_jobs_without_isolation'))
}

/** Whether a job is pending that the runner could claim. */
export async function hasPendingJob(
  uses: Pick<Instance, 'db' | 'config'>,
  asking: Pick<Asking, 'runner' | 'isUnisolated'>,
): Promise<boolean> {
  if (asking.runner.paused || (await lacksIsolation(uses.db, asking))) return false
  return (await findReachableJob(uses, asking.runner, [])) !== undefined
}

async function claimNext(
  uses: Instance,
  asking: Asking,
  token: string,
): Promise<Claimed | undefined> {
  const unreachable: string[] = []
  for (;;) {
    const next = await findReachableJob(uses, asking.runner, unreachable)
    if (!next) return undefined
    const claimed = await claim(uses, asking, next, token)
    if (claimed) return claimed
  }
}

/**
 * Returns the next job whose storage is reachable. Adds storages of unreachable servers to `unreachable`; the
 * jobs of their projects wait.
 */
async function findReachableJob(
  uses: Pick<Instance, 'db' | 'config'>,
  runner: Runner,
  unreachable: string[],
): Promise<QueuedJob | undefined> {
  for (;;) {
    const next = await findNextJobForRunner(uses.db, runner, unreachable)
    const storage = next && (await findUnreachableStorage(uses, next.project_id))
    if (storage === undefined) return next
    unreachable.push(storage)
  }
}

/** Returns the storage of the project if its server is unreachable. */
async function findUnreachableStorage(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  project_id: number,
): Promise<string | undefined> {
  if (Object.keys(config.storagesElsewhere).length === 0) return undefined
  const storage = (await findRepositoryPlacement(db, project_id))?.repository_storage
  if (storage === undefined || !isStorageElsewhere(config, storage)) return undefined
  const isReachable = await requestFromReachableOwner(db, reachabilityRequest, {
    storage,
    input: null,
  })
  return isReachable ? undefined : storage
}

/** Succeeds if the server is running. */
export const reachabilityRequest = defineStorageOwnerRequest<null, true>({
  name: 'is-reachable',
  run: async () => true,
})

/** Assigns the job to the runner. Returns undefined if the job is no longer pending or cannot run. */
async function claim(
  uses: Instance,
  { runner, features }: Asking,
  { id, pipeline_id }: QueuedJob,
  token: string,
): Promise<Claimed | undefined> {
  return withLockedPipeline(uses, pipeline_id, async (locked) => {
    const { tx, clock } = locked
    const now = timestamp(clock)
    const job = await findJob(tx, id)
    if (job?.status !== 'pending') return undefined
    const spec = await getJobSpec(tx, id)
    const options = spec.options as JobOptions
    const user = job.user_id === null ? undefined : await findUser(tx, job.user_id)
    const dependencies = await listDependencyJobs(tx, { job, user, options })
    const claimed = { job, spec, dependencies }
    const problem = await problemOf(tx, claimed, { user, features, now })
    if (problem) {
      await finishJob(locked, job, { event: 'drop', failure_reason: problem })
      return undefined
    }
    const changes = { runner_id: runner.id, token_digest: digestToken(token) }
    const isMoved = await transitionJob(locked, { job, event: 'run', changes })
    if (!isMoved) return undefined
    return { ...claimed, job: { ...job, ...changes, status: 'running', started_at: now } }
  })
}

/** Returns the reason why the job cannot run on this runner or at all. */
async function problemOf(
  tx: Db,
  { job, spec, dependencies }: Claimed,
  { user, features, now }: { user: User | undefined; features: Asking['features']; now: string },
): Promise<FailureReason | undefined> {
  if (!user || findAccountProblem(user, now)) return 'user_blocked'
  const options = spec.options as JobOptions
  if (features && wants(options).some((feature) => ownValue(features, feature) !== true)) {
    return 'runner_unsupported'
  }
  if (!(await mayJobUserDeploy(tx, job))) return 'protected_environment_failure'
  if (job.environment_id !== null && (await isOutdatedDeployment(tx, job.id))) {
    const { ci_forward_deployment_enabled } = await getCiSettings(tx, job.project_id)
    if (ci_forward_deployment_enabled) return 'forward_deployment_failure'
  }
  return hasMissingDependencyArchive(dependencies, { job, options, now })
    ? 'missing_dependency_failure'
    : undefined
}

/** Returns the features of a job that not every runner supports. */
function wants({ artifacts, release, secrets }: JobOptions): string[] {
  return [
    ...(artifacts?.exclude ? ['artifacts_exclude'] : []),
    ...(release ? ['multi_build_steps'] : []),
    ...(secrets ? ['vault_secrets'] : []),
  ]
}

/** Returns the payload of a claimed job. The server with the repository builds it. */
async function describeJob(uses: Instance, source: JobPayloadSource): Promise<object> {
  const { job, project } = source
  const { repository_storage: storage } = project
  if (!isStorageElsewhere(uses.config, storage)) return describeJobHere(uses, source)
  return requestFromStorageOwner(uses.db, jobPayloadRequest, { storage, input: source }).catch(
    (cause) => {
      // The job is already claimed, so this request must not be forwarded to the other server.
      throw new Error(`Job ${job.id} was not described by the server of ${storage}.`, { cause })
    },
  )
}

async function describeJobHere(uses: Instance, source: JobPayloadSource): Promise<object> {
  const [payload] = await Promise.all([
    buildJobPayload(uses, source),
    ensurePipelineRef(uses, source.project, source.pipeline),
  ])
  return payload
}

/** Asks the server of a job's repository for the payload of the job. */
export const jobPayloadRequest = defineStorageOwnerRequest({
  name: 'job-payload',
  run: describeJobHere,
})

/**
 * Returns the payload of a claimed job; undefined if its pipeline or project was deleted in the meantime. If
 * the payload cannot be built, the job fails at once, since no runner will run it.
 */
async function handOver(
  uses: Instance,
  { runner, baseUrl }: Asking,
  claimed: Claimed,
  token: string,
): Promise<object | undefined> {
  const { job } = claimed
  try {
    const [pipeline, found] = await Promise.all([
      findPipeline(uses.db, job.pipeline_id),
      findProject(uses.db, anonymous, { id: job.project_id }),
    ])
    if (!pipeline || !found) return undefined
    const { project } = found
    return await describeJob(uses, { ...claimed, pipeline, project, runner, token, baseUrl })
  } catch (error) {
    await withLockedPipeline(uses, job.pipeline_id, async (locked) => {
      const current = await findJob(locked.tx, job.id)
      if (!current) return
      await finishJob(locked, current, { event: 'drop', failure_reason: 'scheduler_failure' })
    })
    if (!(await findProject(uses.db, anonymous, { id: job.project_id }))) return undefined
    throw error
  }
}
