// Jobs that run again: one, or all of a pipeline that did not succeed.
import type { ActorUser } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { changePipeline, enqueueJob } from './change-pipeline.ts'
import { listRetryable, resetSkipped } from './job.store.ts'
import { cloneJob, findJob, type Job } from './job.ts'
import { listRunnable, mayRunJob, type RunCaller } from './run-right.ts'

type Uses = { db: Db; clock: Clock }
type Retrier = RunCaller & { user: ActorUser }

/** Who may be run again: what has ended, but not by being skipped. */
function isRetryable({ status, retried, kind }: Job): boolean {
  return !retried && kind !== 'external' && ['success', 'failed', 'canceled'].includes(status)
}

/**
 * Runs failed and cancelled jobs again as the user, and what was skipped because of them; not those the user may not
 * start.
 */
export async function retryPipeline(
  { db, clock }: Uses,
  { user, subject, level, actor }: Retrier,
  { id }: Pipeline,
): Promise<void> {
  await changePipeline({ db, clock }, id, async (tx) => {
    const now = timestamp(clock)
    for (const job of await listRunnable(
      tx,
      { subject, level, actor },
      await listRetryable(tx, id),
    )) {
      await cloneJob(tx, job, { attempt: 0, user_id: user.id, now })
    }
    await resetSkipped(tx, { pipeline_id: id, now })
  })
}

/** One job again, at once, with what was skipped after it; answers the new id. 403 where that may not be. */
export async function retryJob(
  { db, clock }: Uses,
  { user, subject, level, actor }: Retrier,
  { id: old_id, pipeline_id }: Job,
): Promise<number> {
  return changePipeline({ db, clock }, pipeline_id, async (tx) => {
    const now = timestamp(clock)
    const job = await findJob(tx, old_id)
    if (!job || !(await mayRunJob(tx, { subject, level, actor }, job))) throw forbidden()
    if (!isRetryable(job)) throw forbidden('Job is not retryable')
    const id = await cloneJob(tx, job, { attempt: 0, user_id: user.id, now })
    await enqueueJob(tx, clock, { job: { ...job, id } })
    await resetSkippedAfter(tx, clock, job)
    return id
  })
}

/** Resets jobs that were skipped in the stage of a job or later, now that the job runs. */
export function resetSkippedAfter(tx: Db, clock: Clock, job: Job): Promise<void> {
  const { pipeline_id, stage_position: after } = job
  return resetSkipped(tx, { pipeline_id, now: timestamp(clock), after })
}
