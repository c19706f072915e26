import { describe, expect, it } from 'vitest'
import { cutLines } from '../../web/surfaces/code/cut-lines.ts'
import { languageNamed, languageOf } from '../../web/surfaces/code/languages.ts'
import { chunksOf } from '../../web/surfaces/diff/diff-html.ts'
import { readRows } from '../../web/surfaces/diff/diff-rows.ts'

const diff = `@@ -1,3 +1,3 @@ begin
 same
-const sum = one + two
+const sum = one - two
 end
\\ No newline at end of file
`

describe('diffs', () => {
  it('numbers the lines of both sides, and marks what changed within a pair', () => {
    expect(readRows(diff)).toEqual([
      { kind: 'hunk', text: '@@ -1,3 +1,3 @@ begin' },
      { kind: 'same', old: 1, new: 1, text: 'same' },
      { kind: 'removed', old: 2, text: 'const sum = one + two', mark: [16, 17] },
      { kind: 'added', new: 2, text: 'const sum = one - two', mark: [16, 17] },
      { kind: 'same', old: 3, new: 3, text: 'end' },
      { kind: 'hunk', text: '\\ No newline at end of file' },
    ])
  })

  it('marks nothing in lines that have little in common', () => {
    const rows = readRows('@@ -1 +1 @@\n-first words of all\n+x = 12\n')
    expect(rows.map(({ mark }) => mark)).toEqual([undefined, undefined, undefined])
  })

  it('escapes every line, in one column and in two', () => {
    const rows = readRows('@@ -1 +1 @@ <b>\n-a <script> b\n+a <style> b\n')
    for (const isWide of [false, true]) {
      const html = [...chunksOf(rows, { isWide })].join('')
      expect(html).not.toMatch(/<script|<style/)
      expect(html).toContain('&lt;<b>script</b>&gt;')
    }
  })

  it('cuts tables after a hundred rows', () => {
    const text = `@@ -0,0 +1,250 @@\n${'+line\n'.repeat(250)}`
    const chunks = [...chunksOf(readRows(text), { isWide: false })]
    expect(chunks.map((chunk) => chunk.split('<tr').length - 1)).toEqual([100, 100, 51])
  })
})

describe('code', () => {
  it('cuts what is coloured into lines that are whole in themselves', () => {
    expect(cutLines('<span class="a">one\n<span class="b">two</span>\n</span>three')).toEqual([
      '<span class="a">one</span>',
      '<span class="a"><span class="b">two</span></span>',
      '<span class="a"></span>three',
    ])
  })

  it('knows languages by names and endings, and by nothing of the language it is written in', () => {
    expect(languageOf('a/b/Dockerfile')).toBe('dockerfile')
    expect(languageOf('x.test.tsx')).toBe('typescript')
    expect(languageOf('constructor')).toBeUndefined()
    expect(languageNamed('shell')).toBe('bash')
    expect(languageNamed('__proto__')).toBeUndefined()
  })
})
