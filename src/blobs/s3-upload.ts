// Uploads an object: a small one with one PUT, a larger one in parts that are sent while further bytes arrive. At most
// two parts are in memory. S3 checks the SHA-256 of each part and stores the CRC-32 of the whole.
import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ApiError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { type S3Client, S3Error, textOfXmlElement, toStorageUnavailableError } from './s3-client.ts'

const { part_bytes, small_parts_max, large_part_bytes, parts_max, copy_part_bytes } = limits.s3

type Part = { number: number; etag: string; checksum: string | undefined }

export class S3Upload {
  readonly #client: S3Client
  readonly #key: string
  #uploadId: string | undefined
  #parts: Part[] = []
  #chunks: Buffer[] = []
  #bytes = 0
  #size = 0
  #digest: Hash = createHash('sha256')
  /** The CRC-32 of the current part, and of everything. */
  #partSum = 0
  #sum = 0
  #number = 1
  #sending: Promise<void> = Promise.resolve()
  #isOver = false

  constructor(client: S3Client, key: string) {
    this.#client = client
    this.#key = key
  }

  async write(chunk: Buffer): Promise<void> {
    const room = this.#partSize - this.#bytes
    this.#add(chunk.subarray(0, room))
    if (this.#bytes < this.#partSize) return
    await this.#sendPart()
    if (chunk.length > room) await this.write(chunk.subarray(room))
  }

  /** Resolves when S3 has all bytes, except for a small object, which `complete` sends. */
  async end(): Promise<void> {
    if (this.#uploadId === undefined) return
    if (this.#bytes > 0) await this.#sendPart()
    await this.#sending
  }

  /** Creates the object. */
  async complete(): Promise<void> {
    if (this.#uploadId === undefined) await this.#put()
    else await this.#join(this.#uploadId)
    this.#isOver = true
    this.#chunks = []
  }

  /** Creates the object as a copy of another one, which S3 copies in parts. */
  async copy(source: Record<string, string>, size: number): Promise<void> {
    this.#size = size
    try {
      const uploadId = await this.#begin({})
      for (let start = 0; start < size; start += copy_part_bytes) {
        const end = Math.min(start + copy_part_bytes, size) - 1
        const { text } = await this.#client.ask({
          method: 'PUT',
          key: this.#key,
          query: { partNumber: String(this.#number), uploadId },
          headers: { ...source, 'x-amz-copy-source-range': `bytes=${start}-${end}` },
          isLong: true,
        })
        const etag = textOfXmlElement(text, 'ETag') ?? ''
        this.#parts.push({ number: this.#number++, etag, checksum: undefined })
      }
      await this.#join(uploadId)
    } catch (error) {
      await this.abort()
      throw error
    }
  }

  /**
   * Deletes the uploaded parts; does nothing after `complete`. Parts that cannot be deleted now are deleted
   * as leftovers.
   */
  async abort(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#chunks = []
    await this.#sending.catch(() => {})
    const uploadId = this.#uploadId
    if (uploadId === undefined) return
    const query = { uploadId }
    await this.#client
      .ask({ method: 'DELETE', key: this.#key, query, accepts: [404] })
      .catch(() => {})
  }

  /** S3 allows 10,000 parts, so parts are larger after the first half of these. */
  get #partSize(): number {
    return this.#number <= small_parts_max ? part_bytes : large_part_bytes
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#size += chunk.length
    this.#digest.update(chunk)
    this.#partSum = crc32(chunk, this.#partSum)
    this.#sum = crc32(chunk, this.#sum)
  }

  async #sendPart(): Promise<void> {
    if (this.#number > parts_max) throw new ApiError('too-large', '413 Request Entity Too Large')
    const uploadId = this.#uploadId ?? (await this.#begin(checksumOfWhole))
    const number = this.#number++
    const checksum = checksumText(this.#partSum)
    const call = {
      method: 'PUT',
      key: this.#key,
      query: { partNumber: String(number), uploadId },
      headers: { 'x-amz-checksum-crc32': checksum },
      body: this.#chunks,
      sha256: this.#digest.digest('hex'),
    } as const
    this.#chunks = []
    this.#bytes = 0
    this.#partSum = 0
    this.#digest = createHash('sha256')
    await this.#sending
    this.#sending = this.#client.ask(call).then(({ response }) => {
      this.#parts.push({ number, etag: response.headers.etag ?? '', checksum })
    })
    // The next write, or `end`, throws the error.
    this.#sending.catch(() => {})
  }

  async #begin(headers: Record<string, string>): Promise<string> {
    const { text } = await this.#client.ask({
      method: 'POST',
      key: this.#key,
      query: { uploads: '' },
      headers: { ...headers, 'content-type': 'application/octet-stream' },
    })
    const uploadId = textOfXmlElement(text, 'UploadId')
    if (uploadId === undefined) throw toStorageUnavailableError(new Error('S3 began no upload.'))
    this.#uploadId = uploadId
    return uploadId
  }

  async #put(): Promise<void> {
    await this.#client.ask({
      method: 'PUT',
      key: this.#key,
      headers: {
        'content-type': 'application/octet-stream',
        'x-amz-checksum-crc32': checksumText(this.#sum),
      },
      body: this.#chunks,
      sha256: this.#digest.copy().digest('hex'),
    })
  }

  async #join(uploadId: string): Promise<void> {
    const hasChecksums = this.#parts.every(({ checksum }) => checksum !== undefined)
    const call = {
      method: 'POST',
      key: this.#key,
      query: { uploadId },
      headers: {
        'content-type': 'application/xml',
        ...(hasChecksums
          ? {
              'x-amz-checksum-crc32': checksumText(this.#sum),
              'x-amz-checksum-type': 'FULL_OBJECT',
            }
          : {}),
      },
      body: [Buffer.from(listOf(this.#parts))],
      isLong: true,
      accepts: [404],
    } as const
    const { response } = await this.#client.ask(call)
    if (response.statusCode === 404 && !(await this.#wasJoined())) {
      throw toStorageUnavailableError(new S3Error(call, { status: 404, code: 'NoSuchUpload' }))
    }
    this.#isOver = true
  }

  /**
   * Returns whether an earlier attempt has completed the upload although its response was lost. S3 then knows
   * only the object and not the upload.
   */
  async #wasJoined(): Promise<boolean> {
    const { response } = await this.#client.ask({
      method: 'HEAD',
      key: this.#key,
      accepts: [404],
    })
    return response.statusCode !== 404 && Number(response.headers['content-length']) === this.#size
  }
}

const checksumOfWhole = {
  'x-amz-checksum-algorithm': 'CRC32',
  'x-amz-checksum-type': 'FULL_OBJECT',
}

function listOf(parts: readonly Part[]): string {
  const items = parts.map(
    ({ number, etag, checksum }) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag>${
        checksum === undefined ? '' : `<ChecksumCRC32>${checksum}</ChecksumCRC32>`
      }</Part>`,
  )
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${items.join('')}</CompleteMultipartUpload>`
}

/** Formats a CRC-32 for S3: its four bytes in Base64. */
export function checksumText(sum: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(sum)
  return bytes.toString('base64')
}
