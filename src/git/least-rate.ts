// Enforces a minimum rate: a client that reads almost nothing of what is ready for it, or sends almost nothing of what
// is awaited, is disconnected. Other time does not count.
import { Readable } from 'node:stream'
import { monotonic_ms } from '../kernel/clock.ts'

/**
 * A minimum rate, checked once in a window of that length. The window must be long, since the operating system buffers much
 * for a client.
 */
export type LeastRate = { window_ms: number; bytes_per_s: number }

/** Bytes count when all of a piece is taken. */
const piece_bytes = 64 * 1024

/** Measures what a client moves in the time that others wait for it, and tells when that is too little. */
class Meter {
  readonly #watch: NodeJS.Timeout
  #bytes = 0
  #waited_ms = 0
  #since_ms: number | undefined

  constructor({ window_ms, bytes_per_s }: LeastRate, onSlow: () => void) {
    this.#watch = setInterval(() => {
      if (this.#since_ms !== undefined) {
        this.end(0)
        this.begin()
      }
      const least_bytes = (bytes_per_s * this.#waited_ms) / 1000
      // The reader must have been slow for most of the window; a short wait is not significant.
      if (this.#waited_ms > window_ms / 2 && this.#bytes < least_bytes) onSlow()
      this.#bytes = 0
      this.#waited_ms = 0
    }, window_ms)
  }

  /** Now the client is waited for. */
  begin(): void {
    this.#since_ms = monotonic_ms()
  }

  /** Not any more: it has moved so many bytes. */
  end(bytes: number): void {
    this.#waited_ms += monotonic_ms() - (this.#since_ms ?? monotonic_ms())
    this.#since_ms = undefined
    this.#bytes += bytes
  }

  close(): void {
    clearInterval(this.#watch)
  }
}

/** Streams the bytes of `source`. Fails if the reader takes fewer in a window than `rate` requires. */
export function enforceReadRate(source: AsyncIterable<Buffer>, rate: LeastRate): Readable {
  const meter = new Meter(rate, () => stream.destroy(new Error('The client reads too slowly.')))
  async function* pass(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; at += piece_bytes) {
        const piece = chunk.subarray(at, at + piece_bytes)
        meter.begin()
        yield piece
        meter.end(piece.length)
      }
    }
  }
  const stream = Readable.from(pass(), { objectMode: false })
  stream.once('close', () => meter.close())
  return stream
}

/** Yields the bytes of `source`. Fails if the sender sends fewer in a window than `rate` requires. */
export async function* enforceSendRate(
  source: AsyncIterable<Buffer>,
  rate: LeastRate,
): AsyncGenerator<Buffer> {
  const slow = Promise.withResolvers<never>()
  slow.promise.catch(() => {})
  const meter = new Meter(rate, () => slow.reject(new Error('The client sends too slowly.')))
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      meter.begin()
      const { done, value } = await Promise.race([iterator.next(), slow.promise])
      meter.end(done ? 0 : value.length)
      if (done) return
      yield value
    }
  } finally {
    meter.close()
  }
}
