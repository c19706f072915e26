// gitprotocol-common: lines that begin with their length in four hex digits.

export const flushPacket = Buffer.from('0000')

/** Encodes one packet; the payload has at most 65516 bytes. */
export function encodePacket(payload: string | Buffer): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  const length = (bytes.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(length), bytes])
}

/** The longest packet, its four digits included (gitprotocol-common: LARGE_PACKET_MAX). */
const packet_bytes_max = 65_520
const band_bytes_max = packet_bytes_max - 5

/** Encodes a payload for a side band (gitprotocol-pack): 1 data, 2 progress, 3 fatal error. */
export function encodeBandPackets(band: 1 | 2 | 3, payload: Buffer): Buffer[] {
  const packets: Buffer[] = []
  for (let at = 0; at < payload.length; at += band_bytes_max) {
    packets.push(
      encodePacket(Buffer.concat([Buffer.from([band]), payload.subarray(at, at + band_bytes_max)])),
    )
  }
  return packets
}

/** The stream violates the protocol. */
export class PacketError extends Error {}

/** Reads packets from a byte stream, and returns the rest of the stream after them. */
export class PacketReader {
  readonly #iterator: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)
  #isEnded = false
  /** Bytes read as packets so far, for the caller's limit. */
  read_bytes = 0

  constructor(stream: AsyncIterable<Buffer>) {
    this.#iterator = stream[Symbol.asyncIterator]()
  }

  /** The next payload; `flush` for a flush packet; undefined at the end of the stream. */
  async next(): Promise<Buffer | 'flush' | undefined> {
    if (!(await this.#fill(4))) {
      if (this.#buffer.length > 0) throw new PacketError('A packet is cut off.')
      return undefined
    }
    const digits = this.#buffer.toString('latin1', 0, 4)
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
    if (Number.isNaN(length) || (length > 0 && length < 4) || length > packet_bytes_max) {
      throw new PacketError('A packet has no valid length.')
    }
    this.read_bytes += Math.max(length, 4)
    if (length === 0) {
      this.#buffer = this.#buffer.subarray(4)
      return 'flush'
    }
    if (!(await this.#fill(length))) throw new PacketError('A packet is cut off.')
    const payload = this.#buffer.subarray(4, length)
    this.#buffer = this.#buffer.subarray(length)
    return payload
  }

  /** Looks at the next `count` bytes without taking them; fewer at the end of the stream. */
  async peek(count: number): Promise<Buffer> {
    await this.#fill(count)
    return this.#buffer.subarray(0, count)
  }

  /** Everything after the packets read so far. */
  async *rest(): AsyncGenerator<Buffer> {
    if (this.#buffer.length > 0) yield this.#buffer
    this.#buffer = Buffer.alloc(0)
    while (!this.#isEnded) {
      const { done, value } = await this.#iterator.next()
      if (done) this.#isEnded = true
      else yield value
    }
  }

  async #fill(count: number): Promise<boolean> {
    const chunks = [this.#buffer]
    let size = this.#buffer.length
    while (size < count && !this.#isEnded) {
      const { done, value } = await this.#iterator.next().catch(breakOff)
      if (done) this.#isEnded = true
      else {
        chunks.push(value)
        size += value.length
      }
    }
    if (chunks.length > 1) this.#buffer = Buffer.concat(chunks)
    return size >= count
  }
}

/**
 * Throws a PacketError: a body that ends early or cannot be decompressed is an error of the client, like a malformed
 * packet.
 */
function breakOff(cause: unknown): never {
  throw new PacketError('The request was cut off or is damaged.', { cause })
}
