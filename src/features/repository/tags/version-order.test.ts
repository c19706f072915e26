import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareVersions, parseVersionParts } from './version-order.ts'

const compare = (a: string, b: string) =>
  Math.sign(compareVersions(parseVersionParts(a), parseVersionParts(b)))

it.each([
  [['1.0.9a', '1.0.9', '1.0.10', '2.0', '3.1.4.2']],
  [['v1.0.0-alpha', 'v1.0.0-alpha.1', 'v1.0.0-beta', 'v1.0.0', 'v1.0.1']],
  [['release-9', 'release-10', 'release-100']],
  [['1.9', `1.${'9'.repeat(400)}`]],
])('puts %j in this order', (versions) => {
  expect(versions.toReversed().sort(compare)).toEqual(versions)
})

it('is an order, whatever the names', () => {
  const names = fc
    .array(fc.constantFrom('1', '02', '10', 'a', 'rc', '.', '-', 'ü'), { maxLength: 6 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(names, names, names, (a, b, c) => {
      expect(compare(a, b) + compare(b, a)).toBe(0)
      if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0)
    }),
    { numRuns: 3000 },
  )
})
