// Rows of a diff as tables: one a chunk, so that the browser lays out only what is in sight.
import { escapeHtml } from '../html.ts'
import type { Row } from './diff-rows.ts'

const chunk_rows = 100

/** Tables of at most 100 rows each; `isWide` puts old and new side by side. */
export function* chunksOf(
  rows: readonly Row[],
  { isWide }: { isWide: boolean },
): Generator<string> {
  const lines = isWide ? sides(rows) : inOne(rows)
  let chunk: string[] = []
  for (const line of lines) {
    chunk.push(line)
    if (chunk.length < chunk_rows) continue
    yield table(chunk, isWide)
    chunk = []
  }
  if (chunk.length > 0) yield table(chunk, isWide)
}

/** Two halves of the same width, whatever the first row is. */
const columns =
  '<colgroup><col class="diff-numbers"><col><col class="diff-numbers"><col></colgroup>'

const table = (rows: readonly string[], isWide: boolean) =>
  `<div class="diff-chunk"><table class="diff-table ${isWide ? 'diff-wide' : ''}">${isWide ? columns : ''}<tbody>${rows.join('')}</tbody></table></div>`

function* inOne(rows: readonly Row[]): Generator<string> {
  let before: Row['kind'] = 'hunk'
  for (const row of rows) {
    const isFirst = isChange(row.kind) && !isChange(before)
    before = row.kind
    if (row.kind === 'hunk') {
      yield `<tr class="diff-hunk"><th scope="row">…</th><td>${escapeHtml(row.text)}</td></tr>`
      continue
    }
    const numbers = `${pad(row.old)} ${pad(row.new)}`
    yield `<tr class="diff-${row.kind}${isFirst ? ' diff-first' : ''}"><th scope="row">${numbers}</th><td>${textOf(row)}</td></tr>`
  }
}

function* sides(rows: readonly Row[]): Generator<string> {
  let at = 0
  while (at < rows.length) {
    const row = rows[at]
    if (!row) return
    if (row.kind === 'hunk') {
      yield `<tr class="diff-hunk"><th scope="row">…</th><td colspan="3">${escapeHtml(row.text)}</td></tr>`
      at += 1
    } else if (row.kind === 'same') {
      yield `<tr>${side(row, row.old)}${side(row, row.new)}</tr>`
      at += 1
    } else {
      let [removed, added] = [at, at]
      while (rows[removed]?.kind === 'removed') removed += 1
      added = removed
      while (rows[added]?.kind === 'added') added += 1
      const count = Math.max(removed - at, added - removed)
      for (let place = 0; place < count; place += 1) {
        const old = at + place < removed ? rows[at + place] : undefined
        const now = removed + place < added ? rows[removed + place] : undefined
        yield `<tr${place === 0 ? ' class="diff-first"' : ''}>${side(old, old?.old)}${side(now, now?.new)}</tr>`
      }
      at = added
    }
  }
}

function side(row: Row | undefined, number: number | undefined): string {
  if (!row) return '<td class="diff-none"></td><td class="diff-none"></td>'
  return `<th scope="row">${number ?? ''}</th><td class="diff-side-${row.kind}">${textOf(row)}</td>`
}

function textOf({ text, mark }: Row): string {
  if (!mark || mark[0] >= mark[1]) return escapeHtml(text)
  const [from, to] = mark
  return `${escapeHtml(text.slice(0, from))}<b>${escapeHtml(text.slice(from, to))}</b>${escapeHtml(text.slice(to))}`
}

const isChange = (kind: Row['kind']) => kind === 'added' || kind === 'removed'
const pad = (number: number | undefined) => String(number ?? '').padStart(5)
