// Stores a file of a running job: first the whole blob, then its row.

import type { Readable } from 'node:stream'
import { BlobReceiveError } from '../../../blobs/backend.ts'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, readBlob } from '../../../blobs/blob-store.ts'
import { parseDuration_s } from '../../../ci/durations.ts'
import type { JobOptions } from '../../../ci/planned.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { ApiError, badRequest, forbidden, invalid } from '../../../kernel/errors.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import {
  cancelOwnBlobRemoval,
  commitOwnBlob,
  discardOwnBlob,
  type ReceivedOwnBlob,
  receiveOwnBlob,
} from '../../basics/own-blobs/own-blob.ts'
import { findQuotaExcess } from '../../repository/quotas/quota.ts'
import { addToArtifactsSize, setJobVariables } from '../jobs/job.ts'
import { findJob, getJobSpec, type Job, updateJobRow } from '../pipeline-changes/job.ts'
import { findArtifact, insertArtifact } from './artifact.store.ts'
import { checkArchiveLimits } from './check-archive-limits.ts'
import { readDotenvReport } from './dotenv.ts'
import { artifactFormatOf, isArtifactType } from './report-formats.ts'

export type NewArtifact = {
  job: Job
  file_type: string
  file_format: string
  filename: string
  /** The text of the configuration; undefined if the configuration does not set it. */
  expire_in: string | undefined
  stream: Readable
}

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>

/** Returns the 413 whose text runners look for. */
function tooLargeArtifact(): ApiError {
  return new ApiError('too-large', 'file size has reached maximum size limit')
}

/**
 * Stores an artifact, which survives a power failure once this ends. Storing the same file of the same type again changes
 * nothing. Throws 400 for another file of the same type, and for a format that does not fit the type.
 */
export async function storeArtifact(uses: Uses, artifact: NewArtifact): Promise<void> {
  const { db, config } = uses
  const { job, file_type, file_format, stream } = artifact
  if (!isArtifactType(file_type)) throw badRequest('Invalid file type')
  if (artifactFormatOf(file_type) !== file_format) {
    throw badRequest('Invalid file format with specified file type')
  }
  const received = await receiveOwnBlob(uses, 'artifacts', {
    stream,
    bytes_max: config.sizeLimits.artifact,
  }).catch((error) => {
    if (error instanceof BlobReceiveError && error.kind === 'too-large') throw tooLargeArtifact()
    throw error
  })
  try {
    if (await isStored(db, { job, file_type }, received)) return await received.discard()
    const { project_id } = job
    const excess = await findQuotaExcess(db, project_id, {
      bytes: received.size,
      goesTo: 'artifacts',
    })
    if (excess) throw tooLargeArtifact()
  } catch (error) {
    await received.discard()
    throw error
  }
  const blob = await commitOwnBlob(uses, received)
  try {
    // The content is read after the blob is stored, since an upload to S3 cannot be read before.
    const variables = await readContents(config, file_type, received)
    const { size, sha256 } = received
    await insertArtifactRow(uses, artifact, { blob, size, sha256, variables })
  } catch (error) {
    await discardOwnBlob(uses, received)
    throw error
  }
}

/** Returns whether the job already has the same file. Throws 400 if it has a different file of this type. */
async function isStored(
  db: Db,
  { job, file_type }: Pick<NewArtifact, 'job' | 'file_type'>,
  { sha256 }: ReceivedOwnBlob,
): Promise<boolean> {
  const existing = await findArtifact(db, { job_id: job.id, file_type })
  if (existing && existing.sha256 !== sha256) {
    throw badRequest('another artifact of the same type already exists')
  }
  return existing !== undefined
}

/**
 * Returns the variables of a dotenv file, and undefined for other files. Throws if a dotenv file is malformed
 * or an archive would unpack to too much.
 */
async function readContents(
  config: Config,
  file_type: string,
  { name, size }: ReceivedOwnBlob,
): Promise<{ key: string; value: string }[] | undefined> {
  const read = async (range?: { start: number; end: number }) => {
    const stream = await readBlob(blobStoreOf(config), ownBlobPlace('artifacts', name), range)
    if (!stream) throw new Error(`The artifact blob ${name} was deleted while it was stored.`)
    return stream
  }
  if (file_type === 'archive') {
    await checkArchiveLimits({ size, read }, { bytes_max: config.sizeLimits.artifact })
  }
  return file_type === 'dotenv' ? readDotenvReport(await read(), config.tier) : undefined
}

async function insertArtifactRow(
  { db, clock, config, secretKey }: Uses,
  { job, file_type, file_format, filename, expire_in }: NewArtifact,
  stored: {
    blob: string
    size: number
    sha256: string
    variables: { key: string; value: string }[] | undefined
  },
): Promise<void> {
  const { variables, ...file } = stored
  const now = timestamp(clock)
  const expire_at = expiryOf(expire_in ?? config.artifactsExpireIn, clock)
  await runTransaction(db, async (tx) => {
    const current = await findJob(tx, job.id)
    if (current?.status !== 'running') throw forbidden('Job is not running')
    const options = (await getJobSpec(tx, job.id)).options as JobOptions
    await cancelOwnBlobRemoval(tx, file.blob)
    await insertArtifact(tx, {
      ...file,
      job_id: job.id,
      project_id: job.project_id,
      file_type,
      file_format,
      filename,
      public: options.artifacts?.public ?? true,
      expire_at,
      created_at: now,
    })
    await addToArtifactsSize(tx, { project_id: job.project_id, bytes: file.size, now })
    if (file_type === 'archive') await updateJobRow(tx, job.id, { artifacts_expire_at: expire_at })
    if (variables) {
      const sealed = variables.map(({ key, value }) => ({
        key,
        value: sealSecret(secretKey, value),
      }))
      await setJobVariables(tx, { job_id: job.id, source: 'dotenv' }, sealed)
    }
  })
}

/** Returns when a file expires; null means never. */
function expiryOf(text: string, clock: Clock): string | null {
  const span_s = parseDuration_s(text)
  if (span_s === undefined) throw invalid({ expire_in: ['should be a duration'] })
  if (span_s === null || span_s === 0) return null
  return new Date(clock().getTime() + span_s * 1000).toISOString()
}
