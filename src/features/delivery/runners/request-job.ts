// A runner asks for work: the best pending job is made its own, or it waits a while for one.
import type { JobOptions } from '../../../ci/planned.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { digestToken, newJobToken } from '../../../kernel/ids.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { findProject } from '../../../subjects/project.ts'
import { findUser, standingProblem } from '../../../subjects/user.ts'
import type { FailureReason } from '../jobs/failure-reasons.ts'
import { finishJob } from '../jobs/finish-job.ts'
import { changePipeline, moveJob } from '../pipelines/change-pipeline.ts'
import { isOutdatedDeployment } from '../pipelines/environment.ts'
import { findJob, findSpec, type Job } from '../pipelines/job.ts'
import { findCiSettings, findPipeline } from '../pipelines/pipeline.ts'
import { keepCommit } from '../pipelines/pipeline-ref.ts'
import { findDependencies, lacksDependency } from './dependencies.ts'
import { describeJob } from './job-payload.ts'
import { findQueuedJobs, type QueuedJob } from './job-queue.store.ts'
import type { Runner } from './runner.store.ts'

export type HandOutUses = {
  db: Db
  git: GitAccess
  clock: Clock
  config: Config
  secretKey: Buffer
}

type Asking = {
  runner: Runner
  /** What the runner can do; undefined where it does not say. */
  features: Record<string, unknown> | undefined
  baseUrl: string
}

/** The payload of a job that is the runner's from now on, or undefined where there is none for it. */
export async function takeJob(uses: HandOutUses, asking: Asking): Promise<object | undefined> {
  if (asking.runner.paused) return undefined
  for (;;) {
    const queued = await findQueuedJobs(uses.db, asking.runner)
    if (queued.length === 0) return undefined
    for (const candidate of queued) {
      const token = newJobToken()
      const job = await claim(uses, asking, candidate, token)
      if (!job) continue
      const payload = await handOver(uses, asking, job, token)
      if (payload) return payload
    }
  }
}

/** Makes the job the runner's, if it is still to be had and can run at all. */
async function claim(
  uses: HandOutUses,
  { runner, features }: Asking,
  { id, pipeline_id }: QueuedJob,
  token: string,
): Promise<Job | undefined> {
  const { clock } = uses
  return changePipeline(uses, pipeline_id, async (tx, now) => {
    const job = await findJob(tx, id)
    if (job?.status !== 'pending') return undefined
    const problem = await problemOf(tx, job, { features, now })
    if (problem) {
      await finishJob(tx, clock, job, { event: 'drop', failure_reason: problem })
      return undefined
    }
    const token_digest = digestToken(token)
    const changes = { runner_id: runner.id, token_digest }
    const isClaimed = await moveJob(tx, clock, { job, event: 'run', changes })
    return isClaimed ? { ...job, ...changes, status: 'running', started_at: now } : undefined
  })
}

/** Why the job cannot run, on this runner or at all. */
async function problemOf(
  tx: Db,
  job: Job,
  { features, now }: { features: Asking['features']; now: string },
): Promise<FailureReason | undefined> {
  const user = job.user_id === null ? undefined : await findUser(tx, job.user_id)
  if (!user || standingProblem(user, now)) return 'user_blocked'
  const options = (await findSpec(tx, job.id)).options as JobOptions
  if (features && wants(options).some((feature) => ownValue(features, feature) !== true)) {
    return 'runner_unsupported'
  }
  if (job.environment_id !== null && (await isOutdatedDeployment(tx, job.id))) {
    const { ci_forward_deployment_enabled } = await findCiSettings(tx, job.project_id)
    if (ci_forward_deployment_enabled) return 'forward_deployment_failure'
  }
  const dependencies = await findDependencies(tx, { job, options })
  return lacksDependency(dependencies, { job, options, now })
    ? 'missing_dependency_failure'
    : undefined
}

/** What a job needs that not every runner can. */
function wants({ artifacts, release, secrets }: JobOptions): string[] {
  return [
    ...(artifacts?.exclude ? ['artifacts_exclude'] : []),
    ...(release ? ['multi_build_steps'] : []),
    ...(secrets ? ['vault_secrets'] : []),
  ]
}

/** The payload of a claimed job. One that cannot be described fails at once, for nobody runs it. */
async function handOver(
  uses: HandOutUses,
  { runner, baseUrl }: Asking,
  job: Job,
  token: string,
): Promise<object | undefined> {
  try {
    const [pipeline, found] = await Promise.all([
      findPipeline(uses.db, job.pipeline_id),
      findProject(uses.db, { user: undefined, token: undefined }, { id: job.project_id }),
    ])
    if (!pipeline || !found) throw new Error('The pipeline of a job is gone.')
    const { project } = found
    await keepCommit(uses, project, pipeline)
    return await describeJob(uses, { job, pipeline, project, runner, token, baseUrl })
  } catch (error) {
    await changePipeline(uses, job.pipeline_id, (tx) =>
      finishJob(
        tx,
        uses.clock,
        { ...job, status: 'running' },
        {
          event: 'drop',
          failure_reason: 'scheduler_failure',
        },
      ),
    )
    throw error
  }
}
