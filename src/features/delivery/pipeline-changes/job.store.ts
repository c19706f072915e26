import type { WaitingJob } from '../../../ci/job-states.ts'
import type { CiStatus, Db } from '../../../db/db.ts'
import type { Job, JobChanges } from './job.ts'
import type { LockedPipeline } from './locked-pipeline.ts'

/** Returns the jobs of a pipeline without retried ones, with the fields that decide when each starts. */
export async function listUnretriedJobsWithStartConditions(
  db: Db,
  pipeline_id: number,
): Promise<
  (WaitingJob & Pick<Job, 'kind' | 'start_in_s' | 'resource_group_id' | 'environment_id'>)[]
> {
  const rows = await db
    .selectFrom('jobs')
    .select([
      'id',
      'name',
      'kind',
      'status',
      'allow_failure',
      'stage_position',
      'run_when',
      'needs',
      'start_in_s',
      'resource_group_id',
      'environment_id',
    ])
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, hasResourceGroup: row.resource_group_id !== null }))
}

/** Changes the status of those of the pipeline's jobs that have one of the given statuses. Returns their ids. */
export async function transitionJobs(
  { tx }: LockedPipeline,
  { ids, from }: { ids: readonly number[]; from: readonly CiStatus[] },
  changes: JobChanges & { status: CiStatus },
): Promise<number[]> {
  if (ids.length === 0) return []
  const moved = await tx
    .updateTable('jobs')
    .set(changes)
    .where('id', 'in', ids)
    .where('status', 'in', from)
    .returning('id')
    .execute()
  return moved.map(({ id }) => id)
}

/** Sets the time at which delayed jobs are due. */
export async function setScheduledTimesOfJobs(
  tx: Db,
  due: readonly { id: number; scheduled_at: string }[],
): Promise<void> {
  for (const { id, scheduled_at } of due) {
    await tx.updateTable('jobs').set({ scheduled_at }).where('id', '=', id).execute()
  }
}

/** Sets the status of the jobs' deployments to that of the jobs. */
export async function syncDeploymentStatusWithJobs(
  tx: Db,
  { ids, status, now }: { ids: readonly number[]; status: CiStatus; now: string },
): Promise<void> {
  const followed = { running: 1, success: 1, failed: 1, canceled: 1, skipped: 1 }
  if (ids.length === 0 || !(status in followed)) return
  await tx
    .updateTable('deployments')
    .set({
      status: status as 'running',
      updated_at: now,
      // The deployment may have finished before, since a skipped job can run later.
      finished_at: status === 'running' ? null : now,
    })
    .where('job_id', 'in', ids)
    .execute()
}
