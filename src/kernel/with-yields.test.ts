import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slicesWithYields, sortWithYields } from './with-yields.ts'

describe('A long list', () => {
  it('is handed out in slices, between which others get their turn', async () => {
    const items = Array.from({ length: 12_001 }, (_, at) => at)
    const slices: (readonly number[])[] = []
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    for await (const some of slicesWithYields(items)) {
      slices.push(some)
      // Long enough for a timer to be due.
      for (const end = performance.now() + 3; performance.now() < end; );
    }
    clearInterval(timer)
    expect(slices.map(({ length }) => length)).toEqual([5000, 5000, 2001])
    expect(slices.flat()).toEqual(items)
    expect(turns).toBeGreaterThan(0)
  })

  it('is sorted as others are, and what is equal stays in its order', async () => {
    const lengths = fc.constantFrom(0, 1, 4999, 5000, 5001, 10_000, 17_333)
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 97 }), async (length, step) => {
        const items = Array.from({ length }, (_, at) => ({ key: (at * step) % 1009, at }))
        const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
        expect(await sortWithYields(items, compare)).toEqual(items.toSorted(compare))
      }),
      { numRuns: 20 },
    )
  })
})
