// Assigns the resource of a group to the next job (docs/api/ci.md, "Resource groups").

import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { defineTask, enqueue, enqueueAll } from '../../../tasks/task.ts'
import {
  pipelineFollowUpTaskNames,
  transitionJob,
  withLockedPipeline,
} from '../pipeline-changes/change-pipeline.ts'
import { findJob } from '../pipeline-changes/job.ts'
import {
  acquireResource,
  findJobWaitingForResource,
  findResourceGroup,
  hasUpcomingResourceJob,
  type JobWaitingForResource,
  listIdleResourceGroupIds,
  type ResourceGroup,
  releaseResource,
} from './resource-group.store.ts'

/**
 * Returns the next job by the process mode of the group. Returns undefined if no job waits, or if the mode requires an order
 * and an earlier job has not got that far.
 */
export async function chooseNextJobForResource(
  db: Db,
  group: ResourceGroup,
): Promise<JobWaitingForResource | undefined> {
  const { id, process_mode: mode } = group
  if (mode === 'unordered') return findJobWaitingForResource(db, { id, by: 'id' })
  const by = mode === 'oldest_first' ? 'oldest' : 'newest'
  const first = await findJobWaitingForResource(db, { id, by })
  if (!first || mode === 'newest_ready_first') return first
  const side = by === 'oldest' ? '<' : '>'
  const { pipeline_id } = first
  return (await hasUpcomingResourceJob(db, { group, side, pipeline_id })) ? undefined : first
}

/**
 * Assigns the resource of a group to the next job, unless a job that needs it has it. Safe to repeat: only one of several
 * runs finds it free.
 */
export const assignResourceTask = defineTask({
  ...pipelineFollowUpTaskNames.assignResource,
  async run(
    { db, clock }: Pick<Instance, 'db' | 'clock'>,
    { resource_group_id: id }: { resource_group_id: number },
  ) {
    await releaseResource(db, id)
    const group = await findResourceGroup(db, id)
    if (!group || group.job_id !== null) return
    const next = await chooseNextJobForResource(db, group)
    if (!next) return
    await withLockedPipeline({ db, clock }, next.pipeline_id, async (locked) => {
      const { tx } = locked
      const job = await findJob(tx, next.id)
      if (!job || !(await acquireResource(tx, { id, job_id: job.id }))) return
      const isMoved = await transitionJob(locked, { job, event: 'enqueue' })
      if (isMoved && job.kind === 'bridge') {
        const request = { key: String(job.id), payload: { job_id: job.id } }
        await enqueue(tx, clock, { task: pipelineFollowUpTaskNames.startDownstream, ...request })
      }
      // If the job was canceled in the meantime, the resource is released at once.
      if (!isMoved) await releaseResource(tx, id)
    })
  },
})

/** Assigns resources that became free without anyone assigning them, for example because their pipeline was deleted. */
const assignIdleResources = defineTask({
  name: 'assign-idle-resources',
  lane: 'delivery',
  every_ms: 60_000,
  async run({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
    const ids = await listIdleResourceGroupIds(db)
    await enqueueAll(db, clock, {
      task: assignResourceTask,
      requests: ids.map((id) => ({ key: String(id), payload: { resource_group_id: id } })),
    })
  },
})

export const resourceGroupTasks = [assignResourceTask, assignIdleResources]
