// Cancels pipelines: for a user, or because a newer one makes them redundant.

import { anonymous } from '../../../access/actor.ts'
import { jobStatusesBeforeEvent } from '../../../ci/job-states.ts'
import { branchRef } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { findProject, projectRepository } from '../../../subjects/project.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import {
  pipelineFollowUpTaskNames,
  transitionJob,
  withLockedPipeline,
} from '../pipeline-changes/change-pipeline.ts'
import { listCancelableJobs } from '../pipeline-changes/job.ts'
import {
  hasStartedUninterruptibleJob,
  listChildPipelines,
  listOutdatedPipelines,
} from './pipeline.store.ts'
import { findPipeline } from './pipeline.ts'

type Uses = Pick<Instance, 'db' | 'clock'>

/**
 * Cancels every unfinished job of a pipeline and its child pipelines; with `isInterruptible` only jobs that are
 * interruptible.
 */
export async function cancelPipeline(
  uses: Uses,
  id: number,
  { isInterruptible = false }: { isInterruptible?: boolean } = {},
): Promise<void> {
  await withLockedPipeline(uses, id, async (locked) => {
    const { tx, clock } = locked
    const jobs = await listCancelableJobs(tx, {
      pipeline_id: id,
      statuses: jobStatusesBeforeEvent('cancel'),
    })
    const meant = jobs.filter(
      (job) => !isInterruptible || job.interruptible || job.started_at === null,
    )
    for (const job of meant) await transitionJob(locked, { job, event: 'cancel' })
    await enqueueAll(tx, clock, {
      task: pipelineFollowUpTaskNames.archiveLog,
      requests: meant
        .filter(({ started_at }) => started_at !== null)
        .map(({ id: job_id }) => ({ key: String(job_id), payload: { job_id } })),
    })
  })
  for (const child of await listChildPipelines(uses.db, id)) {
    await cancelPipeline(uses, child.id, { isInterruptible })
  }
}

const outdated_max = 100

/**
 * Cancels earlier pipelines of a branch whose commit is no longer its head, unless a job that must not be interrupted has
 * started (docs/api/ci.md, "Canceling"). Safe to repeat.
 */
export const cancelOutdatedPipelinesTask = defineTask({
  ...pipelineFollowUpTaskNames.cancelOutdated,
  async run(
    uses: Uses & Pick<Instance, 'git' | 'config'>,
    { pipeline_id }: { pipeline_id: number },
  ) {
    const { db, config } = uses
    const pipeline = await findPipeline(db, pipeline_id)
    if (!pipeline || pipeline.tag || pipeline.parent_id !== null) return
    const found = await findProject(db, anonymous, { id: pipeline.project_id })
    const name = branchRef(pipeline.ref)
    const head = found && name && readRef(projectRepository(config, found.project), name)
    const earlier = await listOutdatedPipelines(db, {
      project_id: pipeline.project_id,
      ref: pipeline.ref,
      before_id: pipeline.id,
      head,
      limit: outdated_max,
    })
    for (const old of earlier) {
      if (old.auto_cancel === 'none') continue
      const isInterruptible = old.auto_cancel === 'interruptible'
      if (!isInterruptible && (await hasStartedUninterruptibleJob(db, old.id))) continue
      await cancelPipeline(uses, old.id, { isInterruptible })
    }
  },
})
