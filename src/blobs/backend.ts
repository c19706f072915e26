// The interface of blob backends: the disk (local-blobs.ts) and S3 (s3-blobs.ts). README.md describes the rules for
// both.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import type { BlobPlace } from './blob-place.ts'

/** Bytes from `start` to `end`, both counted from 0 and included. */
export type BlobRange = { start?: number; end?: number; chunk_bytes?: number }

export type ListedBlob = { place: BlobPlace; size: number }

export interface BlobBackend {
  /** See receiveBlob. */
  receive(stream: Readable, options: { place: BlobPlace; bytes_max: number }): Promise<ReceivedBlob>
  /** See linkBlob. */
  link(from: BlobPlace, place: BlobPlace): Promise<boolean>
  findSize(place: BlobPlace): Promise<number | undefined>
  /** See readBlob. */
  read(place: BlobPlace, range: BlobRange): Promise<Readable | undefined>
  /** Deletes a blob; does nothing if the blob does not exist. */
  delete(place: BlobPlace): Promise<void>
  /** Lists all blobs in no particular order. */
  list(): AsyncIterable<ListedBlob>
  /** Removes what interrupted uploads left; returns names for the log. */
  removeLeftovers(now_ms: number): Promise<string[]>
}

/** Bytes that have arrived and are counted and hashed, but are no blob yet. */
export type ReceivedBlob = {
  readonly sha256: string
  readonly size: number
  /** Makes the bytes the blob of their place, where they replace an existing one. The blob survives a power failure. */
  commit: () => Promise<void>
  /** Removes the bytes; does nothing after `commit`. */
  discard: () => Promise<void>
}

/** Why bytes were not taken: more of them than announced, or none came for too long. */
export class BlobReceiveError extends Error {
  readonly kind: 'too-large' | 'idle'

  constructor(kind: 'too-large' | 'idle') {
    super(kind === 'too-large' ? 'More bytes came than were announced.' : 'No bytes came any more.')
    this.kind = kind
  }
}

/**
 * Reads a stream to its end, counts and hashes its bytes, and hands each chunk to `write`. Throws BlobReceiveError after
 * `bytes_max` bytes or when none come for `limits.upload_idle_ms`, and the stream's own error.
 */
export async function readAndHashStream(
  stream: Readable,
  { bytes_max }: { bytes_max: number },
  write: (chunk: Buffer) => Promise<void>,
): Promise<{ sha256: string; size: number }> {
  const digest = createHash('sha256')
  let size = 0
  const idle = setTimeout(() => stream.destroy(new BlobReceiveError('idle')), limits.upload_idle_ms)
  try {
    // Its owner decides what becomes of a stream that is not read to its end: it may carry an answer.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      idle.refresh()
      size += chunk.length
      if (size > bytes_max) throw new BlobReceiveError('too-large')
      digest.update(chunk)
      await write(chunk)
    }
  } finally {
    clearTimeout(idle)
  }
  return { sha256: digest.digest('hex'), size }
}
