import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeBandPackets,
  encodePacket,
  flushPacket,
  PacketError,
  PacketReader,
} from './pkt-line.ts'

/** The bytes in pieces cut at the given places. */
function streamOf(bytes: Buffer, cuts: readonly number[]): AsyncIterable<Buffer> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  async function* pieces() {
    let from = 0
    for (const to of [...places, bytes.length]) {
      if (to > from) yield bytes.subarray(from, to)
      from = to
    }
  }
  return pieces()
}

async function readAll(reader: PacketReader): Promise<(Buffer | 'flush')[]> {
  const found: (Buffer | 'flush')[] = []
  for (let next = await reader.next(); next !== undefined; next = await reader.next()) {
    found.push(next === 'flush' ? next : Buffer.from(next))
  }
  return found
}

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constant('flush' as const),
)
const cuts = fc.array(fc.nat(), { maxLength: 20 })

describe('PacketReader', () => {
  it('reads what was written, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(payload), fc.uint8Array(), cuts, async (sent, rest, places) => {
        const packets = sent.map((item) => (item === 'flush' ? flushPacket : encodePacket(item)))
        const bytes = Buffer.concat([...packets, flushPacket, rest])
        const reader = new PacketReader(streamOf(bytes, places))
        const found: (Buffer | 'flush')[] = []
        for (let index = 0; index < sent.length; index++) {
          const next = await reader.next()
          if (next !== undefined) found.push(next === 'flush' ? next : Buffer.from(next))
        }
        expect(found).toEqual(sent)
        expect(await reader.next()).toBe('flush')
        expect(reader.read_bytes).toBe(bytes.length - rest.length)
        const seen = await reader.peek(3)
        expect(seen).toEqual(Buffer.from(rest.subarray(0, 3)).subarray(0, seen.length))
        const left: Buffer[] = []
        for await (const chunk of reader.rest()) left.push(chunk)
        expect(Buffer.concat(left)).toEqual(Buffer.from(rest))
      }),
    )
  })

  it('answers any bytes with packets or a PacketError, and always ends', async () => {
    const digits = fc.constantFrom('0000', '0001', '0003', '0004', '0005', 'fff0', 'FFFF', 'xyz!')
    const noise = fc.array(
      fc.oneof(
        digits.map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
      ),
    )
    await fc.assert(
      fc.asyncProperty(noise, cuts, async (parts, places) => {
        const bytes = Buffer.concat(parts)
        try {
          const found = await readAll(new PacketReader(streamOf(bytes, places)))
          const size = found.reduce(
            (sum, item) => sum + (item === 'flush' ? 4 : item.length + 4),
            0,
          )
          expect(size).toBe(bytes.length)
        } catch (error) {
          if (!(error instanceof PacketError)) throw error
        }
      }),
    )
  })

  it('takes a stream that breaks for a broken request', async () => {
    async function* broken() {
      yield Buffer.from('0009a')
      throw new Error('reset')
    }
    await expect(new PacketReader(broken()).next()).rejects.toThrow(PacketError)
  })

  it('takes the longest packet there may be and none longer', async () => {
    const longest = encodePacket(Buffer.alloc(65_516))
    expect(await new PacketReader(streamOf(longest, [])).next()).toHaveLength(65_516)
    const longer = new PacketReader(streamOf(Buffer.from(`fff1${'x'.repeat(66_000)}`), []))
    await expect(longer.next()).rejects.toThrow(PacketError)
  })
})

describe('encodeBandPackets', () => {
  it('splits what is long so that every packet may be sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(200_000), async (size) => {
        const text = Buffer.alloc(size, 'abc')
        const bytes = Buffer.concat(encodeBandPackets(2, text))
        const found = await readAll(new PacketReader(streamOf(bytes, [])))
        const parts = found.map((item) => (item === 'flush' ? Buffer.alloc(0) : item))
        expect(parts.every((part) => part[0] === 2)).toBe(true)
        expect(Buffer.concat(parts.map((part) => part.subarray(1))).equals(text)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})
