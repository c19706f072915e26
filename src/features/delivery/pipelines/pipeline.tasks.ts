// Background work of pipelines: delayed jobs, and what follows the end of a pipeline.

import { isFinal } from '../../../ci/job-states.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { findRepositoryPlacement } from '../../../subjects/project.ts'
import { defineTask } from '../../../tasks/task.ts'
import {
  enqueueJob,
  pipelineFollowUpTaskNames,
  transitionJob,
  withLockedPipeline,
} from '../pipeline-changes/change-pipeline.ts'
import { findJob } from '../pipeline-changes/job.ts'
import { cancelOutdatedPipelinesTask } from './cancel-pipeline.ts'
import { findPipeline, getCiSettings, unlockArtifactsOfPipelines } from './pipeline.ts'
import { deletePipelineRef } from './pipeline-ref.ts'

/** Starts a delayed job that is due. A job that is far overdue fails. */
const startDelayed = defineTask({
  ...pipelineFollowUpTaskNames.startDelayed,
  async run({ db, clock }: Pick<Instance, 'db' | 'clock'>, { job_id }: { job_id: number }) {
    const found = await findJob(db, job_id)
    if (!found) return
    await withLockedPipeline({ db, clock }, found.pipeline_id, async (locked) => {
      const job = await findJob(locked.tx, job_id)
      if (job?.status !== 'scheduled') return
      const late_s = (clock().getTime() - Date.parse(job.scheduled_at ?? '')) / 1000
      if (late_s > limits.pipelines.delay_s_max) {
        const changes = { failure_reason: 'stale_schedule' }
        await transitionJob(locked, { job, event: 'drop', changes })
      } else {
        await enqueueJob(locked, { job })
      }
    })
  },
})

/** Releases what an ended or deleted pipeline held. Safe to repeat: a pipeline that runs again is left alone. */
const pipelineEnded = defineTask({
  ...pipelineFollowUpTaskNames.pipelineEnded,
  async run(
    { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
    { pipeline_id, project_id: deletedFrom }: { pipeline_id: number; project_id?: number },
  ) {
    const pipeline = await findPipeline(db, pipeline_id)
    if (!pipeline) {
      const project = deletedFrom && (await findRepositoryPlacement(db, deletedFrom))
      if (project) await deletePipelineRef({ git, config }, project, pipeline_id)
      return
    }
    if (!isFinal(pipeline.status)) return
    const { keep_latest_artifact } = await getCiSettings(db, pipeline.project_id)
    if (pipeline.status === 'success' && pipeline.parent_id === null) {
      const { project_id, ref, tag } = pipeline
      const before_id = keep_latest_artifact ? pipeline.id : pipeline.id + 1
      await unlockArtifactsOfPipelines(db, { project_id, ref, tag, before_id })
    }
    const project = await findRepositoryPlacement(db, pipeline.project_id)
    if (!project) return
    await deletePipelineRef({ git, config }, project, pipeline.id)
  },
})

export const pipelineTasks = [cancelOutdatedPipelinesTask, startDelayed, pipelineEnded]
