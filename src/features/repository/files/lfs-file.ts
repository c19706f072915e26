// The LFS object that a pointer in a repository refers to.

import { Readable } from 'node:stream'
import { blobStoreOf, readBlob } from '../../../blobs/blob-store.ts'
import { Answer } from '../../../http/answer.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Project } from '../../../subjects/project.ts'
import { attachmentHeaders } from '../blobs/raw.ts'
import { findLfsObject, lfsBlobPlace } from '../lfs/lfs.ts'
import { lfs_pointer_bytes_max, parseLfsPointer } from '../lfs/lfs-pointer.ts'
import type { FileAtCommit } from './file.ts'

/** Returns the object of an LFS pointer; undefined if the file is not a pointer. Throws 404 if the object does not exist. */
export async function createLfsObjectAnswer(
  { db, git, config }: Pick<Instance, 'db' | 'git' | 'config'>,
  project: Pick<Project, 'id' | 'lfs_enabled'>,
  view: { file: FileAtCommit; path: string; method: string; headers: Record<string, string> },
): Promise<Answer | undefined> {
  const { repository, blob, size } = view.file
  if (!project.lfs_enabled || size > lfs_pointer_bytes_max) return undefined
  const content = (await git.objects.blob(repository, blob))?.content
  const pointer = content && parseLfsPointer(content)
  if (!pointer) return undefined
  const object = await findLfsObject(db, { project_id: project.id, oid: pointer.oid })
  if (!object) throw notFound()
  const headers = {
    ...view.headers,
    ...attachmentHeaders(view.path),
    'content-length': String(object.size),
    ETag: `"${object.oid}"`,
  }
  // The body is an empty stream. Without a stream Fastify would send `content-length: 0`.
  if (view.method === 'HEAD') return Answer.raw(Readable.from([]), headers)
  const stream = await readBlob(blobStoreOf(config), lfsBlobPlace(object.oid))
  if (!stream) throw new Error(`The blob of LFS object ${object.oid} was not found.`)
  return Answer.raw(stream, headers)
}
