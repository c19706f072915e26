// Erases the log and artifacts of a job; the job itself stays.

import { isFinal } from '../../../ci/job-states.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { enqueueOwnBlobRemoval } from '../../basics/own-blobs/own-blob.ts'
import { type Job, updateJobRow } from '../pipeline-changes/job.ts'
import { deleteJobLogParts } from './job.store.ts'
import { listJobArtifacts } from './job.ts'
import { removeArtifacts } from './remove-artifacts.ts'

/** Whether the job has finished and has a log or artifacts. */
export async function isJobErasable(db: Db, job: Job): Promise<boolean> {
  if (!isFinal(job.status) || job.erased_at !== null) return false
  return Number(job.log_bytes) > 0 || (await listJobArtifacts(db, [job.id])).length > 0
}

/** Deletes log and artifacts in the caller's transaction. */
export async function eraseJob(
  { db: tx, clock }: Pick<Instance, 'db' | 'clock'>,
  job: Job,
  user_id: number,
): Promise<void> {
  const artifacts = await listJobArtifacts(tx, [job.id])
  await removeArtifacts(
    tx,
    clock,
    artifacts.map(({ id }) => id),
  )
  if (job.log_blob !== null)
    await enqueueOwnBlobRemoval(tx, clock, { kind: 'logs', name: job.log_blob })
  await deleteJobLogParts(tx, job.id)
  await updateJobRow(tx, job.id, {
    erased_at: timestamp(clock),
    erased_by_id: user_id,
    log_bytes: 0,
    log_blob: null,
    artifacts_expire_at: null,
  })
}
