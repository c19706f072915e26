// Blobs in S3, each an object with the name that it would have on disk. A blob is complete or absent, as objects are.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { FairLimiter } from '../kernel/fair-limiter.ts'
import { limits } from '../kernel/limits.ts'
import {
  type BlobBackend,
  type BlobRange,
  type ListedBlob,
  type ReceivedBlob,
  readAndHashStream,
} from './backend.ts'
import { type BlobPlace, parseBlobPlace, sha256OfBlobPlace } from './blob-place.ts'
import { ChecksumError } from './s3-body.ts'
import { S3Objects } from './s3-objects.ts'
import type { S3Place } from './s3-place.ts'
import { checksumText } from './s3-upload.ts'

const known = new WeakMap<S3Place, S3Blobs>()

/** The blobs of a place, with the connections that were opened for it before. */
export function s3BlobsAt(place: S3Place): S3Blobs {
  const found = known.get(place) ?? new S3Blobs(place)
  known.set(place, found)
  return found
}

class S3Blobs implements BlobBackend {
  readonly #objects: S3Objects
  /** Limits memory, since each upload holds at most two parts. */
  readonly #uploads = new FairLimiter(limits.s3.uploads)
  #leftovers_ms = 0

  constructor(place: S3Place) {
    this.#objects = new S3Objects(place)
  }

  async receive(
    stream: Readable,
    { place, bytes_max }: { place: BlobPlace; bytes_max: number },
  ): Promise<ReceivedBlob> {
    const end = await this.#uploads.acquire()
    const upload = this.#objects.upload(place)
    try {
      const taken = await readAndHashStream(stream, { bytes_max }, (chunk) => upload.write(chunk))
      await upload.end()
      return {
        ...taken,
        commit: () => upload.complete(),
        discard: () => upload.abort(),
      }
    } catch (error) {
      await upload.abort()
      throw error
    } finally {
      end()
    }
  }

  async link(from: BlobPlace, place: BlobPlace): Promise<boolean> {
    const size = await this.findSize(from)
    return size !== undefined && this.#objects.copy(from, { key: place, size })
  }

  findSize(place: BlobPlace): Promise<number | undefined> {
    return this.#objects.findSize(place)
  }

  read(place: BlobPlace, range: BlobRange): Promise<Readable | undefined> {
    return this.#objects.read(place, range, (response) => checkOf(place, response))
  }

  delete(place: BlobPlace): Promise<void> {
    return this.#objects.delete(place)
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for await (const { key, size } of this.#objects.list()) {
      const place = parseBlobPlace(key)
      if (place) yield { place, size }
    }
  }

  /** Aborts uploads of dead servers. Lists them at most once an hour. */
  async removeLeftovers(now_ms: number): Promise<string[]> {
    if (now_ms - this.#leftovers_ms < limits.s3.leftovers_every_ms) return []
    this.#leftovers_ms = now_ms
    return this.#objects.abortLeftovers(now_ms, (key) => parseBlobPlace(key) !== undefined)
  }

  /** See presignBlob. */
  presign(
    place: BlobPlace,
    { disposition = 'attachment' }: { disposition?: string },
  ): Promise<string> {
    const query: Record<string, string> = {
      'response-content-type': 'application/octet-stream',
      'response-content-disposition': disposition,
    }
    return this.#objects.presign(place, query, limits.s3.presigned_s)
  }
}

/** Returns a check of all bytes of a blob against the hash in its name and the checksum of S3. */
function checkOf(place: BlobPlace, { headers }: IncomingMessage) {
  const sha256 = sha256OfBlobPlace(place)
  const given = headers['x-amz-checksum-crc32']
  // The checksum of an object in parts is a checksum of checksums, which ends in the number of parts. It is
  // not used.
  const crc = typeof given === 'string' && !given.includes('-') ? given : undefined
  const digest = createHash('sha256')
  let sum = 0
  return {
    update(chunk: Buffer) {
      if (sha256 !== undefined) digest.update(chunk)
      if (crc !== undefined) sum = crc32(chunk, sum)
    },
    end() {
      const isOther = crc !== undefined && crc !== checksumText(sum)
      if (isOther || (sha256 !== undefined && digest.digest('hex') !== sha256)) {
        throw new ChecksumError(`The bytes of blob ${place} are not those that were stored.`)
      }
    },
  }
}
