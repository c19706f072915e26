// Opens the archive of a job for callers who may read it: the only way to its bytes except for the server's own work.
import type { Readable } from 'node:stream'
import { Level } from '../../../access/level.ts'
import type { Facts } from '../../../access/rule.ts'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { type BlobSettings, blobStoreOf, presignBlob, readBlob } from '../../../blobs/blob-store.ts'
import { contentDisposition } from '../../../http/disposition.ts'
import { mayReadPipelines } from '../../../subjects/pipeline.ts'
import type { Project } from '../../../subjects/project.ts'
import type { Artifact } from '../jobs/job.ts'

declare const asked: unique symbol

/** An archive that `mayReadJobArchive` has allowed the caller to read. */
export type ReadableJobArchive<A extends Artifact = Artifact> = A & { readonly [asked]: true }

/**
 * Whether the caller may read what jobs of the project have produced: everybody who may read its pipelines, but only
 * Reporters and above for output that is not public (`artifacts:public: false`; docs/api/ci.md, "Artifacts").
 */
export function mayReadJobOutput(facts: Facts<Project>, output: { public: boolean }): boolean {
  return mayReadPipelines(facts) && (output.public || facts.level >= Level.reporter)
}

export function mayReadJobArchive<A extends Artifact>(
  facts: Facts<Project>,
  archive: A,
): archive is ReadableJobArchive<A> {
  return archive.project_id === facts.subject.id && mayReadJobOutput(facts, archive)
}

/** Opens the bytes of an archive, or a range of them. */
export async function openJobArchive(
  config: BlobSettings,
  { job_id, blob }: ReadableJobArchive,
  range?: { start: number; end: number },
): Promise<Readable> {
  const stream = await readBlob(blobStoreOf(config), ownBlobPlace('artifacts', blob), range)
  if (!stream) throw new Error(`The archive of job ${job_id} has no file.`)
  return stream
}

/** Returns a temporary URL for downloading the archive directly from S3; undefined if that is not possible. */
export function presignJobArchiveUrl(
  config: BlobSettings,
  { blob, filename }: ReadableJobArchive<Artifact & { filename: string }>,
): Promise<string | undefined> {
  const disposition = contentDisposition('attachment', filename)
  return presignBlob(blobStoreOf(config), ownBlobPlace('artifacts', blob), { disposition })
}
