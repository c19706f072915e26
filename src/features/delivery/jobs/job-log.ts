// The log of a job: parts in the database while it grows, then a single blob.

import { Readable } from 'node:stream'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, readBlob } from '../../../blobs/blob-store.ts'
import { isFinal } from '../../../ci/job-states.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'
import {
  cancelOwnBlobRemoval,
  commitOwnBlob,
  receiveOwnBlob,
} from '../../basics/own-blobs/own-blob.ts'
import { pipelineFollowUpTaskNames } from '../pipeline-changes/change-pipeline.ts'
import { findJob, type Job, updateJobRow } from '../pipeline-changes/job.ts'
import { deleteJobLogParts, listJobLogParts } from './job.store.ts'

const parts_a_read = 4

/** Yields the bytes of a log from `start` on; a log in a file is read in chunks of `chunk_bytes`. */
export async function readJobLog(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  job: Pick<Job, 'id' | 'log_blob' | 'log_bytes'>,
  { start = 0, end, chunk_bytes }: { start?: number; end?: number; chunk_bytes?: number } = {},
): Promise<Readable> {
  const length = Number(job.log_bytes)
  const last = Math.min(end ?? length - 1, length - 1)
  if (start > last) return Readable.from([])
  if (job.log_blob !== null) {
    const place = ownBlobPlace('logs', job.log_blob)
    const stream = await readBlob(blobStoreOf(config), place, { start, end: last, chunk_bytes })
    if (!stream) throw new Error(`The log blob ${job.log_blob} of job ${job.id} was not found.`)
    return stream
  }
  return Readable.from(readParts(db, job, { start, end: last }), { objectMode: false })
}

async function* readParts(
  db: Db,
  { id }: Pick<Job, 'id'>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  // The part that contains the first byte begins at most one maximum part length before it.
  let at = Math.max(0, start - limits.pipelines.log_part_bytes + 1)
  while (at <= end) {
    const parts = await listJobLogParts(db, { job_id: id, start: at, limit: parts_a_read })
    for (const { start_byte, bytes } of parts) {
      const begin = Number(start_byte)
      at = begin + bytes.length
      const piece = bytes.subarray(Math.max(0, start - begin), Math.max(0, end + 1 - begin))
      if (piece.length > 0) yield piece
    }
    if (parts.length < parts_a_read) return
  }
}

/** Moves the log of a finished job into a blob. If it runs twice, the second blob is removed later. */
export const archiveJobLogTask = defineTask({
  ...pipelineFollowUpTaskNames.archiveLog,
  async run(uses: Pick<Instance, 'db' | 'clock' | 'config'>, { job_id }: { job_id: number }) {
    const { db } = uses
    const job = await findJob(db, job_id)
    if (!job || !isFinal(job.status) || job.log_blob !== null || Number(job.log_bytes) === 0) return
    const received = await receiveOwnBlob(uses, 'logs', {
      stream: await readJobLog(uses, job),
      bytes_max: Number(job.log_bytes),
    })
    if (received.size !== Number(job.log_bytes)) {
      await received.discard()
      throw new Error(
        `The log of job ${job_id} is incomplete: ${received.size} of ${job.log_bytes} bytes.`,
      )
    }
    const log_blob = await commitOwnBlob(uses, received)
    await runTransaction(db, async (tx) => {
      const current = await findJob(tx, job_id)
      // The log was erased or archived by another run in the meantime. The removal of the new blob is already
      // enqueued.
      if (!current || current.log_blob !== null || current.log_bytes !== job.log_bytes) return
      await cancelOwnBlobRemoval(tx, log_blob)
      await updateJobRow(tx, job_id, { log_blob })
      await deleteJobLogParts(tx, job_id)
    })
  },
})
