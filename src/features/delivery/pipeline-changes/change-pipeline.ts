// The only way to change jobs of a pipeline: lock it, change jobs, start those that waited, and recompute the status of
// the pipeline, all in one transaction (decision 0013).

import {
  isFinal,
  type JobEvent,
  jobStatusAfterEvent,
  jobStatusesBeforeEvent,
  type ResolvedJob,
  resolveWaitingJobs,
} from '../../../ci/job-states.ts'
import type { CiStatus, Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { enqueue, enqueueAll } from '../../../tasks/task.ts'
import { blockDeploymentsForApproval } from '../protected-environments/protected-environment.ts'
import {
  listUnretriedJobsWithStartConditions,
  setScheduledTimesOfJobs,
  syncDeploymentStatusWithJobs,
  transitionJobs,
} from './job.store.ts'
import type { Job, JobChanges } from './job.ts'
import { wakeWaitingJobRequests } from './job-queue.ts'
import { type LockedPipeline, lockPipeline } from './locked-pipeline.ts'
import { pipelineChangedEffect } from './pipeline-changed.ts'
import { updatePipelineFromJobs } from './update-pipeline-from-jobs.ts'

/** Names of the tasks that follow changes of pipelines. Other features define the tasks. */
export const pipelineFollowUpTaskNames = {
  /** `{ job_id }`: starts the pipeline of a trigger job. */
  startDownstream: { name: 'start-downstream', lane: 'delivery' },
  /** `{ job_id }`: starts a delayed job that is due. */
  startDelayed: { name: 'start-delayed-job', lane: 'delivery' },
  /** `{ resource_group_id }`: assigns the resource of the group if it is free and a job waits for it. */
  assignResource: { name: 'assign-resource', lane: 'delivery' },
  /**
   * `{ pipeline_id }`: the pipeline has ended, perhaps not for the first time. `project_id` is set if it was
   * deleted.
   */
  pipelineEnded: { name: 'pipeline-ended', lane: 'delivery' },
  /** `{ pipeline_id }`: the downstream pipeline of a trigger job has changed. */
  notifyUpstream: { name: 'tell-upstream', lane: 'delivery' },
  /** `{ pipeline_id }`: cancels earlier pipelines of the same reference if they are redundant. */
  cancelOutdated: { name: 'cancel-outdated-pipelines', lane: 'delivery' },
  /** `{ job_id }`: the log of a finished job is complete. */
  archiveLog: { name: 'archive-log', lane: 'delivery' },
} as const

type Uses = Pick<Instance, 'db' | 'clock'>

/**
 * Runs `change` with the pipeline locked, then advances the pipeline. If the pipeline was deleted, `change` finds no job. It
 * may run more than once (`runTransaction`).
 */
export async function withLockedPipeline<T>(
  { db, clock }: Uses,
  id: number,
  change: (locked: LockedPipeline) => Promise<T>,
): Promise<T> {
  const { answer, isWaking } = await runTransaction(db, async (tx) => {
    const locked = await lockPipeline(tx, clock, { id })
    const answer = await change(locked)
    const { events, isDeleted } = locked
    if (isDeleted) return { answer, isWaking: false }
    // A job that starts to run never starts other jobs.
    if (events.size === 1 && events.has('run')) {
      await recomputePipelineStatus(locked, { isNew: false })
      return { answer, isWaking: false }
    }
    const isSettling = await advancePipeline(locked)
    return { answer, isWaking: isSettling || events.has('enqueue') }
  })
  if (isWaking) wakeWaitingJobRequests()
  return answer
}

/** Applies an event to a job; returns false if it cannot happen in the job's status. */
export async function transitionJob(
  locked: LockedPipeline,
  {
    job,
    event,
    changes = {},
  }: {
    job: { id: number; resource_group_id: number | null; environment_id: number | null }
    event: JobEvent
    changes?: JobChanges
  },
): Promise<boolean> {
  const { tx, clock } = locked
  const now = timestamp(clock)
  const status = jobStatusAfterEvent(jobStatusesBeforeEvent(event)[0] ?? 'created', event)
  if (!status) throw new Error(`No transition for event ${event} of job ${job.id}.`)
  const moved = await transitionJobs(
    locked,
    { ids: [job.id], from: jobStatusesBeforeEvent(event) },
    { ...timesOf(status, now), ...changes, status, updated_at: now },
  )
  if (moved.length === 0) return false
  locked.recordEvent(event)
  locked.recordTransitions(moved, status)
  if (job.environment_id !== null)
    await syncDeploymentStatusWithJobs(tx, { ids: moved, status, now })
  if (job.resource_group_id !== null && (isFinal(status) || event === 'wait')) {
    await enqueueResourceAssignment(tx, clock, [job.resource_group_id])
  }
  return true
}

/**
 * Starts a job regardless of earlier jobs: it requests its resource, or becomes pending for a runner. A job whose deployment
 * needs approvals becomes manual instead.
 */
export async function enqueueJob(
  locked: LockedPipeline,
  {
    job,
    changes,
  }: {
    job: Pick<Job, 'id' | 'kind' | 'resource_group_id' | 'environment_id'>
    changes?: JobChanges
  },
): Promise<boolean> {
  const { tx, clock } = locked
  const held = await blockDeploymentsForApproval(tx, { jobs: [job], now: timestamp(clock) })
  if (held.has(job.id)) return transitionJob(locked, { job, event: 'actionize', changes })
  const event = job.resource_group_id === null ? 'enqueue' : 'wait'
  const isMoved = await transitionJob(locked, { job, event, changes })
  if (isMoved && job.kind === 'bridge' && event === 'enqueue') {
    const request = { key: String(job.id), payload: { job_id: job.id } }
    await enqueue(tx, clock, { task: pipelineFollowUpTaskNames.startDownstream, ...request })
  }
  return isMoved
}

function timesOf(status: CiStatus, now: string): JobChanges {
  if (status === 'pending') return { queued_at: now }
  if (status === 'running') return { started_at: now }
  return isFinal(status) ? { finished_at: now } : {}
}

/** Advances waiting jobs of the pipeline and recomputes its status. Returns whether a job may be available for runners. */
export async function advancePipeline(
  locked: LockedPipeline,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<boolean> {
  const { tx, clock, id } = locked
  const now = timestamp(clock)
  const jobs = await listUnretriedJobsWithStartConditions(tx, id)
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const settled = await withoutHeld(tx, resolveWaitingJobs(jobs), { byId, now })
  for (const [event, ids] of groupByEvent(settled)) {
    const status = settled.find((one) => one.event === event)?.status ?? 'created'
    const moved = await transitionJobs(
      locked,
      { ids, from: jobStatusesBeforeEvent(event) },
      { ...timesOf(status, now), status, updated_at: now },
    )
    locked.recordTransitions(moved, status)
    const deploying = ids.filter((jobId) => byId.get(jobId)?.environment_id != null)
    await syncDeploymentStatusWithJobs(tx, { ids: deploying, status, now })
  }
  const moved = settled.flatMap(({ id: jobId, event }) => {
    const job = byId.get(jobId)
    return job ? [{ ...job, event }] : []
  })
  await startDelays(tx, clock, moved)
  const bridges = moved.filter(({ kind, event }) => kind === 'bridge' && event === 'enqueue')
  await enqueueAll(tx, clock, {
    task: pipelineFollowUpTaskNames.startDownstream,
    requests: bridges.map(({ id: job_id }) => ({ key: String(job_id), payload: { job_id } })),
  })
  const wanted = moved.filter(({ event }) => event === 'wait' || event === 'skip')
  await enqueueResourceAssignment(
    tx,
    clock,
    wanted.flatMap(({ resource_group_id }) => resource_group_id ?? []),
  )
  await recomputePipelineStatus(locked, { isNew })
  return moved.some(({ event }) => event === 'enqueue')
}

/** Removes jobs whose deployments need approvals from the jobs that start, and makes them manual. */
async function withoutHeld(
  tx: Db,
  settled: readonly ResolvedJob[],
  {
    byId,
    now,
  }: { byId: ReadonlyMap<number, { id: number; environment_id: number | null }>; now: string },
): Promise<readonly ResolvedJob[]> {
  const isStart = ({ event }: ResolvedJob) => event === 'enqueue' || event === 'wait'
  const starting = settled.filter(isStart).flatMap(({ id }) => byId.get(id) ?? [])
  const held = await blockDeploymentsForApproval(tx, { jobs: starting, now })
  if (held.size === 0) return settled
  return settled.map((one) =>
    isStart(one) && held.has(one.id) ? { id: one.id, event: 'actionize', status: 'manual' } : one,
  )
}

/** Recomputes the status of the pipeline from its jobs, and enqueues the follow-up tasks. */
async function recomputePipelineStatus(
  locked: LockedPipeline,
  { isNew }: { isNew: boolean },
): Promise<void> {
  const { tx, clock, id } = locked
  const now = timestamp(clock)
  const { status, before, upstream_job_id, project_id } = await updatePipelineFromJobs(locked, {
    now,
  })
  const request = { key: String(id), payload: { pipeline_id: id } }
  if (isFinal(status))
    await enqueue(tx, clock, { task: pipelineFollowUpTaskNames.pipelineEnded, ...request })
  if (status !== before && upstream_job_id !== null) {
    await enqueue(tx, clock, { task: pipelineFollowUpTaskNames.notifyUpstream, ...request })
  }
  const jobs = locked.takeTransitions()
  await pipelineChangedEffect.run({
    ...{ tx, clock, project_id, status, jobs },
    pipeline_id: id,
    before: isNew ? null : before,
  })
}

function groupByEvent(settled: readonly ResolvedJob[]): Map<JobEvent, number[]> {
  const groups = new Map<JobEvent, number[]>()
  for (const { id, event } of settled) groups.set(event, [...(groups.get(event) ?? []), id])
  return groups
}

async function startDelays(
  tx: Db,
  clock: Clock,
  moved: readonly { id: number; event: JobEvent; start_in_s: number | null }[],
): Promise<void> {
  const delayed = moved.filter(({ event }) => event === 'schedule')
  const due = delayed.map(({ id, start_in_s }) => ({ id, delay_ms: (start_in_s ?? 0) * 1000 }))
  await setScheduledTimesOfJobs(
    tx,
    due.map(({ id, delay_ms }) => ({
      id,
      scheduled_at: new Date(clock().getTime() + delay_ms).toISOString(),
    })),
  )
  await enqueueAll(tx, clock, {
    task: pipelineFollowUpTaskNames.startDelayed,
    requests: due.map(({ id, delay_ms }) => ({
      key: String(id),
      payload: { job_id: id },
      delay_ms,
    })),
  })
}

async function enqueueResourceAssignment(
  tx: Db,
  clock: Clock,
  ids: readonly number[],
): Promise<void> {
  await enqueueAll(tx, clock, {
    task: pipelineFollowUpTaskNames.assignResource,
    requests: [...new Set(ids)].map((resource_group_id) => ({
      key: String(resource_group_id),
      payload: { resource_group_id },
    })),
  })
}
