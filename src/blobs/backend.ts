// The interface of blob backends: the disk (local-blobs.ts) and S3 (s3-blobs.ts). README.md describes the rules for
// both.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import type { BlobPlace } from './blob-place.ts'

/** A range of bytes. `start` and `end` count from 0 and are inclusive. */
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
  /** Deletes the remains of interrupted uploads. Returns names for the log. */
  removeLeftovers(now_ms: number): Promise<string[]>
}

/** Received bytes with their size and digest. They become a blob with `commit`. */
export type ReceivedBlob = {
  readonly sha256: string
  readonly size: number
  /**
   * Stores the bytes as the blob at their place and replaces an existing blob. Afterwards the blob survives a
   * power failure.
   */
  commit: () => Promise<void>
  /** Deletes the bytes; does nothing after `commit`. */
  discard: () => Promise<void>
}

/** The reason why receiving failed: more bytes than allowed, or no bytes for too long. */
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
    // The stream is not destroyed on errors, since its owner may still send a response on the same
    // connection.
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
