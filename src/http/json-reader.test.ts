import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../kernel/limits.ts'
import { JsonReader, type JsonShape } from './json-reader.ts'
import { LongText } from './long-text.ts'

/** Reads `bytes` in pieces that end at the given places. */
function read(bytes: Buffer, cuts: readonly number[] = [], shape?: JsonShape): unknown {
  const reader = new JsonReader(shape)
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

describe('A JSON text of which members are handed over', () => {
  const report = {
    version: '1',
    scan: { list: [1, 2], b: { c: 'd' } },
    files: [
      { packages: [{ name: 'a' }, { name: 'b' }, null], path: 'x' },
      { path: 'y', packages: [], more: { packages: [1] } },
    ],
    table: { one: { a: [1] }, two: 2 },
    rest: ['r', { files: [{ packages: [9] }] }],
  }

  it('hands over members of arrays, of objects, and of arrays within those, and keeps what is answered', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400)), (cuts) => {
        const seen: unknown[] = []
        const value = read(Buffer.from(JSON.stringify(report)), cuts, {
          membersOf: {
            'files.packages': (one) => (one as { name?: string } | null)?.name,
            files: (one, key) => void seen.push([key, one]),
            table: (one, key) => {
              seen.push([key, one])
              return key === 'two' ? 'kept' : undefined
            },
          },
        })
        expect(seen).toEqual([
          ['', { packages: ['a', 'b'], path: 'x' }],
          ['', { path: 'y', packages: [], more: { packages: [1] } }],
          ['one', { a: [1] }],
          ['two', 2],
        ])
        const { version, scan, rest } = report
        expect(value).toEqual({ version, scan, rest, files: [], table: { two: 'kept' } })
      }),
    )
  })

  it('keeps nothing but what is named, and of that what is asked for', () => {
    const seen: unknown[] = []
    const value = read(Buffer.from(JSON.stringify(report)), [50], {
      membersOf: { 'files.packages': (one) => void seen.push(one) },
      only: ['version', 'missing'],
    })
    expect(value).toEqual({
      version: '1',
      files: [
        { packages: [], path: 'x' },
        { path: 'y', packages: [], more: { packages: [1] } },
      ],
    })
    expect(seen).toEqual([{ name: 'a' }, { name: 'b' }, null])
  })

  it('has no limit but of what is kept at one time', () => {
    const shape = { values_max: 10, members_max: 4, only: ['a'] }
    let count = 0
    const many = Array.from({ length: 100 }, () => [1, 2, 3])
    const text = Buffer.from(JSON.stringify({ other: many, a: many, b: { c: many } }))
    read(text, [], { ...shape, membersOf: { a: () => void count++ } })
    expect(count).toBe(100)
    const within = () => read(text, [], { ...shape, membersOf: { 'b.c': () => void count++ } })
    expect(within).toThrow('400 Bad request - too many parameters')
    const wide = Buffer.from('{"a":[[1,2,3,4,5]]}')
    expect(() => read(wide, [], { ...shape, membersOf: { a: () => 1 } })).toThrow('too many')
    const kept = () => read(text, [], { ...shape, membersOf: { a: () => 'kept' } })
    expect(kept).toThrow('too many parameters')
  })

  it('checks what it lets go of as it checks everything', () => {
    for (const text of ['{"x":[1,}', '{"x":{"y":01}}', '{"x":"\\q"}', '{"x":[}']) {
      expect(() => read(Buffer.from(text), [4], { only: [] })).toThrow(
        'does not match declared format',
      )
    }
    const deep = () => read(Buffer.from(`{"x":${'['.repeat(9)}`), [], { only: [], depth_max: 9 })
    expect(deep).toThrow('nested too deeply')
    const long = Buffer.from(`{"x":"${'é\\n'.repeat(500_000)}","y":1}`)
    expect(read(long, [700_001, 1_400_003], { only: ['y'] })).toEqual({ y: 1 })
  })

  it('gives names that are parts of every object no place of their own', () => {
    const text = Buffer.from('{"constructor":{"a":1},"a":{"__proto__":{"x":1}}}')
    const seen: unknown[] = []
    const value = read(text, [], {
      membersOf: { a: (_value, key) => void seen.push(key) },
      only: ['toString'],
    })
    expect([value, seen]).toEqual([{ a: {} }, ['__proto__']])
  })
})
