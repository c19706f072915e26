// Opens files of jobs for code that reads their content, above all reports.
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ownBlobPlace } from '../../../blobs/blob-place.ts'
import { type BlobSettings, blobStoreOf, readBlob } from '../../../blobs/blob-store.ts'

/**
 * Streams the uncompressed bytes of an artifact, up to a limit; undefined if its file is missing. Errors are reported to
 * the reader of the stream.
 */
export async function openUnpackedArtifact(
  config: BlobSettings,
  { blob, file_format }: { blob: string; file_format: string },
  { bytes_max, tooLarge }: { bytes_max: number; tooLarge: () => Error },
): Promise<Readable | undefined> {
  const file = await readBlob(blobStoreOf(config), ownBlobPlace('artifacts', blob))
  if (!file) return undefined
  const bounded = atMost(bytes_max, tooLarge)
  // The pipeline destroys all of its streams when the reader stops early.
  return file_format === 'gzip'
    ? pipeline(file, createGunzip(), bounded, () => {})
    : pipeline(file, bounded, () => {})
}

/** Whether an artifact could not be unpacked. */
export function isArtifactUnpackingError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true
}

function atMost(bytes_max: number, tooLarge: () => Error): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytes_max) done(tooLarge())
      else done(null, chunk)
    },
  })
}
