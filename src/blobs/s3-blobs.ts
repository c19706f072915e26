// Blobs in S3, each an object under the name it has on the disk. A blob is whole or absent: S3 shows an object once its
// one PUT, or the completion of its parts, has ended.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { Budget } from '../kernel/budget.ts'
import { ApiError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import {
  type BlobBackend,
  type BlobRange,
  type ListedBlob,
  type ReceivedBlob,
  readAndHash,
} from './backend.ts'
import { type BlobPlace, parsePlace, promisedSha256 } from './blob-place.ts'
import { ChecksumError, S3Body } from './s3-body.ts'
import { elementsOf, S3Client, storageUnavailable, textOf } from './s3-client.ts'
import type { S3Place } from './s3-place.ts'
import { checksumText, S3Upload } from './s3-upload.ts'

const known = new WeakMap<S3Place, S3Blobs>()

/** The blobs of a place, with the connections that were opened for it before. */
export function s3BlobsAt(place: S3Place): S3Blobs {
  const found = known.get(place) ?? new S3Blobs(place)
  known.set(place, found)
  return found
}

class S3Blobs implements BlobBackend {
  readonly #place: S3Place
  readonly #client: S3Client
  /** Each upload holds two parts at most, so this bounds memory. */
  readonly #uploads = new Budget(limits.s3.uploads)
  #leftovers_ms = 0

  constructor(place: S3Place) {
    this.#place = place
    this.#client = new S3Client(place)
  }

  async receive(
    stream: Readable,
    { place, bytes_max }: { place: BlobPlace; bytes_max: number },
  ): Promise<ReceivedBlob> {
    const end = await this.#uploads.acquire()
    const upload = new S3Upload(this.#client, place)
    try {
      const taken = await readAndHash(stream, { bytes_max }, (chunk) => upload.write(chunk))
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
    if (size === undefined) return false
    const { bucket, prefix } = this.#place
    const source = { 'x-amz-copy-source': `/${bucket}/${prefix}${from}` }
    if (size > limits.s3.copy_bytes_max) {
      const upload = new S3Upload(this.#client, place)
      await upload.copy(source, size)
      return true
    }
    const { response } = await this.#client.ask({
      method: 'PUT',
      key: place,
      headers: source,
      accepts: [404],
      isLong: true,
    })
    return response.statusCode !== 404
  }

  async findSize(place: BlobPlace): Promise<number | undefined> {
    const { response } = await this.#client.ask({ method: 'HEAD', key: place, accepts: [404] })
    return response.statusCode === 404 ? undefined : lengthOf(response)
  }

  async read(place: BlobPlace, { start = 0, end }: BlobRange): Promise<Readable | undefined> {
    const isWhole = start === 0 && end === undefined
    const open = (from: number, condition: Record<string, string> = {}) =>
      this.#client.open({
        method: 'GET',
        key: place,
        headers: {
          'x-amz-checksum-mode': 'ENABLED',
          ...condition,
          ...(isWhole && from === 0 ? {} : { range: `bytes=${from}-${end ?? ''}` }),
        },
        accepts: [404, 416],
      })
    const response = await open(start)
    const { statusCode, headers } = response
    if (statusCode === 404 || statusCode === 416) {
      response.resume()
      return statusCode === 404 ? undefined : Readable.from([])
    }
    const condition: Record<string, string> = headers.etag ? { 'if-match': headers.etag } : {}
    return new S3Body({
      response: partOf(place, response, isWhole),
      size: lengthOf(response),
      reopen: async (at) => partOf(place, await open(start + at, condition), isWhole && at === 0),
      stall_ms: this.#place.call_ms,
      failure: (cause) => (cause instanceof ApiError ? cause : storageUnavailable(cause)),
      check: isWhole ? checkOf(place, response) : undefined,
    })
  }

  async delete(place: BlobPlace): Promise<void> {
    await this.#client.ask({ method: 'DELETE', key: place, accepts: [404] })
  }

  async *list(): AsyncGenerator<ListedBlob> {
    const { prefix } = this.#place
    for (let after: string | undefined = ''; after !== undefined; ) {
      const query: Record<string, string> = { 'list-type': '2', prefix }
      if (after !== '') query['continuation-token'] = after
      const { text } = await this.#client.ask({ method: 'GET', query })
      for (const element of elementsOf(text, 'Contents')) {
        const place = parsePlace(textOf(element, 'Key')?.slice(prefix.length) ?? '')
        if (place) yield { place, size: Number(textOf(element, 'Size')) }
      }
      after = textOf(text, 'NextContinuationToken')
    }
  }

  /** Aborts uploads without a new part for a day: a server that died began them. Looks once an hour. */
  async removeLeftovers(now_ms: number): Promise<string[]> {
    const { leftovers_every_ms, leftovers_quiet_ms } = limits.s3
    if (now_ms - this.#leftovers_ms < leftovers_every_ms) return []
    this.#leftovers_ms = now_ms
    const { prefix } = this.#place
    const { text } = await this.#client.ask({ method: 'GET', query: { uploads: '', prefix } })
    const removed: string[] = []
    for (const element of elementsOf(text, 'Upload')) {
      const place = parsePlace(textOf(element, 'Key')?.slice(prefix.length) ?? '')
      const uploadId = textOf(element, 'UploadId')
      if (!place || uploadId === undefined) continue
      const query = { uploadId }
      const parts = await this.#client.ask({ method: 'GET', key: place, query, accepts: [404] })
      const times = [...elementsOf(parts.text, 'LastModified'), textOf(element, 'Initiated') ?? '']
      const newest_ms = Math.max(...times.map((time) => Date.parse(time)))
      if (!(now_ms - newest_ms > leftovers_quiet_ms)) continue
      await this.#client.ask({ method: 'DELETE', key: place, query, accepts: [404] })
      removed.push(place)
    }
    return removed
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
    return this.#client.presign(place, query, limits.s3.presigned_s)
  }
}

/** Throws where the answer has other bytes than were asked for: the blob was deleted meanwhile, or S3 knows no ranges. */
function partOf(place: BlobPlace, response: IncomingMessage, isWhole: boolean): IncomingMessage {
  const { statusCode } = response
  if (statusCode === 206 || (isWhole && statusCode === 200)) return response
  response.destroy()
  throw storageUnavailable(new Error(`S3 GET ${place}: ${statusCode} instead of 206`))
}

function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

/** Compares all bytes of a blob with the hash in its name, and with the checksum S3 has for it. */
function checkOf(place: BlobPlace, { headers }: IncomingMessage) {
  const sha256 = promisedSha256(place)
  const given = headers['x-amz-checksum-crc32']
  // Of parts alone, S3 has a checksum of their checksums; it ends in the number of parts.
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
