import {
  blobStoreOf,
  deleteBlob,
  ensureBlobStorageReachable,
  removeBlobLeftovers,
} from '../../../blobs/blob-store.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { defineTask } from '../../../tasks/task.ts'
import { lfsBlobPlace } from './lfs.ts'
import { deleteUnlinkedLfsObject, listUnlinkedLfsObjects } from './lfs-object.store.ts'

/** How long an object may exist without a project: an upload stores it first and links it last. */
const unlinked_ms_max = 24 * 60 * 60_000
const objects_a_run = 100

/**
 * Deletes objects that no project has. Recurring. The file is deleted while its row is locked: an upload of the same object
 * waits, and then stores it again. An interrupted run leaves a row without a file, which the next run deletes.
 */
export async function removeUnlinkedLfsObjects({
  db,
  clock,
  config,
}: Pick<Instance, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = new Date(clock().getTime() - unlinked_ms_max).toISOString()
  const blobs = blobStoreOf(config)
  for (const { id, oid } of await listUnlinkedLfsObjects(db, { before, limit: objects_a_run })) {
    await ensureBlobStorageReachable(blobs, lfsBlobPlace(oid))
    await runTransaction(db, async (tx) => {
      if (await deleteUnlinkedLfsObject(tx, { id, before })) {
        await deleteBlob(blobs, lfsBlobPlace(oid))
      }
    })
  }
}

/** Deletes files that uploads left when the server died. Recurring. */
export async function removeInterruptedUploads({
  config,
}: Pick<Instance, 'config'>): Promise<void> {
  // File times come from the system clock, also if the server runs with another clock.
  await removeBlobLeftovers(blobStoreOf(config), systemClock().getTime())
}

export const lfsTasks = [
  defineTask({
    name: 'remove-unlinked-lfs-objects',
    lane: 'removal',
    every_ms: 60_000,
    run: removeUnlinkedLfsObjects,
  }),
  defineTask({
    name: 'remove-upload-leftovers',
    lane: 'removal',
    every_ms: 60_000,
    run: removeInterruptedUploads,
  }),
]
