// Retries jobs: one, or all of a pipeline that did not succeed.

import type { ActorUser } from '../../../access/actor.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { enqueueJob, withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import {
  cloneJob,
  findJob,
  type Job,
  listRetryableJobs,
  resetSkippedJobs,
} from '../pipeline-changes/job.ts'
import type { LockedPipeline } from '../pipeline-changes/locked-pipeline.ts'
import { type CallerOnProject, filterRunnableJobs, recheckMayRunJob } from './run-right.ts'

type Uses = Pick<Instance, 'db' | 'clock'>
type Retrier = CallerOnProject & { user: ActorUser }

/** Whether a job can be run again: it has finished and was not skipped. */
function isRetryable({ status, retried, kind }: Job): boolean {
  return !retried && kind !== 'external' && ['success', 'failed', 'canceled'].includes(status)
}

/**
 * Retries failed and canceled jobs as the user, and resets jobs that were skipped because of them. Omits jobs that the user
 * may not start.
 */
export async function retryPipeline(
  { db, clock }: Uses,
  { user, subject, level, actor }: Retrier,
  { id }: Pipeline,
): Promise<void> {
  await withLockedPipeline({ db, clock }, id, async (locked) => {
    const { tx } = locked
    const retryable = await listRetryableJobs(tx, id)
    for (const job of await filterRunnableJobs(tx, { subject, level, actor }, retryable)) {
      await cloneJob(locked, job, { attempt: 0, user_id: user.id })
    }
    await resetSkippedJobs(locked)
  })
}

/**
 * Runs a job again at once, and the jobs that were skipped because of it. Returns the id of the new job. Throws 403 if
 * that is not allowed.
 */
export async function retryJob(
  { db, clock }: Uses,
  retrier: Retrier,
  { id: old_id, pipeline_id }: Job,
): Promise<number> {
  return withLockedPipeline({ db, clock }, pipeline_id, async (locked) => {
    const { tx } = locked
    const job = await recheckMayRunJob(tx, retrier, { job: await findJob(tx, old_id) })
    if (!isRetryable(job)) throw forbidden('Job is not retryable')
    const id = await cloneJob(locked, job, { attempt: 0, user_id: retrier.user.id })
    await enqueueJob(locked, { job: { ...job, id } })
    await resetSkippedJobsAfter(locked, job)
    return id
  })
}

/** Resets jobs that were skipped in the stage of a job or later, now that the job runs. */
export function resetSkippedJobsAfter(locked: LockedPipeline, job: Job): Promise<void> {
  return resetSkippedJobs(locked, { after: job.stage_position })
}
