// Finishes a job: reported by its runner, canceled by a user, or because its runner no longer contacts the server.
import type { JobEvent } from '../../../ci/job-states.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { enqueue } from '../../../tasks/task.ts'
import { updateEnvironmentAfterJob } from '../deployments/deployment.ts'
import { pipelineFollowUpTaskNames, transitionJob } from '../pipeline-changes/change-pipeline.ts'
import { cloneJob, getJobSpec, type Job } from '../pipeline-changes/job.ts'
import type { LockedPipeline } from '../pipeline-changes/locked-pipeline.ts'
import type { FailureReason } from './failure-reasons.ts'

type Ending = {
  event: Extract<JobEvent, 'succeed' | 'drop' | 'cancel'>
  failure_reason?: FailureReason
  exit_code?: number
}

/**
 * Finishes a job; returns false if it has finished already. A failed job whose `retry` allows it is retried by a new row
 * that replaces it.
 */
export async function finishJob(
  locked: LockedPipeline,
  job: Job,
  { event, failure_reason, exit_code }: Ending,
): Promise<boolean> {
  const { tx, clock } = locked
  const options = (await getJobSpec(tx, job.id)).options as JobOptions
  const mayFail = exit_code !== undefined && options.allow_failure_exit_codes?.includes(exit_code)
  const isFailure = event === 'drop'
  const moved = await transitionJob(locked, {
    job,
    event,
    changes: {
      ...(isFailure ? { failure_reason: failure_reason ?? 'unknown_failure' } : {}),
      ...(exit_code === undefined ? {} : { exit_code }),
      ...(isFailure && options.allow_failure_exit_codes ? { allow_failure: mayFail ?? false } : {}),
    },
  })
  if (!moved) return false
  if (event === 'succeed' && job.environment_id !== null && options.environment) {
    const { environment_id } = job
    await updateEnvironmentAfterJob(tx, {
      environment_id,
      environment: options.environment,
      now: timestamp(clock),
    })
  }
  if (job.kind === 'build') {
    await enqueue(tx, clock, {
      task: pipelineFollowUpTaskNames.archiveLog,
      key: String(job.id),
      payload: { job_id: job.id },
    })
  }
  if (isFailure && isRepeated(job, options, { failure_reason, exit_code })) {
    await cloneJob(locked, job, { attempt: job.attempt + 1 })
  }
  return true
}

/** Reasons of failures after which an automatic retry would fail again. */
const finalReasons: readonly string[] = ['user_blocked', 'project_deleted', 'builds_disabled']

function isRepeated(
  job: Job,
  { retry, allow_failure_exit_codes: _ }: JobOptions,
  { failure_reason = 'unknown_failure', exit_code }: Omit<Ending, 'event'>,
): boolean {
  if (!retry || job.attempt >= retry.max || finalReasons.includes(failure_reason)) return false
  if (exit_code !== undefined && retry.exit_codes?.includes(exit_code)) return true
  if (retry.when.length === 0) return retry.exit_codes === undefined
  return retry.when.includes('always') || retry.when.includes(failure_reason)
}
