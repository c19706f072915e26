import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../kernel/errors.ts'
import {
  atLeastOneOf,
  mutuallyExclusive,
  type ParameterRule,
  readParameters,
} from './parameters.ts'
import { date, dateTime, nonBlankText, nullable, oneOf, oneOfNumbers } from './schema.ts'

const optional = Type.Optional
const schema = Type.Object({
  text: optional(Type.String()),
  filled: optional(nonBlankText()),
  number: optional(Type.Integer()),
  fraction: optional(Type.Number()),
  flag: optional(Type.Boolean()),
  choice: optional(oneOf(['a', 'b'])),
  level: optional(oneOfNumbers([10, 20])),
  list: optional(Type.Array(Type.Integer())),
  texts: optional(Type.Array(Type.String())),
  day: optional(date()),
  instant: optional(dateTime()),
  nothing: optional(nullable(Type.String())),
  count: optional(Type.Integer({ default: 7, excluded: [0] })),
  share: optional(Type.Integer({ minimum: 0, maximum: 100 })),
  outer: optional(Type.Object({ inner: Type.Integer() })),
  items: optional(Type.Array(Type.Object({ key: nonBlankText(), kind: optional(oneOf(['x'])) }))),
})

function outcome(bag: Record<string, unknown>, rules: ParameterRule[] = []): unknown {
  try {
    return readParameters(schema, rules, bag)
  } catch (error) {
    if (error instanceof ApiError) return error.body.error
    throw error
  }
}

describe('readParameters', () => {
  it.each([
    [{}, { count: 7 }],
    [{ unknown: 'x' }, { count: 7 }],
    [
      { number: '42', count: '3' },
      { number: 42, count: 3 },
    ],
    [{ number: '' }, { count: 7 }],
    [{ number: null }, { count: 7 }],
    [{ number: 'x' }, 'number is invalid'],
    [{ number: 1.5 }, 'number is invalid'],
    [{ number: '1e3' }, 'number is invalid'],
    [{ number: { a: 1 } }, 'number is invalid'],
    [{ fraction: '1.5' }, { fraction: 1.5, count: 7 }],
    [{ count: 0 }, 'count has a value not allowed'],
    [{ choice: 'c' }, 'choice does not have a valid value'],
    [{ share: 101 }, 'share does not have a valid value'],
    [{ share: -1 }, 'share does not have a valid value'],
    [{ share: 100 }, { share: 100, count: 7 }],
    [{ level: '30' }, 'level does not have a valid value'],
    [{ level: '20' }, { level: 20, count: 7 }],
    [{ text: 5 }, { text: '5', count: 7 }],
    [{ text: ['a'] }, 'text is invalid'],
    [{ text: 'a\0b' }, 'text is invalid'],
    [{ filled: '  ' }, 'filled is empty'],
    [{ list: ['1', 2] }, { list: [1, 2], count: 7 }],
    [{ list: '1,2' }, { list: [1, 2], count: 7 }],
    [{ list: 3 }, { list: [3], count: 7 }],
    [{ list: '1,x' }, 'list is invalid'],
    [{ items: 'a,b' }, 'items is invalid'],
    [{ list: ['1', 'x'] }, 'list is invalid'],
    [{ texts: 'a, b,,c' }, { texts: ['a', 'b', 'c'], count: 7 }],
    [{ texts: ['a', 'b'] }, { texts: ['a', 'b'], count: 7 }],
    [{ texts: '' }, { texts: [], count: 7 }],
    [{ day: '2026-02-28' }, { day: '2026-02-28', count: 7 }],
    [{ day: '2026-02-30' }, 'day is invalid'],
    [{ day: 'tomorrow' }, 'day is invalid'],
    [{ instant: '2026-02-28T10:00:00Z' }, { instant: '2026-02-28T10:00:00.000Z', count: 7 }],
    [{ instant: '2026-02-28T10:00:00+02:00' }, { instant: '2026-02-28T08:00:00.000Z', count: 7 }],
    [{ instant: '2026-02-28T10:00:00 02:00' }, { instant: '2026-02-28T08:00:00.000Z', count: 7 }],
    [{ instant: '2026-02-28' }, { instant: '2026-02-28T00:00:00.000Z', count: 7 }],
    [{ instant: '2026-13-01T10:00:00Z' }, 'instant is invalid'],
    [{ instant: 'Feb 1' }, 'instant is invalid'],
    [{ nothing: null }, { nothing: null, count: 7 }],
    [{ outer: { inner: '5' } }, { outer: { inner: 5 }, count: 7 }],
    [{ outer: {} }, 'outer[inner] is missing'],
    [{ outer: 'x' }, 'outer is invalid'],
    [{ items: [{ key: 'a' }] }, { items: [{ key: 'a' }], count: 7 }],
    [
      { items: { 0: { key: 'a' }, 1: { key: 'b' } } },
      { items: [{ key: 'a' }, { key: 'b' }], count: 7 },
    ],
    [
      { items: [{ key: 'a' }, { kind: 'y' }] },
      'items[1][key] is missing, items[1][key] is empty, items[1][kind] does not have a valid value',
    ],
    [{ number: 'x', choice: 'c' }, 'number is invalid, choice does not have a valid value'],
  ] as [Record<string, unknown>, unknown][])('reads %j', (bag, expected) => {
    expect(outcome(bag)).toEqual(expected)
  })

  it.each(['true', '1', 't', 'yes', 'on', 'Y', 'TRUE', true, 1])('takes %j for true', (flag) => {
    expect(outcome({ flag })).toEqual({ flag: true, count: 7 })
  })

  it.each(['false', '0', 'f', 'no', 'off', 'N', false, 0])('takes %j for false', (flag) => {
    expect(outcome({ flag })).toEqual({ flag: false, count: 7 })
  })

  it.each<unknown>([
    ...['maybe', 2, { a: 1 }, 'constructor', '__proto__', 'toString'],
    ...[{ toString: 1 }, { toString: null, valueOf: null }],
    // A list is handed on as a list only in another one.
    ...[[[]], [['true']], [[{ toString: 1 }]]],
  ])('takes %j for neither', (flag) => {
    expect(outcome({ flag })).toBe('flag is invalid')
  })

  it("reads only what is the bag's own", () => {
    expect(outcome(Object.create({ number: 5 }))).toEqual({ count: 7 })
  })

  it('applies rules across parameters', () => {
    const exclusive = [mutuallyExclusive('text', 'number')]
    expect(outcome({ text: 'a', number: 1 }, exclusive)).toBe('text, number are mutually exclusive')
    expect(outcome({ text: 'a' }, exclusive)).toEqual({ text: 'a', count: 7 })
    const needed = [atLeastOneOf('text', 'number')]
    expect(outcome({}, needed)).toBe(
      'text, number are missing, at least one parameter must be provided',
    )
  })
})
