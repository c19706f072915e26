// Blobs that one row alone has. Before a blob is put in place its removal is asked for, and taken back with the
// row that has it; so one that no row has does not stay, whenever the server dies.

import {
  type BlobKind,
  blobStoreOf,
  deleteBlob,
  linkBlob,
  newBlobName,
  ownBlobPlace,
  type ReceivedBlob,
  storeBlob,
} from '../../../blobs/blob-store.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { defineTask, dequeue, enqueue } from '../../../tasks/task.ts'

type OwnedBlob = { kind: BlobKind; name: string }

const grace_ms = 24 * 60 * 60_000

/** Safe to do twice: what is gone stays gone. */
export const removeOwnBlob = defineTask({
  name: 'remove-own-blob',
  lane: 'removal',
  async run({ config }: Pick<Instance, 'config'>, { kind, name }: OwnedBlob) {
    await deleteBlob(blobStoreOf(config), ownBlobPlace(kind, name))
  },
})

/** A new name, whose blob is removed unless `claimOwnBlob` takes that back in time. */
async function nameOwnBlob(db: Db, clock: Clock, kind: BlobKind): Promise<string> {
  const name = newBlobName()
  await enqueue(db, clock, {
    task: removeOwnBlob,
    key: name,
    payload: { kind, name },
    delay_ms: grace_ms,
  })
  return name
}

/** Puts a received blob in place; answers its name. Its row must be made by `claimOwnBlob`. */
export async function placeOwnBlob(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  received: ReceivedBlob,
  kind: BlobKind,
): Promise<string> {
  const name = await nameOwnBlob(db, clock, kind)
  await storeBlob(blobStoreOf(config), received, ownBlobPlace(kind, name))
  return name
}

/**
 * Gives a blob of one row to another row too, under a name of its own; answers that, or undefined where the
 * blob is gone. Its row must be made by `claimOwnBlob`.
 */
export async function shareOwnBlob(
  { db, clock, config }: Pick<Instance, 'db' | 'clock' | 'config'>,
  from: OwnedBlob,
  kind: BlobKind,
): Promise<string | undefined> {
  const name = await nameOwnBlob(db, clock, kind)
  const source = ownBlobPlace(from.kind, from.name)
  const isShared = await linkBlob(blobStoreOf(config), source, ownBlobPlace(kind, name))
  return isShared ? name : undefined
}

/** Takes back the removal, in the transaction in which a row gets the blob. */
export async function claimOwnBlob(tx: Db, name: string): Promise<void> {
  await dequeue(tx, { task: removeOwnBlob, key: name })
}

/** Has a blob removed, in the transaction in which its row goes. */
export async function releaseOwnBlob(
  tx: Db,
  clock: Clock,
  { kind, name }: OwnedBlob,
): Promise<void> {
  await enqueue(tx, clock, { task: removeOwnBlob, key: name, payload: { kind, name } })
}
