import type { Readable } from 'node:stream'
import { BlobReceiveError } from '../../../blobs/backend.ts'
import { blobStoreOf, receiveBlob } from '../../../blobs/blob-store.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import type { Project } from '../../../subjects/project.ts'
import { lfsBlobPlace, markProjectUsesLfs } from './lfs.ts'
import { linkLfsObjectToProject, reserveLfsObject } from './lfs-object.store.ts'

/**
 * Stores the bytes of an object and links it to the project. Returns false and changes nothing if the bytes do not match its
 * id and size. `confirm` is called once all bytes have arrived, and throws if the object must not be stored. Whether
 * another project has the same object makes no difference: a project has only what was uploaded to it.
 */
export async function storeLfsObject(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  project: Pick<Project, 'id' | 'uses_lfs'>,
  {
    oid,
    size,
    stream,
    confirm,
  }: { oid: string; size: number; stream: Readable; confirm?: () => Promise<void> },
): Promise<boolean> {
  const received = await receiveBlob(blobStoreOf(config), stream, {
    place: lfsBlobPlace(oid),
    bytes_max: size,
  }).catch(whenTooLarge)
  if (received?.size !== size || received.sha256 !== oid) {
    await received?.discard()
    return false
  }
  const now = timestamp(clock)
  try {
    await confirm?.()
    await reserveLfsObject(db, { oid, size, now })
    await received.commit()
  } catch (error) {
    await received.discard()
    throw error
  }
  await runTransaction(db, async (tx) => {
    await linkLfsObjectToProject(tx, { oid, project_id: project.id, now })
    if (!project.uses_lfs) await markProjectUsesLfs(tx, project.id)
  })
  return true
}

function whenTooLarge(error: unknown): undefined {
  if (!(error instanceof BlobReceiveError) || error.kind !== 'too-large') throw error
}
