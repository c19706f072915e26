// Streams an object from S3. A connection that breaks, or stalls while the reader waits, is replaced by one that
// continues at the next byte. A slow reader is not an error.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'

export type S3BodyOptions = {
  /** The first response. */
  response: IncomingMessage
  /** The total number of bytes. */
  size: number
  /** Requests the bytes from a position on, of the same version of the object. */
  reopen: (at: number) => Promise<IncomingMessage>
  stall_ms: number
  /** Creates the error that the reader gets. */
  failure: (cause: unknown) => Error
  /** Gets each chunk. `end` throws if the bytes differ from those that were stored. */
  check?: { update: (chunk: Buffer) => void; end: () => void } | undefined
}

export class S3Body extends Readable {
  readonly #options: S3BodyOptions
  #response: IncomingMessage
  #chunks: AsyncIterator<Buffer>
  #read_bytes = 0
  #failures = 0
  #failed_at = 0

  constructor(options: S3BodyOptions) {
    super()
    this.#options = options
    this.#response = options.response
    this.#chunks = options.response[Symbol.asyncIterator]()
  }

  override _read(): void {
    this.#next().then(
      (chunk) => this.push(chunk),
      (error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#response.destroy()
    done(error)
  }

  /** Returns the next chunk; null after the last. */
  async #next(): Promise<Buffer | null> {
    const { size, check, reopen, failure } = this.#options
    while (this.#read_bytes < size) {
      try {
        const chunk = await this.#nextOf(this.#response)
        this.#read_bytes += chunk.length
        check?.update(chunk)
        // Checked before the last bytes are returned, since a reader that has them treats the blob as
        // complete.
        if (this.#read_bytes === size) check?.end()
        return chunk
      } catch (error) {
        if (error instanceof ChecksumError) throw failure(error)
        // Failures are counted again from 0 once there is enough progress, since a long download may break
        // more often.
        if (this.#read_bytes - this.#failed_at >= limits.s3.part_bytes) this.#failures = 0
        this.#failed_at = this.#read_bytes
        // The reader has disconnected, which is not a failure of S3.
        if (this.destroyed) return null
        if (++this.#failures >= limits.s3.tries_max) throw failure(error)
        this.#response.destroy()
        this.#response = await reopen(this.#read_bytes)
        this.#chunks = this.#response[Symbol.asyncIterator]()
        // The reader may have disconnected in the meantime.
        if (this.destroyed) this.#response.destroy()
      }
    }
    return null
  }

  async #nextOf(response: IncomingMessage): Promise<Buffer> {
    const timer = setTimeout(
      () => response.destroy(new Error('S3 stopped sending an object.')),
      this.#options.stall_ms,
    )
    try {
      const { done, value } = await this.#chunks.next()
      if (done) throw new Error('S3 sent too little of an object.')
      return value
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The bytes of an object differ from those that were stored. */
export class ChecksumError extends Error {}
