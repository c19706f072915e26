// Jobs that run again: one, or all of a pipeline that did not succeed.
import type { ActorUser } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { changePipeline, enqueueJob } from './change-pipeline.ts'
import { listRetryable, resetSkipped } from './job.store.ts'
import { cloneJob, type Job } from './job.ts'

type Uses = { db: Db; clock: Clock }

/** Who may be run again: what has ended, but not by being skipped. */
export function isRetryable({ status, retried, kind }: Job): boolean {
  return !retried && kind !== 'external' && ['success', 'failed', 'canceled'].includes(status)
}

/** Runs failed and cancelled jobs again as the user, and what was skipped because of them. */
export async function retryPipeline(
  uses: Uses,
  pipeline: Pipeline,
  user: ActorUser,
): Promise<void> {
  await changePipeline(uses, pipeline.id, async (tx) => {
    const now = timestamp(uses.clock)
    for (const job of await listRetryable(tx, pipeline.id)) {
      await cloneJob(tx, job, { attempt: 0, user_id: user.id, now })
    }
    await resetSkipped(tx, { pipeline_id: pipeline.id, now })
  })
}

/** One job again, at once, with what was skipped after it; answers the new id. */
export async function retryJob(uses: Uses, job: Job, user: ActorUser): Promise<number> {
  return changePipeline(uses, job.pipeline_id, async (tx) => {
    const now = timestamp(uses.clock)
    const id = await cloneJob(tx, job, { attempt: 0, user_id: user.id, now })
    await enqueueJob(tx, uses.clock, { job: { ...job, id } })
    await waitAgain(tx, uses.clock, job)
    return id
  })
}

/** What was skipped beside a job or after it waits again, now that the job runs. */
export function waitAgain(tx: Db, clock: Clock, job: Job): Promise<void> {
  const { pipeline_id, stage_position: after } = job
  return resetSkipped(tx, { pipeline_id, now: timestamp(clock), after })
}
