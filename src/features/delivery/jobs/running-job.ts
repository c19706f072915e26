// Authenticates requests about a running job by its token.
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError, forbidden } from '../../../kernel/errors.ts'
import { digestToken } from '../../../kernel/ids.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { findJobByTokenDigest } from './job.store.ts'

/** How often the row of a running job is marked as alive; runners contact the server more often. */
const mark_interval_ms = 30_000

/** Whether the row of a running job must be marked as alive again. */
export function isJobHeartbeatDue({ updated_at }: Pick<Job, 'updated_at'>, clock: Clock): boolean {
  return clock().getTime() - Date.parse(updated_at) > mark_interval_ms
}

/** By this header a runner learns that its job was cancelled. */
export function jobStatusHeaders({ status }: Pick<Job, 'status'>): Record<string, string> {
  return { 'Job-Status': status }
}

/**
 * The job of the id, whose token it is and which runs. 403 otherwise, never 404: who has no token learns
 * nothing.
 */
export async function authenticateRunningJob(
  { db }: Pick<Instance, 'db'>,
  { id, token }: { id: number; token: string | undefined },
): Promise<Job> {
  const job = token ? await findJobByTokenDigest(db, digestToken(token)) : undefined
  if (!job || job.id !== id) throw forbidden()
  if (job.erased_at !== null) throw notRunning(job, 'Job has been erased!')
  if (job.status !== 'running') throw notRunning(job, 'Job is not running')
  return job
}

function notRunning(job: Job, reason: string): ApiError {
  const { detail } = forbidden(reason)
  return new ApiError('forbidden', detail, { headers: jobStatusHeaders(job) })
}
