// Moves blobs between the disk and S3 while a server uses them. The server looks at both places, so a blob is never
// missing: it is deleted at its old place only after it exists at the new one.

import { forEachConcurrently } from '../kernel/for-each-concurrently.ts'
import type { ListedBlob } from './backend.ts'
import { sha256OfBlobPlace } from './blob-place.ts'
import { type BlobBackends, type BlobStore, openBlobBackends } from './blob-store.ts'

export type MoveCounts = { moved: number; bytes: number; damaged: number }

export type MoveOptions = {
  at_once: number
  /** Stops the move before the next blob. */
  signal: AbortSignal
  /** Called with the reason for each blob that cannot be moved. */
  onDamaged: (problem: string) => void
  onMoved: (counts: MoveCounts) => void
}

/**
 * Moves every blob to where new ones are stored, several at once. Safe to repeat, wherever it was interrupted. The lane
 * `removal` must be held: a blob that is deleted while it is copied would come back. Throws the 503 of S3.
 */
export async function moveBlobs(
  store: BlobStore,
  { at_once, signal, onDamaged, onMoved }: MoveOptions,
): Promise<MoveCounts> {
  const { target, source } = await openBlobBackends(store)
  const counts = { moved: 0, bytes: 0, damaged: 0 }
  if (!source) return counts
  await forEachConcurrently(source.list(), at_once, async (blob) => {
    signal.throwIfAborted()
    const problem = await moveBlob({ target, source }, blob)
    if (problem === undefined) {
      counts.moved++
      counts.bytes += blob.size
      onMoved(counts)
    } else {
      counts.damaged++
      onDamaged(`${blob.place}: ${problem}`)
    }
  })
  return counts
}

/** Returns why a blob stays where it is; undefined if the blob was moved, or does not exist any more. */
async function moveBlob(
  { target, source }: Required<BlobBackends>,
  { place, size }: ListedBlob,
): Promise<string | undefined> {
  const stream = await source.read(place, {})
  if (!stream) return undefined
  const received = await target.receive(stream, { place, bytes_max: size })
  const sha256 = sha256OfBlobPlace(place) ?? received.sha256
  if (received.size !== size || received.sha256 !== sha256) {
    await received.discard()
    return received.size === size ? 'its SHA-256 is not the one in its name' : 'it is too short'
  }
  try {
    await received.commit()
  } catch (error) {
    await received.discard()
    throw error
  }
  await source.delete(place)
}
