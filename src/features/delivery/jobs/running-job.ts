// Authenticates requests about a running job by its token.
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError, forbidden } from '../../../kernel/errors.ts'
import { digestToken } from '../../../kernel/ids.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { findJobByTokenDigest } from './job.store.ts'

/** How often the row of a running job is marked as alive; runners contact the server more often. */
const mark_interval_ms = 30_000

/** Whether the heartbeat of a running job has to be stored again. */
export function isJobHeartbeatDue({ updated_at }: Pick<Job, 'updated_at'>, clock: Clock): boolean {
  return clock().getTime() - Date.parse(updated_at) > mark_interval_ms
}

/** Returns the header by which a runner learns that its job was canceled. */
export function jobStatusHeaders({ status }: Pick<Job, 'status'>): Record<string, string> {
  return { 'Job-Status': status }
}

/**
 * Returns the running job with that id if the token is its own. Throws 403 otherwise, never 404, so that a caller without
 * the token learns nothing.
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
