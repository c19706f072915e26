import { expect, it } from 'vitest'
import { runRealGit } from '../../test/kit/git.ts'
import { parseTrailers } from './trailers.ts'

it.each<[string, [string, string][]]>([
  ['Title', []],
  ['Key: value', []],
  ['Title\n\nKey: value', [['Key', 'value']]],
  ['Title\n\nKey: value\n\n\n', [['Key', 'value']]],
  [
    'Title\n\nA: 1\nB : 2\n  more\nA: 3',
    [
      ['A', '1'],
      ['B', '2 more'],
      ['A', '3'],
    ],
  ],
  ['Title\n\nA: 1\n\nBody', []],
  ['Title\n\nSome text\nA: 1', []],
  ['Title\n\nSome text\nSigned-off-by: N <e>', [['Signed-off-by', 'N <e>']]],
  ['Title\n\n1\n2\n3\n4\nSigned-off-by: N <e>', []],
  ['Title\n\nA: 1\n(cherry picked from commit abc)', [['A', '1']]],
  [
    'Title\n\nhttp://x.test is\nA: 1',
    [
      ['http', '//x.test is'],
      ['A', '1'],
    ],
  ],
  ['Title\n\nEmpty:', [['Empty', '']]],
])('reads the trailers of %j', async (message, expected) => {
  expect(parseTrailers(message)).toEqual(expected)
  // git prints what it makes of the same message.
  const args = ['interpret-trailers', '--parse', '--no-divider']
  const { stdout } = await runRealGit(args, { stdin: `${message}\n` })
  const printed = stdout.split('\n').filter((line) => /^[\w-]+:/.test(line))
  expect(printed).toEqual(expected.map(([key, value]) => `${key}: ${value}`))
})
