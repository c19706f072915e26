// Appends a part of a log that a runner sends (docs/api/runners.md, "The log").

import type { CiStatus } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { publishChange } from '../../basics/changes/change.ts'
import { withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob, type Job, updateJobRow } from '../pipeline-changes/job.ts'
import { finishJob } from './finish-job.ts'
import { appendJobLogPart } from './job.store.ts'
import { isJobHeartbeatDue } from './running-job.ts'

/**
 * Appends bytes at the end of the log. `isWhole` says whether the log then ends where the runner expects: sending the same
 * part twice is fine, leaving a gap is not.
 */
export async function appendJobLog(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  job: Job,
  { start, bytes, isDebug }: { start: number; bytes: Buffer; isDebug: boolean },
): Promise<{ isWhole: boolean; log_bytes: number; status: CiStatus }> {
  const now = timestamp(clock)
  if (isJobHeartbeatDue(job, clock) || (isDebug && !job.debug_log)) {
    await updateJobRow(db, job.id, { updated_at: now, ...(isDebug ? { debug_log: true } : {}) })
  }
  const appended =
    bytes.length === 0
      ? { log_bytes: Number(job.log_bytes), isAppended: true }
      : await appendJobLogPart(db, { job_id: job.id, start, bytes })
  await publishChange(db, `job:${job.id}`)
  const { log_bytes } = appended
  const { status } = appended.isAppended ? job : ((await findJob(db, job.id)) ?? job)
  return { isWhole: start + bytes.length === log_bytes, log_bytes, status }
}

/** Fails a job whose log exceeds the size limit. */
export async function failJobForLogSize(
  uses: Pick<Instance, 'db' | 'clock'>,
  job: Job,
): Promise<void> {
  await withLockedPipeline(uses, job.pipeline_id, async (locked) => {
    const current = await findJob(locked.tx, job.id)
    if (!current) return
    await finishJob(locked, current, {
      event: 'drop',
      failure_reason: 'trace_size_exceeded',
    })
  })
}
