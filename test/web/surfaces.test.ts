import { describe, expect, it } from 'vitest'
import { derivePlace } from '../../web/app/derive-place.ts'
import { languageNamed, languageOf } from '../../web/surfaces/code/languages.ts'
import { markWordsInHtml } from '../../web/surfaces/code/line-marks.ts'
import { splitHtmlLines } from '../../web/surfaces/code/split-html-lines.ts'
import { renderDiffChunks, rowTextHtml } from '../../web/surfaces/diff/diff-html.ts'
import { parseDiffRows } from '../../web/surfaces/diff/diff-rows.ts'
import { layOutHistory } from '../../web/surfaces/graph/history-lanes.ts'
import { AnsiRenderer } from '../../web/surfaces/log/ansi.ts'
import { countVisibleLines, hiddenLineRanges } from '../../web/surfaces/log/folds.ts'
import { renderRowSlices } from '../../web/surfaces/log/log-html.ts'
import { searchLog } from '../../web/surfaces/log/log-search.ts'
import { withoutAnsiColours } from '../../web/surfaces/log/plain-line.ts'
import { parseNotebook } from '../../web/surfaces/notebook/read-notebook.ts'
import { parseCsv } from '../../web/surfaces/sheet/csv.ts'
import { programOfUserAgent } from '../../web/text/programs.ts'
import { growthOf, run } from '../kit/hostile.ts'

const diff = `@@ -1,3 +1,3 @@ begin
 same
-const sum = one + two
+const sum = one - two
 end
\\ No newline at end of file
`

describe('diffs', () => {
  it('numbers the lines of both sides, and marks what changed within a pair', () => {
    expect(parseDiffRows(diff)).toEqual([
      { kind: 'hunk', old: 1, new: 1, skipped: 0, text: '@@ -1,3 +1,3 @@ begin' },
      { kind: 'same', old: 1, new: 1, text: 'same' },
      { kind: 'removed', old: 2, text: 'const sum = one + two', mark: [16, 17] },
      { kind: 'added', new: 2, text: 'const sum = one - two', mark: [16, 17] },
      { kind: 'same', old: 3, new: 3, text: 'end' },
      { kind: 'hunk', text: '\\ No newline at end of file' },
    ])
  })

  it('marks nothing in lines that have little in common', () => {
    const rows = parseDiffRows('@@ -1 +1 @@\n-first words of all\n+x = 12\n')
    expect(rows.map(({ mark }) => mark)).toEqual([undefined, undefined, undefined])
  })

  it('counts the lines that are left out before each hunk', () => {
    const rows = parseDiffRows('@@ -5,1 +5,2 @@\n same\n+new\n@@ -90,1 +91,1 @@\n-a\n+b\n')
    const hunks = rows.filter(({ kind }) => kind === 'hunk')
    expect(hunks).toMatchObject([
      { old: 1, new: 1, skipped: 4 },
      { old: 6, new: 7, skipped: 84 },
    ])
    const [chunk] = renderDiffChunks(rows, { isWide: false })
    const ways = [...(chunk?.html ?? '').matchAll(/data-way="(\w+)"/g)].map(([, way]) => way)
    expect(ways).toEqual(['all', 'down', 'up'])
  })

  it('escapes every line, in one column and in two', () => {
    const rows = parseDiffRows('@@ -1 +1 @@ <b>\n-a <script> b\n+a <style> b\n')
    for (const isWide of [false, true]) {
      const html = [...renderDiffChunks(rows, { isWide })].map((chunk) => chunk.html).join('')
      expect(html).not.toMatch(/<script|<style/)
      expect(html).toContain('&lt;<b>script</b>&gt;')
    }
  })

  it('cuts tables after a hundred rows', () => {
    const text = `@@ -0,0 +1,250 @@\n${'+line\n'.repeat(250)}`
    const chunks = [...renderDiffChunks(parseDiffRows(text), { isWide: false })]
    expect(chunks.map(({ html }) => html.split('<tr').length - 1)).toEqual([100, 100, 51])
  })

  it('marks words through colours, and counts what is escaped as one letter', () => {
    const html =
      '<span class="hljs-string">&quot;a&lt;b&quot;</span> + <span class="hljs-number">12</span>;'
    const row = { kind: 'added', text: '"a<b" + 12;', html } as const
    expect(rowTextHtml({ ...row, mark: [2, 9] })).toBe(
      '<span class="hljs-string">&quot;a<b>&lt;</b><b>b</b><b>&quot;</b></span><b> + </b><span class="hljs-number"><b>1</b>2</span>;',
    )
    expect(rowTextHtml(row)).toBe(html)
  })
})

describe('code', () => {
  it('cuts what is coloured into lines that are whole in themselves', () => {
    expect(splitHtmlLines('<span class="a">one\n<span class="b">two</span>\n</span>three')).toEqual(
      [
        '<span class="a">one</span>',
        '<span class="a"><span class="b">two</span></span>',
        '<span class="a"></span>three',
      ],
    )
  })

  it('knows languages by names and endings, and by nothing of the language it is written in', () => {
    expect(languageOf('a/b/Dockerfile')).toBe('dockerfile')
    expect(languageOf('x.test.tsx')).toBe('typescript')
    expect(languageOf('constructor')).toBeUndefined()
    expect(languageNamed('shell')).toBe('bash')
    expect(languageNamed('__proto__')).toBeUndefined()
  })
})

describe('logs', () => {
  const esc = '\u001b'
  const html = (line: string) => new AnsiRenderer().html(line)

  it.each([
    ['a\rbb\rccc\r', 'ccc'],
    [`section_end:1772366407:get\r${esc}[0K`, ''],
    [`section_start:1772366407:get[collapsed=true]\r${esc}[0K${esc}[0KGet it`, 'Get it'],
    ['section_start:1772366407:get', ''],
    [`${esc}[2K${esc}[1G${esc}[?25h${esc}[2Pa${esc}[1Xb${esc}(Bc${esc}=`, 'abc'],
    [`${esc}]0;title\u0007a${esc}]8;;https://x.test${esc}\\b`, 'ab'],
    [`${esc}[38:5;1mred${esc}[>4;1m${esc}[ q`, 'red'],
  ])('reads %j as a terminal does', (line, text) => {
    expect(withoutAnsiColours(line)).toBe(text)
    expect(html(line).replace(/<[^>]*>/g, '')).toBe(text)
  })

  it('has the colours of 8, of 256 and of all, on the text and behind it', () => {
    const spans = (codes: string) => /class="([^"]*)"/.exec(html(`${esc}[${codes}mx`))?.[1]
    expect(spans('31;1')).toBe('log-colour-1 log-bold')
    expect(spans('38;5;196')).toBe('log-colour-1')
    expect(spans('38;2;80;160;80')).toBe('log-colour-2')
    expect(spans('48:2:20:20:200')).toBe('log-ground-4')
    expect(spans('31;0')).toBeUndefined()
    expect(spans('>4;1')).toBeUndefined()
    expect(spans('38;5;0')).toBe('log-colour-0')
  })

  it('goes on in a colour until it is turned off, and escapes what it colours', () => {
    const ansi = new AnsiRenderer()
    expect(ansi.html(`${esc}[32m<b>`)).toBe('<span class="log-colour-2">&lt;b&gt;</span>')
    expect(ansi.html(`"still"${esc}[m off`)).toBe(
      '<span class="log-colour-2">&quot;still&quot;</span> off',
    )
  })

  it('has the colour of lines before, whichever slice of a block is made first', () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({
      number: at + 1,
      text: at === 20 ? `${esc}[31mred` : `text ${at}`,
    }))
    const words = {
      line: String,
      sectionLabel: String,
      sectionDuration: String,
      truncated: String,
    }
    const [first, second, third] = renderRowSlices(rows, words)
    const colours = (html: string | undefined) => html?.match(/log-colour-1/g)?.length ?? 0
    expect(colours(third?.html())).toBe(50)
    expect(colours(first?.html())).toBe(80)
    expect(colours(second?.html())).toBe(100)
    expect(second?.html()).toBe(second?.html())
    expect([first, second, third].map((one) => [one?.first, one?.last, one?.isPlain])).toEqual([
      [1, 100, true],
      [101, 200, true],
      [201, 250, false],
    ])
  })

  it('makes links of addresses, without the sentence around them', () => {
    expect(html('see (https://a.test/x?y=1&z="2).')).toBe(
      'see (<a class="log-link" href="https://a.test/x?y=1&amp;z=" rel="nofollow noopener noreferrer">https://a.test/x?y=1&amp;z=</a>&quot;2).',
    )
    expect(html('javascript://x')).toBe('javascript://x')
  })

  it('hides what folded sections hold, once, up to the end of what goes on', () => {
    const section = (first_line: number, last_line: number | null) => ({
      ...{ header: '', start: '', end: null, collapsed: false },
      ...{ first_line, last_line },
    })
    const folded = [
      section(20, null),
      section(2, 9),
      section(4, 6),
      section(10, 12),
      section(15, 15),
    ]
    const hidden = hiddenLineRanges(folded, 30)
    expect(hidden).toEqual([
      { from: 3, to: 9 },
      { from: 11, to: 12 },
      { from: 21, to: 30 },
    ])
    expect(countVisibleLines(hidden, { from: 1, to: 30 })).toBe(11)
    expect(countVisibleLines(hidden, { from: 3, to: 9 })).toBe(0)
    expect(countVisibleLines(hidden, { from: 9, to: 11 })).toBe(1)
  })

  it('finds lines in bytes that come in any pieces', async () => {
    const bytes = new TextEncoder().encode('one\ntwö\nthree\ntwö')
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
          controller.close()
        },
      })
    const { signal } = new AbortController()
    const fits = (line: string) => line === 'twö'
    expect(await searchLog(stream(), { fits, signal })).toEqual([2, 4])
    expect(await searchLog(stream(), { fits, signal, most: 1 })).toEqual([2])
    expect(await searchLog(stream(), { fits, signal: AbortSignal.abort() })).toEqual([])
  })
})

describe('addresses', () => {
  const nothing = { ref: null, ref_type: null, commit: null, path: null, entry_type: null }
  const tree = {
    kind: 'project',
    id: 6,
    canonical_path: '/g/p/-/tree/a%23b/src',
    section: 'tree',
    rest: 'a#b/src',
    ref: 'a#b',
    ref_type: 'branch',
    commit: 'c0ffee',
    path: 'src',
    entry_type: 'tree',
    from: null,
    from_commit: null,
  } as const
  const hash = '0123456789'.repeat(4)
  const at = (path: string, section: string | null, rest: string | null) => ({
    ...{ ...tree, ...nothing, canonical_path: path },
    ...{ section, rest },
  })

  it.each([
    ['/g/p', true, at('/g/p', null, null)],
    ['/g/p/-/pipelines', true, at('/g/p/-/pipelines', 'pipelines', '')],
    ['/g/p/-/jobs/7', true, at('/g/p/-/jobs/7', 'jobs', '7')],
    [
      `/g/p/-/commit/${hash}`,
      true,
      {
        ...at(`/g/p/-/commit/${hash}`, 'commit', hash),
        ref: hash,
        ref_type: 'commit',
        commit: hash,
      },
    ],
    [
      '/g/p/-/blob/a%23b/src/x%20y.ts',
      false,
      {
        ...tree,
        canonical_path: '/g/p/-/blob/a%23b/src/x%20y.ts',
        section: 'blob',
        rest: 'a#b/src/x y.ts',
        path: 'src/x y.ts',
        entry_type: 'blob',
      },
    ],
    [
      '/g/p/-/tree/a%23b',
      false,
      { ...tree, canonical_path: '/g/p/-/tree/a%23b', rest: 'a#b', path: '' },
    ],
  ])('of the same project are known: %s', (path, isSure, place) => {
    expect(derivePlace(path, tree, '/g/p')).toEqual({ place, isSure })
  })

  it.each([
    '/g/p2/-/pipelines',
    '/g',
    '/g/p/-/',
    '/g/p/-/blob/a%23bc/x.ts',
    '/g/p/-/blob/main/x.ts',
    '/g/p/-/commits/a%23b',
    '/g/p/-/commit/main',
    '/g/p/-/jobs/%ff',
  ])('are left to the server: %s', (path) => {
    expect(derivePlace(path, tree, '/g/p')).toBeUndefined()
  })
})

describe('programs', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1',
      'Safari on iPhone',
    ],
    ['glab/1.50', 'glab/1.50'],
  ])('are called as people call them: %s', (agent, name) => {
    expect(programOfUserAgent(agent)).toBe(name)
  })
})

describe('histories', () => {
  const commits = (text: string) =>
    text.split(' ').map((one) => {
      const [id = '', parents = ''] = one.split(':')
      return { id, parent_ids: [...parents] }
    })

  it.each([
    ['a line', 'c:b b:a a', [0, 0, 0], ['0-1 0,0,0', '1-2 0,0,0']],
    [
      'a merge and what it merged',
      'm:ba b:r a:r r',
      [0, 0, 1, 0],
      ['0-1 0,0,0', '0-2 0,1,1', '1-3 0,0,0', '2-3 1,1,0'],
    ],
    ['what goes on below', 'm:ba', [0], ['0- 0,0,0', '0- 0,1,1']],
    ['a parent above, by clocks that go wrong', 'a b:a', [0, 0], []],
    ['tips that have nothing in common', 'b a', [0, 0], []],
    ['a lane that is free again', 'm:ba a b:n n:dc c d', [0, 1, 0, 0, 1, 0], undefined],
  ])('have lanes: %s', (_, text, lanes, lines) => {
    const { at, edges } = layOutHistory(commits(text))
    expect(at).toEqual(lanes)
    if (!lines) return
    const told = edges.map(({ from, to, ...lane }) => {
      return `${from}-${to ?? ''} ${lane.at},${lane.via},${lane.into}`
    })
    expect(told).toEqual(lines)
  })
})

describe('tables of values', () => {
  it.each([
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      '"a ""b""",\n,"x\ny"',
      [
        ['a "b"', ''],
        ['', 'x\ny'],
      ],
    ],
    [
      '\ufeffa;b;c,d\n1;2;3',
      [
        ['a', 'b', 'c,d'],
        ['1', '2', '3'],
      ],
    ],
    ['a,', [['a', '']]],
    ['"open\nto the end', [['open\nto the end']]],
    ['', []],
  ])('reads %j', (text, rows) => {
    expect(parseCsv(text, { isTabbed: false, rows_max: 10 })).toEqual(rows)
  })

  it('reads tabs, and no more rows than are shown', () => {
    const text = 'a\tb,c\n'.repeat(50)
    expect(parseCsv(text, { isTabbed: true, rows_max: 3 })).toEqual(Array(3).fill(['a', 'b,c']))
  })

  it.each(['"', '""', ',', '"a', '\n', ',"'])('takes time linear in runs of %j', async (unit) => {
    const growth = await growthOf(1_000_000, (length) =>
      parseCsv(run(unit, length), { isTabbed: false, rows_max: 1_000 }),
    )
    expect(growth).toBeUndefined()
  })
})

describe('notebooks', () => {
  it.each(['', '[]', '{"cells":1}', 'null', '{'])('takes %j for none', (text) => {
    expect(parseNotebook(text)).toBeUndefined()
  })

  it('reads cells of any shape as texts', () => {
    const cells = [
      null,
      { cell_type: 'markdown', source: 1 },
      { source: ['a', 2], outputs: [null, 3] },
    ]
    expect(parseNotebook(JSON.stringify({ cells }))).toEqual({
      language: 'python',
      left_out: 0,
      cells: [
        { kind: 'code', text: '', number: undefined, output: '' },
        { kind: 'prose', text: '' },
        { kind: 'code', text: 'a', number: undefined, output: '' },
      ],
    })
  })
})

describe('marks of what was searched for', () => {
  it('are put around words in any case, through colours and escapes', () => {
    const html = '<span class="hljs-keyword">const</span> a = &quot;Const&quot;'
    expect(markWordsInHtml(html, 'const a = "Const"', 'CONST')).toBe(
      '<span class="hljs-keyword"><mark>const</mark></span> a = &quot;<mark>Const</mark>&quot;',
    )
    expect(markWordsInHtml('a &lt; b', 'a < b', '<')).toBe('a <mark>&lt;</mark> b')
    expect(markWordsInHtml('abc', 'abc', ' ')).toBe('abc')
  })
})
