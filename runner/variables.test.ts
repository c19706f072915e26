import { describe, expect, it } from 'vitest'
import type { JobVariable } from '../src/ci/protocol.ts'
import { expandVariableReferences, resolveJobVariables } from './variables.ts'

const variable = (key: string, value: string, more: Partial<JobVariable> = {}): JobVariable => ({
  key,
  value,
  public: true,
  masked: false,
  ...more,
})

describe('expand', () => {
  it.each([
    ['$A', '1'],
    [`\${A}`, '1'],
    ['$AB', ''],
    [`\${A}B`, '1B'],
    ['$$A', '$A'],
    ['$$$A', '$1'],
    ['a$', 'a$'],
    ['a$ b', 'a$ b'],
    [`\${A`, `\${A`],
    ['$(echo)', '$(echo)'],
    ['$?', ''],
    ['\\$A', '\\1'],
  ])('makes %s to %s', (text, result) => {
    expect(expandVariableReferences(text, (name) => (name === 'A' ? '1' : undefined))).toBe(result)
  })
})

describe('the variables of a job', () => {
  it('takes the last of several, replaces references once, and leaves raw ones', () => {
    const { values } = resolveJobVariables(
      [
        variable('A', 'first'),
        variable('A', '$B!'),
        variable('B', '$C'),
        variable('C', 'see'),
        variable('RAW', '$C $$', { raw: true }),
      ],
      '/files',
    )
    expect(Object.fromEntries(values)).toEqual({ A: '$C!', B: 'see', C: 'see', RAW: '$C $$' })
  })

  it('gives the path of a file variable, also to those that refer to it', () => {
    const { values, files } = resolveJobVariables(
      [variable('CFG', 'a $X', { file: true }), variable('X', '1'), variable('USE', '-c $CFG')],
      '/files',
    )
    expect(values.get('CFG')).toBe('/files/CFG')
    expect(values.get('USE')).toBe('-c /files/CFG')
    expect(files).toEqual([{ path: '/files/CFG', content: 'a 1' }])
  })

  it('leaves out what is no name of a variable, and so no name of a file', () => {
    const { values, files } = resolveJobVariables(
      [variable('../x', 'a', { file: true }), variable('A=B', 'a'), variable('', 'a')],
      '/files',
    )
    expect([...values, ...files]).toEqual([])
  })

  it('masks what was given and what it became, also of those that were replaced', () => {
    const { masked } = resolveJobVariables(
      [
        variable('A', 'old-secret', { masked: true }),
        variable('A', 'new-secret-$B', { masked: true }),
        variable('B', 'bb'),
      ],
      '/files',
    )
    expect(masked).toEqual(['new-secret-$B', 'new-secret-bb', 'old-secret'])
  })
})
