import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bunzip2 } from '../../test/kit/bunzip2.ts'
import { Bzip2 } from './bzip2.ts'
import { codeLengths, codesOf } from './huffman.ts'
import { sortRotations } from './rotations.ts'

function compress(bytes: Buffer, step = 65_536): Buffer {
  const bzip2 = new Bzip2()
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += step) {
    parts.push(bzip2.push(bytes.subarray(at, at + step)))
  }
  return Buffer.concat([...parts, bzip2.end()])
}

describe('bzip2', () => {
  it('makes of nothing and of little what the program makes', () => {
    expect(compress(Buffer.alloc(0)).toString('hex')).toBe('425a683917724538509000000000')
    // `printf a | bzip2 -9`.
    expect(compress(Buffer.from('a')).toString('hex')).toBe(
      '425a683931415926535919939b6b00000001002000200021184682ee48a70a120332736d60',
    )
  })

  it.each<readonly [string, Buffer]>([
    [
      'runs of every length',
      Buffer.from(Array.from({ length: 600 }, (_, at) => 'ab'[at % 2]?.repeat(at)).join('')),
    ],
    ['one byte over and over', Buffer.alloc(2_000_000, 'x')],
    ['two bytes over and over', Buffer.from('ab'.repeat(20_000))],
    ['what cannot be compressed', randomBytes(100_000)],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, at) => at))],
    ['several blocks', Buffer.concat([randomBytes(950_000), Buffer.alloc(1_000_000, 'ab')])],
  ])('gives back %s', (_, bytes) => {
    expect(bunzip2(compress(bytes)).equals(bytes)).toBe(true)
  })

  it('gives back anything, however it comes in', () => {
    const bytes = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', '\0', 'ab'), fc.nat({ max: 300 })), {
        maxLength: 12,
      })
      .map((runs) => Buffer.from(runs.map(([text, count]) => text.repeat(count)).join('')))
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 50 }), (given, step) => {
        expect(bunzip2(compress(given, step)).equals(given)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('sortRotations', () => {
  it('sorts as comparing does', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 60 }), (letters) => {
        const text = letters.join('')
        const rotation = (at: number) => text.slice(at) + text.slice(0, at)
        const sorted = Array.from(sortRotations(Uint8Array.from(letters)), rotation)
        expect(sorted).toEqual(letters.map((_, at) => rotation(at)).sort())
      }),
      { numRuns: 1000 },
    )
  })
})

describe('codes', () => {
  it('are prefix-free, complete and within their bound', () => {
    const frequencies = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 2, maxLength: 258 })
    fc.assert(
      fc.property(frequencies, (counts) => {
        const lengths = codeLengths(counts, 17)
        const codes = codesOf(lengths)
        const texts = Array.from(lengths, (length, at) =>
          (codes[at] ?? 0).toString(2).padStart(length, '0'),
        )
        expect(texts.every((text, at) => text.length === lengths[at] && text.length <= 17)).toBe(
          true,
        )
        const sorted = texts.toSorted()
        expect(sorted.some((text, at) => sorted[at + 1]?.startsWith(text))).toBe(false)
        expect(texts.reduce((sum, text) => sum + 2 ** -text.length, 0)).toBe(1)
      }),
    )
  })

  it('stay within it where the rarest would be far too long', () => {
    const fibonacci = [1, 1]
    while (fibonacci.length < 40) fibonacci.push((fibonacci.at(-1) ?? 0) + (fibonacci.at(-2) ?? 0))
    expect(Math.max(...codeLengths(fibonacci, 17))).toBeLessThanOrEqual(17)
  })
})
