// Reports the state of a downstream pipeline to the trigger job that follows it.

import { isFinal } from '../../../ci/job-states.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { defineTask } from '../../../tasks/task.ts'
import { finishJob } from '../jobs/finish-job.ts'
import {
  pipelineFollowUpTaskNames,
  withLockedPipeline,
} from '../pipeline-changes/change-pipeline.ts'
import { findJob, getJobSpec } from '../pipeline-changes/job.ts'
import { findPipeline } from '../pipelines/pipeline.ts'

/** Updates the job that started a pipeline. It reads the current state, so a repeated or late run does no harm. */
export const notifyUpstreamTask = defineTask({
  ...pipelineFollowUpTaskNames.notifyUpstream,
  async run(
    { db, clock }: Pick<Instance, 'db' | 'clock'>,
    { pipeline_id }: { pipeline_id: number },
  ) {
    const pipeline = await findPipeline(db, pipeline_id)
    if (!pipeline?.upstream_job_id || !isFinal(pipeline.status)) return
    const job = await findJob(db, pipeline.upstream_job_id)
    if (job?.status !== 'running' || job.kind !== 'bridge') return
    const { trigger } = (await getJobSpec(db, job.id)).options as JobOptions
    if (!trigger?.strategy) return
    await withLockedPipeline({ db, clock }, job.pipeline_id, async (locked) => {
      const current = await findJob(locked.tx, job.id)
      if (current?.status !== 'running') return
      await finishJob(
        locked,
        current,
        pipeline.status === 'success'
          ? { event: 'succeed' }
          : { event: 'drop', failure_reason: 'unknown_failure' },
      )
    })
  },
})
