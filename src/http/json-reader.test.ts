import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../kernel/limits.ts'
import { JsonReader } from './json-reader.ts'
import { LongText } from './long-text.ts'

/** Reads `bytes` in pieces that end at the given places. */
function read(bytes: Buffer, cuts: readonly number[] = []): unknown {
  const reader = new JsonReader()
  let from = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const to = Math.min(cut, bytes.length)
    reader.write(bytes.subarray(from, to))
    from = Math.max(from, to)
  }
  reader.write(bytes.subarray(from))
  return reader.end()
}

const outcome = (task: () => unknown) => {
  try {
    return { value: task() }
  } catch {
    return 'refused'
  }
}

describe('a JSON text that comes in pieces', () => {
  it('reads as it does whole', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.array(fc.nat(200)), (text, cuts) => {
        expect(read(Buffer.from(text), cuts)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('is refused as it is whole, whatever is wrong with it', () => {
    const piece = fc.constantFrom(
      ...'{ } [ ] : , " \\ \\u00 \\ud800 1 -1 1.5 1e3 01 tru true null nul a \n \u0001 é'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(20)), (pieces, cuts) => {
        const text = pieces.join('')
        expect(outcome(() => read(Buffer.from(text), cuts))).toEqual(
          outcome(() => JSON.parse(text)),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['many array members', `[${'1,'.repeat(limits.parameter_members)}1]`, 'too many parameters'],
    ['deep nesting', '['.repeat(100), 'parameters are nested too deeply'],
    ['deep objects', '{"a":'.repeat(100), 'parameters are nested too deeply'],
    ['many values in all', `[${`[${'1,'.repeat(9998)}1],`.repeat(11)}1]`, 'too many parameters'],
  ])('is refused for %s before it ends', (_what, text, reason) => {
    const reader = new JsonReader()
    expect(() => reader.write(Buffer.from(text))).toThrow(`400 Bad request - ${reason}`)
  })

  it('keeps a long text as bytes, wherever its pieces were cut', () => {
    const characters = [
      'a',
      '\\n',
      '\\\\',
      '\\"',
      'é',
      '€',
      '😀',
      '\\ud83d\\ude00',
      '\\u00e9',
      'xyz',
    ]
    const unit = fc.constantFrom(...characters)
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 997 }),
        (units, step) => {
          const inner = units.join('').repeat(Math.ceil(1.2e6 / units.join('').length))
          const bytes = Buffer.from(`{"content":"${inner}","b":1}`)
          const cuts = Array.from({ length: 2000 }, (_, at) => 1_047_000 + at * step)
          const value = read(bytes, cuts) as { content: LongText; b: number }
          expect(value.b).toBe(1)
          expect(value.content).toBeInstanceOf(LongText)
          const text = Buffer.concat([...value.content.take()])
          expect(text.equals(Buffer.from(JSON.parse(`"${inner}"`)))).toBe(true)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('takes a name like any other', () => {
    const value = read(Buffer.from('{"__proto__":{"a":1},"constructor":2}')) as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})
