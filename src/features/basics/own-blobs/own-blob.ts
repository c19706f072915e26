// Blobs that belong to a single row. The deletion of a blob is enqueued before the blob is stored, and canceled with the
// row; so no blob without a row stays, whenever the server dies.

import type { Readable } from 'node:stream'
import type { ReceivedBlob } from '../../../blobs/backend.ts'
import { type BlobKind, newBlobName, ownBlobPlace } from '../../../blobs/blob-place.ts'
import { blobStoreOf, deleteBlob, linkBlob, receiveBlob } from '../../../blobs/blob-store.ts'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { cancelWaitingTask, defineTask, enqueue } from '../../../tasks/task.ts'

type OwnedBlob = { kind: BlobKind; name: string }

const grace_ms = 24 * 60 * 60_000

/** Deletes a blob. Safe to repeat: a deleted blob stays deleted. */
export const removeOwnBlobTask = defineTask({
  name: 'remove-own-blob',
  lane: 'removal',
  async run({ config }: Pick<Instance, 'config'>, { kind, name }: OwnedBlob) {
    await deleteBlob(blobStoreOf(config), ownBlobPlace(kind, name))
  },
})

/** Enqueues the deletion of a blob that is about to be stored. `cancelOwnBlobRemoval` cancels the deletion. */
async function removeLater(db: Db, clock: Clock, { kind, name }: OwnedBlob): Promise<void> {
  await enqueue(db, clock, {
    task: removeOwnBlobTask,
    key: name,
    payload: { kind, name },
    delay_ms: grace_ms,
  })
}

export type ReceivedOwnBlob = ReceivedBlob & OwnedBlob

/** Receives a stream, as `receiveBlob` does, under a new name. Store it by `commitOwnBlob`, or discard it. */
export async function receiveOwnBlob(
  { config }: Pick<Instance, 'config'>,
  kind: BlobKind,
  { stream, bytes_max }: { stream: Readable; bytes_max: number },
): Promise<ReceivedOwnBlob> {
  const name = newBlobName()
  const place = ownBlobPlace(kind, name)
  const received = await receiveBlob(blobStoreOf(config), stream, { place, bytes_max })
  return { ...received, kind, name }
}

/**
 * Stores a received blob and returns its name; discards the blob on failure. The blob is removed later unless the transaction
 * that inserts its row calls `cancelOwnBlobRemoval`.
 */
export async function commitOwnBlob(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  received: ReceivedOwnBlob,
): Promise<string> {
  try {
    await removeLater(db, clock, received)
    await received.commit()
    return received.name
  } catch (error) {
    await received.discard()
    throw error
  }
}

/**
 * Copies the blob of a row for another row under a new name and returns that name; undefined if the blob is missing. The
 * copy is deleted later unless the transaction that inserts its row calls `cancelOwnBlobRemoval`.
 */
export async function copyOwnBlob(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  from: OwnedBlob,
  kind: BlobKind,
): Promise<string | undefined> {
  const name = newBlobName()
  await removeLater(db, clock, { kind, name })
  const source = ownBlobPlace(from.kind, from.name)
  const isShared = await linkBlob(blobStoreOf(config), source, ownBlobPlace(kind, name))
  return isShared ? name : undefined
}

/** Takes back the removal, in the transaction in which a row gets the blob. */
export async function cancelOwnBlobRemoval(tx: Db, name: string): Promise<void> {
  await cancelWaitingTask(tx, { task: removeOwnBlobTask, key: name })
}

/** Has a blob removed, in the transaction in which its row goes. */
export async function enqueueOwnBlobRemoval(
  tx: Db,
  clock: Clock,
  { kind, name }: OwnedBlob,
): Promise<void> {
  await enqueue(tx, clock, { task: removeOwnBlobTask, key: name, payload: { kind, name } })
}

/** Has a stored blob removed at once that is not to be claimed. */
export async function discardOwnBlob(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  blob: OwnedBlob,
): Promise<void> {
  await runTransaction(db, async (tx) => {
    // The deletion that is scheduled for tomorrow is replaced by one that is due now.
    await cancelOwnBlobRemoval(tx, blob.name)
    await enqueueOwnBlobRemoval(tx, clock, blob)
  })
}
