import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, deleteBlob, ensureBlobStorageReachable } from '../../../blobs/blob-store.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { defineTask } from '../../../tasks/task.ts'
import { deleteUnlinkedAvatar, listUnlinkedAvatars } from './avatar.store.ts'

/** How long an avatar may exist without an owner: an upload inserts its row first and links it last. */
const unlinked_ms_max = 60 * 60_000
const avatars_a_run = 100

/**
 * Deletes avatars that have no owner any more, or that an interrupted upload left. Recurring. The file is deleted while its
 * row is locked; an interrupted run leaves a row without a file, which the next run deletes.
 */
export async function removeUnlinkedAvatars({
  db,
  clock,
  config,
}: Pick<Instance, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = new Date(clock().getTime() - unlinked_ms_max).toISOString()
  const blobs = blobStoreOf(config)
  for (const { id, blob } of await listUnlinkedAvatars(db, { before, limit: avatars_a_run })) {
    const place = ownBlobPlace('avatars', blob)
    await ensureBlobStorageReachable(blobs, place)
    await runTransaction(db, async (tx) => {
      if (await deleteUnlinkedAvatar(tx, id)) {
        await deleteBlob(blobs, place)
      }
    })
  }
}

export const avatarTasks = [
  defineTask({
    name: 'remove-unlinked-avatars',
    lane: 'removal',
    every_ms: 60_000,
    run: removeUnlinkedAvatars,
  }),
]
