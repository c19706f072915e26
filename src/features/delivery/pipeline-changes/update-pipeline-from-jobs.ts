import { derivePipelineStatus, isFinal } from '../../../ci/job-states.ts'
import type { CiStatus } from '../../../db/db.ts'
import type { LockedPipeline } from './locked-pipeline.ts'
import {
  findPipelineTimesAndJobOutcomes,
  listJobRunPeriods,
  updatePipeline,
} from './pipeline-change.store.ts'

/**
 * Updates the status, times and figures of a pipeline from its jobs. If nothing has changed, the row is not updated, nor its
 * times. Returns its new and former status, its project, and the job of another pipeline that started it.
 */
export async function updatePipelineFromJobs(
  { tx, id, hasChangedJobs }: LockedPipeline,
  { now }: { now: string },
): Promise<{
  status: CiStatus
  before: CiStatus
  upstream_job_id: number | null
  project_id: number
}> {
  const { pipeline, outcomes, coverage } = await findPipelineTimesAndJobOutcomes(tx, id)
  const status = derivePipelineStatus(outcomes)
  const hasEnded = isFinal(status)
  const started_at = pipeline.started_at ?? (status === 'running' ? now : null)
  const endsNow = hasEnded && (status !== pipeline.status || pipeline.finished_at === null)
  const derived = {
    status,
    coverage,
    started_at,
    finished_at: endsNow ? now : hasEnded ? pipeline.finished_at : null,
    queued_duration: started_at === null ? null : secondsBetween(pipeline.created_at, started_at),
    duration: hasEnded && started_at ? runningSeconds(await listJobRunPeriods(tx, id)) : null,
  }
  const hasChanged = (Object.keys(derived) as (keyof typeof derived)[]).some(
    (column) => derived[column] !== pipeline[column],
  )
  if (hasChanged || hasChangedJobs) await updatePipeline(tx, id, { ...derived, updated_at: now })
  const { status: before, upstream_job_id, project_id } = pipeline
  return { status, before, upstream_job_id, project_id }
}

/**
 * Returns the seconds in which at least one job ran, as the real product counts them. `periods` must be
 * sorted by start.
 */
function runningSeconds(
  periods: readonly { started_at: string | null; finished_at: string | null }[],
): number {
  let total_ms = 0
  let until_ms = 0
  for (const { started_at, finished_at } of periods) {
    if (started_at === null || finished_at === null) continue
    const end_ms = Date.parse(finished_at)
    total_ms += Math.max(0, end_ms - Math.max(until_ms, Date.parse(started_at)))
    until_ms = Math.max(until_ms, end_ms)
  }
  return Math.floor(total_ms / 1000)
}

function secondsBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / 1000)
}
