// Objects of a bucket, or of a folder of it, by key: shared by blobs and backups in S3. S3 shows an object only after
// its PUT, or the completion of its parts, so an object is complete or absent.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { ApiError } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import type { BlobRange } from './backend.ts'
import { S3Body, type S3BodyOptions } from './s3-body.ts'
import {
  contentsOfXmlElements,
  encodeS3Key,
  S3Client,
  textOfXmlElement,
  toStorageUnavailableError,
} from './s3-client.ts'
import type { S3Place } from './s3-place.ts'
import { S3Upload } from './s3-upload.ts'

export type ListedObject = { key: string; size: number; modified_ms: number }

/** Keys are passed and returned without the prefix of the place. All methods throw a 503 after the last retry. */
export class S3Objects {
  readonly #place: S3Place
  readonly #client: S3Client

  constructor(place: S3Place) {
    this.#place = place
    this.#client = new S3Client(place)
  }

  /** Creates an upload. Nothing is sent before the first part is full or the upload is completed. */
  upload(key: string): S3Upload {
    return new S3Upload(this.#client, key)
  }

  /** Has S3 copy an object of `size` bytes within the bucket. Returns false if the object is missing. */
  async copy(from: string, { key, size }: { key: string; size: number }): Promise<boolean> {
    const { bucket, prefix } = this.#place
    const source = { 'x-amz-copy-source': `/${bucket}/${encodeS3Key(`${prefix}${from}`)}` }
    if (size > limits.s3.copy_bytes_max) {
      await this.upload(key).copy(source, size)
      return true
    }
    const { response } = await this.#client.ask({
      method: 'PUT',
      key,
      headers: source,
      accepts: [404],
      isLong: true,
    })
    return response.statusCode !== 404
  }

  /** Returns the size of an object in bytes; undefined if the object is missing. */
  async findSize(key: string): Promise<number | undefined> {
    const { response } = await this.#client.ask({ method: 'HEAD', key, accepts: [404] })
    return response.statusCode === 404 ? undefined : lengthOf(response)
  }

  /**
   * Reads an object, or a range of it. Returns undefined if the object is missing. `checkFor` returns the
   * check of a whole object from the headers of the response.
   */
  async read(
    key: string,
    { start = 0, end }: BlobRange = {},
    checkFor: (response: IncomingMessage) => S3BodyOptions['check'] = () => undefined,
  ): Promise<Readable | undefined> {
    const isWhole = start === 0 && end === undefined
    const open = (from: number, condition: Record<string, string> = {}) =>
      this.#client.open({
        method: 'GET',
        key,
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
      response: partOf(key, response, isWhole),
      size: lengthOf(response),
      reopen: async (at) => partOf(key, await open(start + at, condition), isWhole && at === 0),
      stall_ms: this.#place.call_ms,
      failure: (cause) => (cause instanceof ApiError ? cause : toStorageUnavailableError(cause)),
      check: isWhole ? checkFor(response) : undefined,
    })
  }

  /** Deletes an object; does nothing if it does not exist. */
  async delete(key: string): Promise<void> {
    await this.#client.ask({ method: 'DELETE', key, accepts: [404] })
  }

  /** Lists all objects whose keys begin with `folder`, which must be empty or end with a slash. */
  async *list(folder = ''): AsyncGenerator<ListedObject> {
    for await (const text of this.#listPages({ folder })) {
      for (const element of contentsOfXmlElements(text, 'Contents')) {
        const key = textOfXmlElement(element, 'Key')?.slice(this.#place.prefix.length) ?? ''
        const modified_ms = Date.parse(textOfXmlElement(element, 'LastModified') ?? '')
        yield { key, size: Number(textOfXmlElement(element, 'Size')), modified_ms }
      }
    }
  }

  /** Lists the names of the folders directly below the place. */
  async *listFolders(): AsyncGenerator<string> {
    for await (const text of this.#listPages({ folder: '', delimiter: '/' })) {
      for (const element of contentsOfXmlElements(text, 'CommonPrefixes')) {
        yield textOfXmlElement(element, 'Prefix')?.slice(this.#place.prefix.length, -1) ?? ''
      }
    }
  }

  /**
   * Aborts uploads without a new part for a day, which a dead process has started. Returns their keys.
   * `isOwn` excludes keys of other users of the bucket.
   */
  async abortLeftovers(now_ms: number, isOwn: (key: string) => boolean): Promise<string[]> {
    const { prefix } = this.#place
    const { text } = await this.#client.ask({ method: 'GET', query: { uploads: '', prefix } })
    const aborted: string[] = []
    for (const element of contentsOfXmlElements(text, 'Upload')) {
      const key = textOfXmlElement(element, 'Key')?.slice(prefix.length)
      const uploadId = textOfXmlElement(element, 'UploadId')
      if (!key || !isOwn(key) || uploadId === undefined) continue
      const query = { uploadId }
      const parts = await this.#client.ask({ method: 'GET', key, query, accepts: [404] })
      const times = [
        ...contentsOfXmlElements(parts.text, 'LastModified'),
        textOfXmlElement(element, 'Initiated') ?? '',
      ]
      const newest_ms = Math.max(...times.map((time) => Date.parse(time)))
      if (!(now_ms - newest_ms > limits.s3.leftovers_quiet_ms)) continue
      await this.#client.ask({ method: 'DELETE', key, query, accepts: [404] })
      aborted.push(key)
    }
    return aborted
  }

  /**
   * Returns a URL that gives anyone access to the object for `expires_s` seconds. `query` sets headers of the
   * response.
   */
  presign(key: string, query: Record<string, string>, expires_s: number): Promise<string> {
    return this.#client.presign(key, query, expires_s)
  }

  async *#listPages(asked: { folder: string; delimiter?: string }): AsyncGenerator<string> {
    const prefix = this.#place.prefix + asked.folder
    const { delimiter } = asked
    for (let after: string | undefined = ''; after !== undefined; ) {
      const query: Record<string, string> = { 'list-type': '2', prefix }
      if (delimiter !== undefined) query.delimiter = delimiter
      if (after !== '') query['continuation-token'] = after
      const { text } = await this.#client.ask({ method: 'GET', query })
      yield text
      after = textOfXmlElement(text, 'NextContinuationToken')
    }
  }
}

/**
 * Throws if the response contains other bytes than requested, because the object was deleted or S3 does not
 * support ranges.
 */
function partOf(key: string, response: IncomingMessage, isWhole: boolean): IncomingMessage {
  const { statusCode } = response
  if (statusCode === 206 || (isWhole && statusCode === 200)) return response
  response.destroy()
  throw toStorageUnavailableError(new Error(`S3 GET ${key}: ${statusCode} instead of 206`))
}

function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}
