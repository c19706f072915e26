import type { Instance } from '../../../http/endpoint.ts'
import { withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob, type Job } from '../pipeline-changes/job.ts'
import { finishJob } from './finish-job.ts'

/** Cancels a job; does nothing if it has finished. */
export async function cancelJob(uses: Pick<Instance, 'db' | 'clock'>, job: Job): Promise<void> {
  await withLockedPipeline(uses, job.pipeline_id, async (locked) => {
    const current = await findJob(locked.tx, job.id)
    if (current) await finishJob(locked, current, { event: 'cancel' })
  })
}
