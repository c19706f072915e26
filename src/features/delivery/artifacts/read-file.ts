// Reads a text file of a job's artifacts, for the configuration of a child pipeline.

import type { Actor } from '../../../access/actor.ts'
import {
  findZipEntry,
  isZipEntryReadable,
  openZipEntry,
  ZipError,
  type ZipFile,
} from '../../../blobs/zip.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { findJobArchiveInPipelineTree } from './artifact.store.ts'
import { findReadableJobArchives } from './find-readable-job-archives.ts'
import { openJobArchive } from './open-archive.ts'

/** Returns the text of a file, or the message for clients if it cannot be read. */
export async function readFileOfJobArtifacts(
  { db, config }: Pick<Instance, 'db' | 'config'>,
  actor: Actor,
  pipeline_id: number,
  { job, path }: { job: string; path: string },
): Promise<{ text: string } | { problem: string }> {
  const found = await findJobArchiveInPipelineTree(db, { pipeline_id, job })
  const archive =
    found && (await findReadableJobArchives(db, actor, [found.job_id])).get(found.job_id)
  if (!archive) return { problem: `Job \`${job}\` has no artifacts that could be included!` }
  const zip: ZipFile = {
    size: Number(archive.size),
    read: (range) => openJobArchive(config, archive, range),
  }
  const missing = { problem: `File \`${path}\` is not in the artifacts of job \`${job}\`!` }
  try {
    const entry = await findZipEntry(zip, path.replace(/^\//, ''))
    if (!entry || !isZipEntryReadable(entry)) return missing
    if (entry.size > limits.ci.file_bytes) return { problem: `File \`${path}\` is too large!` }
    const chunks: Buffer[] = []
    for await (const chunk of await openZipEntry(zip, entry)) chunks.push(chunk as Buffer)
    return { text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    if (error instanceof ZipError) return missing
    throw error
  }
}
