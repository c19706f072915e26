import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const rows = readFileSync(join(root, 'docs/compatibility.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what |'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))

describe('docs/compatibility.md', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(20)
  })

  it.each(rows)('%s: %s', (_what, _here, pinnedBy = '') => {
    const [file = '', ...title] = pinnedBy.split(': ')
    expect(existsSync(join(root, file))).toBe(true)
    const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")
    expect(source).toContain(title.join(': '))
  })
})
