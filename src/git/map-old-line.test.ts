import { describe, expect, it } from 'vitest'
import { mapOldLineToNew } from './map-old-line.ts'

const patch = [
  '@@ -3,3 +3,4 @@ x',
  ' three',
  '-four',
  '+FOUR',
  '+more',
  ' five',
  '@@ -10,0 +12,2 @@',
  '+a',
  '+b',
  '@@ -20 +23,0 @@',
  '-gone',
  '',
].join('\n')

describe('A line', () => {
  it.each([
    [1, 1],
    [3, 3],
    [4, undefined],
    [5, 6],
    [8, 9],
    [10, 11],
    [11, 14],
    [20, undefined],
    [21, 23],
  ])('%i of the old side is %s of the new', (before, after) => {
    expect(mapOldLineToNew(patch, before)).toBe(after)
  })

  it('stays where a patch changes nothing', () => {
    expect(mapOldLineToNew('', 7)).toBe(7)
  })
})
