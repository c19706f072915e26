import { isFinal, pipelineStatus } from '../../../ci/job-states.ts'
import type { CiStatus, Db } from '../../../db/db.ts'
import { findProgress, updatePipeline } from './pipeline.store.ts'

/**
 * Brings status, times and figures of a locked pipeline in line with its jobs; answers its status, the one
 * it had before, its project, and the job of another pipeline that started it.
 */
export async function refreshPipeline(
  tx: Db,
  { id, now }: { id: number; now: string },
): Promise<{
  status: CiStatus
  before: CiStatus
  upstream_job_id: number | null
  project_id: number
}> {
  const { pipeline, outcomes, coverage } = await findProgress(tx, id)
  const status = pipelineStatus(outcomes)
  const hasEnded = isFinal(status)
  const started_at = pipeline.started_at ?? (status === 'running' ? now : null)
  const finished_at = hasEnded ? now : null
  await updatePipeline(tx, id, {
    status,
    coverage,
    started_at,
    finished_at,
    queued_duration: started_at === null ? null : secondsBetween(pipeline.created_at, started_at),
    duration: started_at && finished_at ? secondsBetween(started_at, finished_at) : null,
    updated_at: now,
  })
  const { status: before, upstream_job_id, project_id } = pipeline
  return { status, before, upstream_job_id, project_id }
}

function secondsBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / 1000)
}
